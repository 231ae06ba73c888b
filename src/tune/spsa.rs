//! The state of a tuning, and how it moves.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::search::{Params, Tunable};

/// How fast the gain falls, and the perturbation: Spall's usual exponents.
const GAIN_EXPONENT: f64 = 0.602;
const PERTURBATION_EXPONENT: f64 = 0.101;
/// The part of all iterations that holds the first steps back.
const STABILITY: f64 = 0.1;
/// The gain of the last iteration: a clean sweep moves a constant by so many
/// of its steps. Small enough that chance moves it by about one in a thousand
/// iterations of 16 pairs.
const LAST_GAIN: f64 = 0.2;

/// What a tuning does; fixed when it begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The profile that is played.
    pub profile: String,
    /// The file of openings.
    pub openings: String,
    /// Nodes a move.
    pub nodes: u64,
    /// Pairs of games of an iteration: one opening with sides changed.
    pub pairs: u32,
    /// Iterations in all.
    pub iterations: u32,
    /// The seed of openings and directions.
    pub seed: u64,
}

/// One constant that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// Its name in [`Params`].
    pub name: String,
    /// Where it began.
    pub start: i32,
    /// Where it is.
    pub value: f64,
}

/// The state of a tuning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuning {
    /// What it does.
    pub settings: Settings,
    /// Iterations done.
    pub iteration: u32,
    /// Games of the upper end won, drawn and lost so far.
    pub games: [u64; 3],
    /// The constants.
    pub values: Vec<Value>,
}

/// Why a tuning cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StateError {
    /// No constant has this name.
    #[error("no constant '{0}'; there are {known}", known = names())]
    Unknown(String),
    /// Nothing to do.
    #[error("no constant is to be tuned")]
    Nothing,
}

fn names() -> String {
    let names: Vec<&str> = Params::ALL.iter().map(|tunable| tunable.name).collect();
    names.join(", ")
}

fn tunable(name: &str) -> Result<&'static Tunable, StateError> {
    let known = Params::ALL.iter().find(|tunable| tunable.name == name);
    known.ok_or_else(|| StateError::Unknown(name.to_owned()))
}

/// One step of a tuning: the two ends that play each other.
pub struct Step {
    /// All constants moved along the direction.
    pub upper: Params,
    /// All constants moved against it.
    pub lower: Params,
    /// The openings to be played, as indices.
    pub openings: Vec<usize>,
    /// The direction of each constant.
    up: Vec<bool>,
}

impl Tuning {
    /// A tuning of the constants with these names, from their values in use.
    ///
    /// # Errors
    /// When a name is not known, or there is none.
    pub fn new(settings: Settings, names: &[String]) -> Result<Self, StateError> {
        let value = |name: &String| {
            let start = tunable(name)?.default;
            Ok(Value { name: name.clone(), start, value: start.into() })
        };
        let values = names.iter().map(value).collect::<Result<Vec<_>, _>>()?;
        let tuning = Self { settings, iteration: 0, games: [0; 3], values };
        tuning.check()?;
        Ok(tuning)
    }

    /// Whether this state can be gone on with.
    ///
    /// # Errors
    /// When it tunes nothing, or something that does not exist.
    pub fn check(&self) -> Result<(), StateError> {
        if self.values.is_empty() {
            return Err(StateError::Nothing);
        }
        self.values.iter().try_for_each(|value| tunable(&value.name).map(|_| ()))
    }

    /// Whether all iterations are done.
    pub const fn finished(&self) -> bool {
        self.iteration >= self.settings.iterations
    }

    /// The constants as they are now.
    pub fn params(&self) -> Params {
        self.moved(|_| 0.0)
    }

    /// The constants, the one with index `i` moved by `by(i)` steps.
    fn moved(&self, by: impl Fn(usize) -> f64) -> Params {
        let mut params = Params::DEFAULT;
        for (index, value) in self.values.iter().enumerate() {
            if let Ok(tunable) = tunable(&value.name) {
                let moved = value.value + by(index) * f64::from(tunable.step);
                tunable.set(&mut params, moved.round() as i32);
            }
        }
        params
    }

    /// What the next iteration has to play, out of so many openings.
    pub fn next_step(&self, openings: usize) -> Step {
        // A generator for each iteration, so that one can go on anywhere.
        let seed =
            self.settings.seed ^ u64::from(self.iteration).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let up: Vec<bool> = self.values.iter().map(|_| rng.random()).collect();
        let size = f64::from(self.iteration + 1).powf(-PERTURBATION_EXPONENT);
        let by = |index: usize| if up[index] { size } else { -size };
        let (upper, lower) = (self.moved(by), self.moved(|index| -by(index)));
        let openings = (0..self.settings.pairs).map(|_| rng.random_range(0..openings)).collect();
        Step { upper, lower, openings, up }
    }

    /// Moves the constants after the upper end has won, drawn and lost so
    /// many games.
    pub fn learn(&mut self, step: &Step, counts: [u32; 3]) {
        let [won, drawn, lost] = counts.map(f64::from);
        let score = (won - lost) / (won + drawn + lost).max(1.0);
        let (done, all) = (f64::from(self.iteration), f64::from(self.settings.iterations));
        let held = STABILITY * all;
        let gain = LAST_GAIN * ((held + all) / (held + done + 1.0)).powf(GAIN_EXPONENT);
        for (value, &up) in self.values.iter_mut().zip(&step.up) {
            if let Ok(tunable) = tunable(&value.name) {
                let direction = if up { 1.0 } else { -1.0 };
                let moved = value.value + gain * score * direction * f64::from(tunable.step);
                value.value = moved.clamp(tunable.min.into(), tunable.max.into());
            }
        }
        for (sum, count) in self.games.iter_mut().zip(counts) {
            *sum += u64::from(count);
        }
        self.iteration += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings {
            profile: "kisolo".to_owned(),
            openings: "book.txt".to_owned(),
            nodes: 100,
            pairs: 4,
            iterations: 300,
            seed: 7,
        }
    }

    #[test]
    fn the_constants_climb_to_the_best_values() {
        let names = ["tempo", "order_seed"].map(str::to_owned);
        let mut tuning = Tuning::new(settings(), &names).unwrap();
        // Whoever is nearer to these wins more.
        let distance = |params: &Params| {
            f64::from((params.tempo - 320).abs()) / 30.0
                + f64::from((params.order_seed - 400).abs()) / 150.0
        };
        let before = distance(&tuning.params());
        while !tuning.finished() {
            let step = tuning.next_step(10);
            let better = distance(&step.lower) - distance(&step.upper);
            let won = (50.0 + 10.0 * better).clamp(0.0, 100.0) as u32;
            tuning.learn(&step, [won, 0, 100 - won]);
        }
        assert!(distance(&tuning.params()) < before / 4.0, "{:?}", tuning.values);
    }

    #[test]
    fn both_ends_lie_around_the_middle_and_openings_are_there() {
        let names = ["tempo".to_owned()];
        let tuning = Tuning::new(settings(), &names).unwrap();
        let step = tuning.next_step(3);
        assert_eq!(step.upper.tempo + step.lower.tempo, 2 * tuning.params().tempo);
        assert_ne!(step.upper.tempo, step.lower.tempo);
        assert_eq!(step.openings.len(), 4);
        assert!(step.openings.iter().all(|&opening| opening < 3));
    }

    #[test]
    fn unknown_constants_are_refused() {
        let error = Tuning::new(settings(), &["temper".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("'temper'; there are aspiration_window, "));
        assert_eq!(Tuning::new(settings(), &[]), Err(StateError::Nothing));
    }
}
