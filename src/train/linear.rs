//! The linear (pit, count) table: what each count of each pit is worth by
//! itself.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::fit::Data;
use super::model::{Adam, Example, cross_entropy, sigmoid};
use crate::eval::{Inputs, inputs};

/// Passes through all samples; it converges long before.
const EPOCHS: u32 = 8;
const BATCH: usize = 2048;
/// The first learning rate; it falls in a straight line.
const RATE: f32 = 0.01;
/// No weight is larger.
const MOST: f32 = 16.0;

/// Weights whose sum over the inputs of a position is the logarithm of the odds
/// that the side to move wins.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// One for each input.
    pub weights: Vec<f32>,
    /// What is added to every sum: the side to move.
    pub bias: f32,
}

impl Linear {
    /// Fits the table to samples; the same seed gives the same table.
    pub fn fit(data: &Data, seed: u64) -> Self {
        let size = inputs(data.profile.geometry().pits());
        let mut all = vec![0.0; size + 1];
        let mut adam = Adam::new(all.len());
        let mut order: Vec<usize> = (0..data.train().len()).collect();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for epoch in 0..EPOCHS {
            order.shuffle(&mut rng);
            let rate = RATE * (EPOCHS - epoch) as f32 / EPOCHS as f32;
            for batch in order.chunks(BATCH) {
                let mut gradient = vec![0.0; all.len()];
                for &index in batch {
                    let Example { inputs, target } = &data.train()[index];
                    let sum: f32 = all[size] + weights_of(inputs, &all).sum::<f32>();
                    let error = (sigmoid(sum) - target) / batch.len() as f32;
                    gradient[size] += error;
                    inputs.all().iter().for_each(|&input| gradient[usize::from(input)] += error);
                }
                adam.step(&mut all, &gradient, rate, |_| MOST);
            }
        }
        let bias = all.pop().unwrap_or(0.0);
        Self { weights: all, bias }
    }

    /// The logarithm of the odds that the side to move wins.
    pub fn log_odds(&self, inputs: &Inputs) -> f64 {
        f64::from(self.bias + weights_of(inputs, &self.weights).sum::<f32>())
    }

    /// What a count of a pit is worth against the empty pit, in units of the
    /// logarithm of the odds.
    pub fn worth(&self, pit: usize, count: usize) -> f32 {
        let row = pit * crate::eval::BUCKETS;
        self.weights[row + count] - self.weights[row]
    }

    /// The mean loss on held-out samples.
    pub fn held_out_loss(&self, data: &Data) -> f64 {
        data.held_out_loss(|inputs| self.log_odds(inputs))
    }
}

fn weights_of<'a>(inputs: &'a Inputs, weights: &'a [f32]) -> impl Iterator<Item = f32> + 'a {
    inputs.all().iter().map(|&input| weights[usize::from(input)])
}

/// The mean loss on held-out samples of no knowledge at all.
pub fn blind_loss(data: &Data) -> f64 {
    let mean = |examples: &[Example]| {
        examples.iter().map(|example| cross_entropy(0.5, example.target)).sum::<f64>()
            / examples.len().max(1) as f64
    };
    mean(data.held_out())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use crate::rules::Profile;
    use crate::search::Signals;
    use crate::train::Generator;

    #[test]
    fn seeds_are_worth_something_and_the_loss_falls() {
        let mut generator = Generator::new(Profile::Kisolo, Evaluation::Seeds, 200, 1).unwrap();
        let mut seen = std::collections::HashSet::new();
        let signals = Signals::default();
        let mut game = |number| generator.game(number, &mut seen, &signals).unwrap();
        let samples: Vec<_> = (0..100).flat_map(&mut game).collect();
        let data = Data::new(Profile::Kisolo, &samples, 0.5);
        let table = Linear::fit(&data, 1);
        assert_eq!(table, Linear::fit(&data, 1));
        assert!(table.held_out_loss(&data) < blind_loss(&data) - 0.05);
        // Own seeds are good on the whole, those of the enemy bad.
        let mean =
            |pits: std::ops::Range<usize>| -> f32 { pits.map(|pit| table.worth(pit, 2)).sum() };
        assert!(mean(0..14) > mean(14..28));
    }
}
