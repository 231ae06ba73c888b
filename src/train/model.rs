//! The network in floating point, its gradient, and the step of Adam.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::eval::{HIDDEN, Inputs, Net, OUTPUT_UNIT, UNIT, inputs};
use crate::rules::Profile;

/// The largest weight of the first layer: the sum of a row for every pit then
/// fits into 16 bits.
const MOST_ROW: f32 = 3.5;
/// The largest weight of the second layer.
const MOST_OUTPUT: f32 = 16.0;

/// Adam's usual constants (Kingma and Ba 2014).
const BETA: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

/// A position as the network sees it.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    pub inputs: Inputs,
    /// The probability to be learned that the side to move wins.
    pub target: f32,
}

/// The weights in a row: those of every input, the bias of the hidden units,
/// their weights in the output, its bias.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model(pub Vec<f32>);

/// The logistic function.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The cross entropy of a forecast against a target.
pub fn cross_entropy(forecast: f32, target: f32) -> f64 {
    let p = f64::from(forecast.clamp(1e-6, 1.0 - 1e-6));
    let target = f64::from(target);
    -(target * p.ln() + (1.0 - target) * (1.0 - p).ln())
}

impl Model {
    /// How many weights a network of a profile has.
    pub const fn size(profile: Profile) -> usize {
        (inputs(profile.geometry().pits()) + 2) * HIDDEN + 1
    }

    /// Random small weights.
    pub fn random(profile: Profile, rng: &mut Xoshiro256PlusPlus) -> Self {
        let inputs = inputs(profile.geometry().pits());
        let mut weights: Vec<f32> =
            (0..inputs * HIDDEN).map(|_| rng.random_range(-0.1..0.1)).collect();
        weights.extend((0..HIDDEN).map(|_| rng.random_range(0.1..0.5)));
        weights.extend((0..HIDDEN).map(|_| rng.random_range(-0.5..0.5)));
        weights.push(0.0);
        Self(weights)
    }

    /// As many zeros as `other` has weights.
    pub fn zeros(other: &Self) -> Self {
        Self(vec![0.0; other.0.len()])
    }

    fn parts(&self) -> (&[[f32; HIDDEN]], &[f32; HIDDEN], &[f32; HIDDEN], f32) {
        let (rows, rest) = self.0.as_chunks::<HIDDEN>();
        let inputs = rows.len() - 2;
        (&rows[..inputs], &rows[inputs], &rows[inputs + 1], rest[0])
    }

    fn hidden(&self, example: &Example) -> [f32; HIDDEN] {
        let (rows, bias, ..) = self.parts();
        let mut hidden = *bias;
        for &input in example.inputs.all() {
            let row = &rows[usize::from(input)];
            for (unit, weight) in hidden.iter_mut().zip(row) {
                *unit += weight;
            }
        }
        hidden
    }

    fn output(&self, hidden: &[f32; HIDDEN]) -> f32 {
        let (.., output, bias) = self.parts();
        bias + hidden.iter().zip(output).map(|(h, w)| h.clamp(0.0, 1.0) * w).sum::<f32>()
    }

    /// The logarithm of the odds that the side to move wins.
    pub fn forecast(&self, example: &Example) -> f32 {
        self.output(&self.hidden(example))
    }

    /// Adds the gradient of the loss of some examples to `gradient`; returns
    /// the sum of their losses (cross entropy).
    pub fn gradient(&self, examples: &[Example], gradient: &mut Self) -> f64 {
        let (.., output, _) = self.parts();
        let (rows, rest) = gradient.0.as_chunks_mut::<HIDDEN>();
        let inputs = rows.len() - 2;
        let (rows, ends) = rows.split_at_mut(inputs);
        let mut loss = 0.0;
        for example in examples {
            let hidden = self.hidden(example);
            let forecast = sigmoid(self.output(&hidden));
            loss += cross_entropy(forecast, example.target);
            let error = forecast - example.target;
            rest[0] += error;
            let mut back = [0.0; HIDDEN];
            for unit in 0..HIDDEN {
                let active = hidden[unit] > 0.0 && hidden[unit] < 1.0;
                ends[1][unit] += error * hidden[unit].clamp(0.0, 1.0);
                back[unit] = if active { error * output[unit] } else { 0.0 };
                ends[0][unit] += back[unit];
            }
            for &input in example.inputs.all() {
                for (sum, back) in rows[usize::from(input)].iter_mut().zip(&back) {
                    *sum += back;
                }
            }
        }
        loss
    }

    /// The largest size of a weight, for the quantisation.
    pub fn most(weights: usize) -> impl Fn(usize) -> f32 {
        let second_layer = weights - HIDDEN - 1;
        move |index| if index < second_layer { MOST_ROW } else { MOST_OUTPUT }
    }

    /// The quantised network.
    pub fn quantised(&self, profile: Profile) -> Net {
        let (rows, bias, output, output_bias) = self.parts();
        let first = |row: &[f32; HIDDEN]| row.map(|w| (w * f32::from(UNIT)).round() as i16);
        let second = |w: f32| w * OUTPUT_UNIT as f32;
        Net::new(
            profile,
            rows.iter().map(first).collect(),
            first(bias),
            output.map(|w| second(w).round() as i16),
            (second(output_bias) * f32::from(UNIT)).round() as i32,
        )
    }
}

/// Adam's memory of a row of weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    /// No memory yet of so many weights.
    pub fn new(weights: usize) -> Self {
        Self { mean: vec![0.0; weights], square: vec![0.0; weights], steps: 0 }
    }

    /// Whether it is the memory of so many weights.
    pub const fn fits(&self, weights: usize) -> bool {
        self.mean.len() == weights && self.square.len() == weights
    }

    /// Moves weights against the mean gradient of a batch. None becomes larger
    /// than `most` says for its index, either way.
    pub fn step(
        &mut self,
        weights: &mut [f32],
        gradient: &[f32],
        rate: f32,
        most: impl Fn(usize) -> f32,
    ) {
        self.steps += 1;
        let unbiased = BETA.map(|beta| 1.0 / (1.0 - beta.powi(self.steps)));
        let memory = self.mean.iter_mut().zip(&mut self.square);
        let all = weights.iter_mut().zip(gradient).zip(memory).enumerate();
        for (index, ((weight, slope), (mean, square))) in all {
            *mean += (1.0 - BETA[0]) * (slope - *mean);
            *square += (1.0 - BETA[1]) * (slope * slope - *square);
            let step = *mean * unbiased[0] / ((*square * unbiased[1]).sqrt() + EPSILON);
            *weight = (*weight - rate * step).clamp(-most(index), most(index));
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::board::{FirstPhase, LANES, Lanes, Position, Side};
    use crate::rules::Kisolo;

    fn examples(rng: &mut Xoshiro256PlusPlus, count: usize) -> Vec<Example> {
        let mut example = || {
            let mut side = || {
                let mut counts = [0u8; LANES];
                counts[..7].fill_with(|| rng.random_range(0..18));
                counts[7..14].fill_with(|| rng.random_range(0..3));
                Lanes::new(counts)
            };
            let position = Position::new(side(), side(), Side::South, FirstPhase::NONE);
            let inputs = Inputs::new::<Kisolo>(&position);
            Example { inputs, target: rng.random_range(0.0..1.0) }
        };
        (0..count).map(|_| example()).collect()
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let model = Model::random(Profile::Kisolo, &mut rng);
        let examples = examples(&mut rng, 20);
        let mut gradient = Model::zeros(&model);
        model.gradient(&examples, &mut gradient);
        let loss = |model: &Model| model.gradient(&examples, &mut Model::zeros(model));
        let mut steep = 0;
        for index in (0..model.0.len()).step_by(7).chain(model.0.len() - 2 * HIDDEN..model.0.len())
        {
            let nudge = 1e-3;
            let (mut up, mut down) = (model.clone(), model.clone());
            up.0[index] += nudge;
            down.0[index] -= nudge;
            let slope = (loss(&up) - loss(&down)) / f64::from(2.0 * nudge);
            let want = f64::from(gradient.0[index]);
            assert!((slope - want).abs() < 0.02 + 0.05 * want.abs(), "{index}: {slope} {want}");
            steep += usize::from(want.abs() > 0.1);
        }
        assert!(steep > 20, "{steep}");
    }

    #[test]
    fn ten_positions_are_learned_by_heart_and_quantised() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut model = Model::random(Profile::Kisolo, &mut rng);
        let examples = examples(&mut rng, 10);
        let mut adam = Adam::new(model.0.len());
        let most = Model::most(model.0.len());
        for _ in 0..500 {
            let mut gradient = Model::zeros(&model);
            model.gradient(&examples, &mut gradient);
            adam.step(&mut model.0, &gradient.0, 0.01, &most);
        }
        for example in &examples {
            let forecast = sigmoid(model.forecast(example));
            assert!((forecast - example.target).abs() < 0.01, "{forecast} {}", example.target);
        }
    }
}
