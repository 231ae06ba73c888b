//! The learned evaluation: a small network over the counts of all pits.
//!
//! Inputs are (pit, count) pairs, the own pits first, each count in one of
//! sixteen buckets (0 to 14 exactly, 15 and more together), then two flags for
//! the first phase of either side. Every input that is set adds its row to the
//! hidden units; they are clipped to 0..=255 and weighed into one number, the
//! logarithm of the odds that the side to move wins.
//!
//! All weights are `i16`: those of the first layer in units of 1/255, those of
//! the second in units of 1/64.

#[cfg(target_arch = "x86_64")]
mod avx2;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

use crate::board::{FirstPhase, LANES, Position};
use crate::rules::batch::CpuLevel;
use crate::rules::{Profile, Rules};

/// Hidden units.
pub const HIDDEN: usize = 32;
/// Buckets of the count of a pit.
pub const BUCKETS: usize = 16;
/// What 1.0 is in the first layer, and the limit of a hidden unit.
pub const UNIT: i16 = 255;
/// What 1.0 is in the second layer.
pub const OUTPUT_UNIT: i32 = 64;
/// Centipawns for each unit of the logarithm of the odds, where nothing else is
/// said: with it, 100 cp is a chance of 57% and 1000 cp one of 95%.
pub const CENTIPAWNS: u16 = 333;
/// The largest score of the network, either way, in centipawns.
const MOST: i32 = 4_000;

/// The first line of a file of weights.
const MAGIC: &str = "kisolo-net 1";
/// The longest first line, in bytes.
const LONGEST_HEADER: usize = 256;

/// More than any file of weights has, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Inputs of a board with so many pits a side.
pub const fn inputs(pits: usize) -> usize {
    2 * pits * BUCKETS + 2
}

/// The most inputs that a position sets: all pits of both sides and two flags.
pub const MOST_INPUTS: usize = 2 * LANES + 2;

/// The inputs that a position sets, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs {
    list: [u16; MOST_INPUTS],
    count: u8,
}

impl Inputs {
    /// The inputs of a position.
    #[inline(always)]
    pub fn new<R: Rules>(position: &Position) -> Self {
        let pits = R::GEOMETRY.pits();
        let (own, enemy) = (position.own.counts(), position.enemy.counts());
        let bucket = |count: u8| u16::from(count.min(BUCKETS as u8 - 1));
        let mut list = [0; MOST_INPUTS];
        for pit in 0..pits {
            list[pit] = (pit * BUCKETS) as u16 + bucket(own[pit]);
            list[pits + pit] = ((pits + pit) * BUCKETS) as u16 + bucket(enemy[pit]);
        }
        let mut count = 2 * pits;
        if position.first != FirstPhase::NONE {
            for (flag, side) in [position.side, position.side.other()].into_iter().enumerate() {
                if position.first.contains(side) {
                    list[count] = (inputs(pits) - 2 + flag) as u16;
                    count += 1;
                }
            }
        }
        Self { list, count: count as u8 }
    }

    /// Them all.
    #[inline(always)]
    pub fn all(&self) -> &[u16] {
        &self.list[..usize::from(self.count).min(MOST_INPUTS)]
    }
}

/// The weights of one profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    profile: Profile,
    rows: Box<[[i16; HIDDEN]]>,
    bias: [i16; HIDDEN],
    output: [i16; HIDDEN],
    output_bias: i32,
    /// Centipawns for each unit of the logarithm of the odds.
    centipawns: u16,
    level: CpuLevel,
}

/// Why weights cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetError {
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The file does not begin as one of weights does.
    #[error("no net: its first line is not '{MAGIC} PROFILE SCALE CHECKSUM'")]
    Foreign,
    /// The file is shorter or longer than the weights.
    #[error("a net of {0} has {1} bytes of weights, not {2}")]
    Length(Profile, usize, usize),
    /// The weights are not those that were written.
    #[error("the weights are damaged: their checksum is wrong")]
    Damaged,
}

impl Net {
    /// A network of these quantised weights: a row for each input, the bias of
    /// the hidden units, their weights in the output, and its bias.
    pub fn new(
        profile: Profile,
        rows: Vec<[i16; HIDDEN]>,
        bias: [i16; HIDDEN],
        output: [i16; HIDDEN],
        output_bias: i32,
    ) -> Self {
        debug_assert_eq!(rows.len(), inputs(profile.geometry().pits()));
        let level = CpuLevel::best();
        Self {
            profile,
            rows: rows.into(),
            bias,
            output,
            output_bias,
            centipawns: CENTIPAWNS,
            level,
        }
    }

    /// The profile that it evaluates.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// The same network on a scale of so many centipawns for each unit of the
    /// logarithm of the odds. The margins of the search are in centipawns: the
    /// scale says how strongly it selects.
    #[must_use]
    pub fn with_scale(self, centipawns: u16) -> Self {
        Self { centipawns, ..self }
    }

    /// Centipawns for each unit of the logarithm of the odds.
    pub const fn scale(&self) -> u16 {
        self.centipawns
    }

    /// A name that tells networks apart: the checksum of the weights.
    pub fn name(&self) -> String {
        format!("{:016x}", checksum(&self.weights()))
    }

    /// The same network, evaluated with the instructions of `level`; plainly if
    /// the machine does not have them.
    #[must_use]
    pub fn at_level(self, level: CpuLevel) -> Self {
        let level = if CpuLevel::available().contains(&level) { level } else { CpuLevel::Plain };
        Self { level, ..self }
    }

    /// The score of a position in centipawns for the side to move: the same at
    /// every level.
    #[inline]
    pub fn evaluate<R: Rules>(&self, position: &Position) -> i32 {
        // Far below the range of i64.
        let output = i64::from(self.output(&Inputs::new::<R>(position)));
        let score =
            output * i64::from(self.centipawns) / (i64::from(UNIT) * i64::from(OUTPUT_UNIT));
        (score as i32).clamp(-MOST, MOST)
    }

    /// The logarithm of the odds that the side to move wins, of a position that
    /// sets these inputs: what the score is made of, without its rounding.
    pub fn log_odds(&self, inputs: &Inputs) -> f64 {
        f64::from(self.output(inputs)) / f64::from(i32::from(UNIT) * OUTPUT_UNIT)
    }

    /// The output unit, in units of `1 / (UNIT * OUTPUT_UNIT)`.
    #[inline(always)]
    fn output(&self, inputs: &Inputs) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if self.level == CpuLevel::Avx2 {
            #[expect(unsafe_code, reason = "only this level may use AVX2")]
            // SAFETY: a network has this level only on a processor that has
            // AVX2: see `at_level`.
            return unsafe { avx2::output(self, inputs) };
        }
        plain(self, inputs)
    }

    /// The file: a line with profile, scale and checksum, then the weights, all
    /// little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let weights = self.weights();
        let header =
            format!("{MAGIC} {} {} {:016x}\n", self.profile, self.centipawns, checksum(&weights));
        [header.into_bytes(), weights].concat()
    }

    /// All weights, little-endian, in the order of the file.
    fn weights(&self) -> Vec<u8> {
        let mut weights = Vec::new();
        let rows = self.rows.iter().flatten();
        for weight in rows.chain(&self.bias).chain(&self.output) {
            weights.extend_from_slice(&weight.to_le_bytes());
        }
        weights.extend_from_slice(&self.output_bias.to_le_bytes());
        weights
    }

    /// Reads a file of weights.
    ///
    /// # Errors
    /// When it cannot be read or is none.
    pub fn read(path: &Path) -> Result<Self, NetError> {
        let unreadable = |error: io::Error| NetError::Unreadable(error.to_string());
        let file = File::open(path).map_err(unreadable)?;
        if !file.metadata().map_err(unreadable)?.is_file() {
            return Err(NetError::Unreadable("no regular file".to_owned()));
        }
        let mut bytes = Vec::new();
        file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
        Self::from_bytes(&bytes)
    }

    /// Reads what [`Net::to_bytes`] made.
    ///
    /// # Errors
    /// Says why the bytes are no network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        let end = bytes.iter().take(LONGEST_HEADER).position(|&byte| byte == b'\n');
        let end = end.ok_or(NetError::Foreign)?;
        let header = std::str::from_utf8(&bytes[..end]).map_err(|_| NetError::Foreign)?;
        let words: Vec<&str> =
            header.strip_prefix(MAGIC).ok_or(NetError::Foreign)?.split_whitespace().collect();
        let &[profile, scale, sum] = words.as_slice() else { return Err(NetError::Foreign) };
        let scale = scale.parse().map_err(|_| NetError::Foreign)?;
        let profile: Profile = profile.parse().map_err(|_| NetError::Foreign)?;
        let weights = &bytes[end + 1..];
        let inputs = inputs(profile.geometry().pits());
        let length = (inputs + 2) * HIDDEN * size_of::<i16>() + size_of::<i32>();
        if weights.len() != length {
            return Err(NetError::Length(profile, length, weights.len()));
        }
        if u64::from_str_radix(sum, 16) != Ok(checksum(weights)) {
            return Err(NetError::Damaged);
        }
        let (numbers, output_bias) = weights.split_at(length - size_of::<i32>());
        let numbers: Vec<i16> =
            numbers.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
        let (rows, _) = numbers.as_chunks::<HIDDEN>();
        let output_bias = output_bias.first_chunk().map_or(0, |&bytes| i32::from_le_bytes(bytes));
        let rows = rows.to_vec();
        let (bias, output) = (rows[inputs], rows[inputs + 1]);
        let rows = rows[..inputs].to_vec();
        Ok(Self::new(profile, rows, bias, output, output_bias).with_scale(scale))
    }
}

/// FNV-1a, 64 bits: enough against damage, no more is claimed.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The output unit by the definition: what every level has to give.
fn plain(net: &Net, inputs: &Inputs) -> i32 {
    let mut hidden = net.bias;
    for &input in inputs.all() {
        for (unit, weight) in hidden.iter_mut().zip(&net.rows[usize::from(input)]) {
            *unit = unit.wrapping_add(*weight);
        }
    }
    let product =
        |(unit, weight): (&i16, &i16)| i32::from((*unit).clamp(0, UNIT)) * i32::from(*weight);
    net.output_bias + hidden.iter().zip(&net.output).map(product).sum::<i32>()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::board::Lanes;
    use crate::rules::{Isolo, Kisolo};

    fn random(profile: Profile) -> Net {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut row = |most: i16| std::array::from_fn(|_| rng.random_range(-most..=most));
        let inputs = inputs(profile.geometry().pits());
        let rows = (0..inputs).map(|_| row(200)).collect();
        Net::new(profile, rows, row(300), row(100), -77)
    }

    /// The same by its definition, in whole numbers.
    fn reference<R: Rules>(net: &Net, position: &Position) -> i32 {
        let mut hidden = net.bias.map(i64::from);
        for &input in Inputs::new::<R>(position).all() {
            for (unit, weight) in hidden.iter_mut().zip(net.rows[usize::from(input)]) {
                *unit += i64::from(weight);
            }
        }
        let products =
            hidden.iter().zip(net.output).map(|(&unit, w)| unit.clamp(0, 255) * i64::from(w));
        let sum = products.sum::<i64>() + i64::from(net.output_bias);
        ((sum * 333 / (255 * 64)) as i32).clamp(-MOST, MOST)
    }

    fn agrees<R: Rules>() {
        let net = random(R::PROFILE);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        for number in 0..500 {
            let mut side = || {
                let mut counts = [0u8; LANES];
                for count in &mut counts[..R::GEOMETRY.pits()] {
                    *count = rng.random_range(0..20);
                }
                Lanes::new(counts)
            };
            let first = [FirstPhase::NONE, FirstPhase::BOTH][number % 2];
            let position = Position::new(side(), side(), crate::board::Side::North, first);
            let want = reference::<R>(&net, &position);
            for &level in CpuLevel::available() {
                let net = net.clone().at_level(level);
                assert_eq!(net.evaluate::<R>(&position), want, "{level:?}");
            }
        }
    }

    #[test]
    fn every_level_agrees_with_the_definition() {
        agrees::<Kisolo>();
        agrees::<Isolo>();
    }

    #[test]
    fn files_are_read_back_and_foreign_ones_refused() {
        let net = random(Profile::Kisolo);
        let net = net.with_scale(500);
        let bytes = net.to_bytes();
        assert_eq!(Net::from_bytes(&bytes), Ok(net));
        let mut damaged = bytes.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert_eq!(Net::from_bytes(&damaged), Err(NetError::Damaged));
        let cut = Net::from_bytes(&bytes[..bytes.len() - 2]);
        assert!(matches!(cut, Err(NetError::Length(Profile::Kisolo, 28932, 28930))), "{cut:?}");
        for foreign in [&b""[..], b"\n", b"kisolo-net 1 chess 1 0\n", b"kisolo-net 2 kisolo 1 0\n"]
        {
            assert_eq!(Net::from_bytes(foreign), Err(NetError::Foreign));
        }
        assert_eq!(Net::from_bytes(&[b'x'; 1000]), Err(NetError::Foreign));
    }
}
