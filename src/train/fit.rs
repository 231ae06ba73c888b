//! Fitting the network to samples.
//!
//! The target of a position is a blend of the result of its game and of the
//! score of the search, turned into a probability by the scale that fits the
//! results best. One game in twenty is held out; the weights that are kept are
//! those with the least loss on these.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::model::{Adam, Example, Model, cross_entropy, sigmoid};
use super::sample::Sample;
use crate::eval::Inputs;
use crate::rules::{Profile, with_rules};

/// One game in so many is held out.
const HELD_OUT: u32 = 20;
/// A batch is cut into so many parts, whose gradients are added in their
/// order: the result does not depend on the number of threads.
const PARTS: usize = 8;
/// The last learning rate as a part of the first.
const LAST_RATE: f32 = 0.01;

/// How a network is fitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The profile.
    pub profile: String,
    /// Passes through all samples.
    pub epochs: u32,
    /// Epochs without a better loss on the held-out games after which it ends.
    pub patience: u32,
    /// Samples of a batch.
    pub batch: usize,
    /// The first learning rate; it falls along half a cosine.
    pub rate: f32,
    /// The part of the target that is the result of the game.
    pub blend: f32,
    /// The seed of the first weights and of the order of the samples.
    pub seed: u64,
}

/// The state of a fit: what a checkpoint holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fit {
    /// How it is done.
    pub recipe: Recipe,
    /// Epochs done.
    pub epoch: u32,
    /// The losses of every epoch: of the samples and of those held out.
    pub losses: Vec<[f64; 2]>,
    model: Model,
    adam: Adam,
    best: Model,
}

/// Samples ready to be learned.
pub struct Data {
    /// The profile.
    pub profile: Profile,
    train: Vec<Example>,
    held_out: Vec<Example>,
    /// Centipawns of a search for each unit of the logarithm of the odds.
    pub scale: f32,
    /// The least loss there can be on the held-out samples: that of forecasts
    /// equal to the targets.
    pub floor: f64,
}

impl Data {
    /// Prepares samples of a profile.
    pub fn new(profile: Profile, samples: &[Sample], blend: f32) -> Self {
        let scale = score_scale(samples);
        let (mut train, mut held_out) = (Vec::new(), Vec::new());
        for sample in samples {
            let example = example(profile, sample, blend, scale);
            if sample.game() % HELD_OUT == 0 { &mut held_out } else { &mut train }.push(example);
        }
        let entropy = |example: &Example| cross_entropy(example.target, example.target);
        let floor = held_out.iter().map(entropy).sum::<f64>() / held_out.len().max(1) as f64;
        Self { profile, train, held_out, scale, floor }
    }

    /// The mean loss of forecasts of the held-out samples: the logarithm of
    /// the odds by their inputs.
    pub fn held_out_loss(&self, forecast: impl Fn(&Inputs) -> f64) -> f64 {
        let loss = |example: &Example| {
            cross_entropy(sigmoid(forecast(&example.inputs) as f32), example.target)
        };
        self.held_out.iter().map(loss).sum::<f64>() / self.held_out.len().max(1) as f64
    }

    pub(super) fn train(&self) -> &[Example] {
        &self.train
    }

    pub(super) fn held_out(&self) -> &[Example] {
        &self.held_out
    }

    /// Samples to learn from, and those held out.
    pub const fn sizes(&self) -> (usize, usize) {
        (self.train.len(), self.held_out.len())
    }
}

fn example(profile: Profile, sample: &Sample, blend: f32, scale: f32) -> Example {
    let inputs = with_rules!(profile, R => Inputs::new::<R>(&sample.position()));
    let result = f32::from(sample.result()) / 2.0;
    let score = sigmoid(f32::from(sample.score()) / scale);
    Example { inputs, target: blend * result + (1.0 - blend) * score }
}

/// The scale by which the scores of samples forecast the results best.
fn score_scale(samples: &[Sample]) -> f32 {
    let step = (samples.len() / 100_000).max(1);
    let loss = |scale: f32| -> f64 {
        let one = |sample: &Sample| {
            let forecast = sigmoid(f32::from(sample.score()) / scale);
            cross_entropy(forecast, f32::from(sample.result()) / 2.0)
        };
        samples.iter().step_by(step).map(one).sum()
    };
    // The loss has one minimum; two in a hundred is near enough.
    let (mut low, mut high) = (20.0f32, 5000.0f32);
    while high / low > 1.02 {
        let (a, b) = (low * (high / low).powf(0.4), low * (high / low).powf(0.6));
        if loss(a) < loss(b) { high = b } else { low = a }
    }
    (low * high).sqrt()
}

impl Fit {
    /// A fit that begins with random weights.
    pub fn new(recipe: Recipe, profile: Profile) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(recipe.seed);
        let model = Model::random(profile, &mut rng);
        let adam = Adam::new(model.0.len());
        Self { recipe, epoch: 0, losses: Vec::new(), best: model.clone(), model, adam }
    }

    /// Whether all epochs are done, or more would be no use.
    pub fn finished(&self) -> bool {
        let best = self.losses.iter().map(|losses| losses[1]).enumerate();
        let best = best.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(epoch, _)| epoch);
        self.epoch >= self.recipe.epochs || self.losses.len() > best + self.recipe.patience as usize
    }

    /// Whether its parts belong together, which those of a file may not.
    pub fn is_whole(&self) -> bool {
        let size = |profile| Model::size(profile);
        self.recipe.profile.parse().is_ok_and(|profile: Profile| {
            let models = [&self.model, &self.best];
            models.iter().all(|model| model.0.len() == size(profile))
                && self.adam.fits(self.model.0.len())
                && self.losses.len() == self.epoch as usize
        })
    }

    /// The weights with the least loss so far.
    pub const fn best(&self) -> &Model {
        &self.best
    }

    /// One pass through all samples with so many threads.
    pub fn epoch(&mut self, data: &Data, threads: usize) {
        let mut order: Vec<u32> = (0..data.train.len() as u32).collect();
        // A generator for each epoch, so that one can go on anywhere.
        let seed = self.recipe.seed ^ u64::from(self.epoch + 1) << 32;
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let batches = order.len().div_ceil(self.recipe.batch.max(1)).max(1);
        let most = Model::most(self.model.0.len());
        let mut loss = 0.0;
        for (number, batch) in order.chunks(self.recipe.batch.max(1)).enumerate() {
            let done = (self.epoch as usize * batches + number) as f32;
            let part = done / (self.recipe.epochs as usize * batches) as f32;
            let cosine = 0.5 + 0.5 * (part * std::f32::consts::PI).cos();
            let rate = self.recipe.rate * (LAST_RATE + (1.0 - LAST_RATE) * cosine);
            let examples: Vec<Example> =
                batch.iter().map(|&index| data.train[index as usize]).collect();
            let (sum, mut gradient) = gradient(&self.model, &examples, threads);
            loss += sum;
            gradient.0.iter_mut().for_each(|slope| *slope /= examples.len() as f32);
            self.adam.step(&mut self.model.0, &gradient.0, rate, &most);
        }
        let held_out = gradient(&self.model, &data.held_out, threads).0;
        let losses =
            [loss / order.len().max(1) as f64, held_out / data.held_out.len().max(1) as f64];
        if self.losses.iter().all(|earlier| losses[1] < earlier[1]) {
            self.best = self.model.clone();
        }
        self.losses.push(losses);
        self.epoch += 1;
    }
}

/// The loss and gradient of a batch, the same for any number of threads.
fn gradient(model: &Model, examples: &[Example], threads: usize) -> (f64, Model) {
    let parts: Vec<&[Example]> = examples.chunks(examples.len().div_ceil(PARTS).max(1)).collect();
    let results: Vec<Mutex<Option<(f64, Model)>>> =
        parts.iter().map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Relaxed);
            let (Some(part), Some(result)) = (parts.get(number), results.get(number)) else {
                break;
            };
            let mut gradient = Model::zeros(model);
            let loss = model.gradient(part, &mut gradient);
            if let Ok(mut result) = result.lock() {
                *result = Some((loss, gradient));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let mut total = (0.0, Model::zeros(model));
    for (loss, gradient) in results.into_iter().filter_map(|r| r.into_inner().ok().flatten()) {
        total.0 += loss;
        total.1.0.iter_mut().zip(&gradient.0).for_each(|(sum, slope)| *sum += slope);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Signals;
    use crate::train::Generator;

    fn samples() -> Vec<Sample> {
        let mut generator =
            Generator::new(Profile::Kisolo, crate::eval::Evaluation::Seeds, 200, 1).unwrap();
        let mut seen = std::collections::HashSet::new();
        let signals = Signals::default();
        (0..60).flat_map(|game| generator.game(game, &mut seen, &signals).unwrap()).collect()
    }

    fn recipe() -> Recipe {
        let profile = Profile::Kisolo.to_string();
        Recipe { profile, epochs: 6, patience: 6, batch: 256, rate: 0.01, blend: 0.5, seed: 1 }
    }

    #[test]
    fn the_loss_falls_and_the_same_seed_gives_the_same_weights() {
        let samples = samples();
        let data = Data::new(Profile::Kisolo, &samples, 0.5);
        let (train, held_out) = data.sizes();
        assert!(train > 10 * held_out && held_out > 20);
        let mut fit = Fit::new(recipe(), Profile::Kisolo);
        let mut resumed = None;
        while !fit.finished() {
            fit.epoch(&data, 2);
            if fit.epoch == 3 {
                let text = serde_json::to_string(&fit).unwrap();
                resumed = Some(serde_json::from_str::<Fit>(&text).unwrap());
            }
        }
        assert!(fit.losses[5][0] < fit.losses[0][0] - 0.01, "{:?}", fit.losses);
        let mut resumed = resumed.unwrap();
        while !resumed.finished() {
            resumed.epoch(&data, 1);
        }
        assert!(resumed == fit);
    }
}
