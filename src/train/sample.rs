//! Samples: positions of games with the score of a search and the result, and
//! the files ("shards") they are kept in.
//!
//! A shard begins with one line of JSON, [`Header`], and goes on with samples
//! of 42 bytes to its end; numbers are little-endian.

use std::io::{self, BufRead, Read, Write};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use zerocopy::little_endian::{I16, U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use crate::board::{FirstPhase, LANES, Lanes, Position, Side};
use crate::rules::Profile;

/// The first word of every shard.
pub const MAGIC: &str = "kisolo-samples";
/// The version of the format.
pub const VERSION: u32 = 1;
/// The longest header that is read, in bytes.
const LONGEST_HEADER: u64 = 4096;

/// What a shard is, and how it was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`MAGIC`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The profile that was played.
    pub profile: String,
    /// The version of the program that made it.
    pub engine: String,
    /// The net that played, or `seeds`.
    pub eval: String,
    /// Nodes a turn.
    pub nodes: u64,
    /// The seed of all shards.
    pub seed: u64,
    /// The number of this one.
    pub shard: u32,
    /// Its games.
    pub games: u32,
}

/// One position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct Sample {
    own: [u8; LANES],
    enemy: [u8; LANES],
    game: U32,
    score: I16,
    ply: U16,
    first: u8,
    result: u8,
}

impl Sample {
    /// A position at a ply of a game, with its score in centipawns for the
    /// side to move. The result is not known yet.
    pub fn new(position: &Position, game: u32, ply: u16, score: i16) -> Self {
        let own = u8::from(position.first.contains(position.side));
        let enemy = u8::from(position.first.contains(position.side.other()));
        Self {
            own: position.own.counts(),
            enemy: position.enemy.counts(),
            game: game.into(),
            score: score.into(),
            ply: ply.into(),
            first: own | enemy << 1,
            result: 1,
        }
    }

    /// The position, turned so that South is to move.
    pub fn position(&self) -> Position {
        let first = match self.first {
            0 => FirstPhase::NONE,
            1 => FirstPhase::only(Side::South),
            2 => FirstPhase::only(Side::North),
            _ => FirstPhase::BOTH,
        };
        Position::new(Lanes::new(self.own), Lanes::new(self.enemy), Side::South, first)
    }

    /// The game, numbered through all shards of one seed.
    pub fn game(&self) -> u32 {
        self.game.get()
    }

    /// Gives its game another number.
    pub fn set_game(&mut self, game: u32) {
        self.game = game.into();
    }

    /// The moves before it.
    pub fn ply(&self) -> u16 {
        self.ply.get()
    }

    /// The score in centipawns for the side to move.
    pub fn score(&self) -> i16 {
        self.score.get()
    }

    /// How the game ended for the side to move: 0 lost, 1 drawn, 2 won.
    pub const fn result(&self) -> u8 {
        self.result
    }

    /// Says how the game ended for the side to move.
    pub const fn set_result(&mut self, result: u8) {
        self.result = result;
    }
}

/// Why a shard cannot be read.
#[derive(Debug, Error)]
pub enum ShardError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no shard, or one of another version.
    #[error("no shard of samples: {0}")]
    Header(String),
    /// It ends within a sample, or holds an impossible one.
    #[error("sample {0} is cut off or damaged")]
    Sample(usize),
}

/// Writes a shard.
///
/// # Errors
/// When the output fails.
pub fn write(output: &mut dyn Write, header: &Header, samples: &[Sample]) -> io::Result<()> {
    serde_json::to_writer(&mut *output, header)?;
    output.write_all(b"\n")?;
    output.write_all(samples.as_bytes())
}

/// Reads a shard.
///
/// # Errors
/// When it cannot be read or is none.
pub fn read(mut input: impl BufRead) -> Result<(Header, Profile, Vec<Sample>), ShardError> {
    let mut line = Vec::new();
    (&mut input).take(LONGEST_HEADER).read_until(b'\n', &mut line)?;
    let header: Header = serde_json::from_slice(&line)
        .map_err(|_| ShardError::Header("its first line is no header".to_owned()))?;
    if header.format != MAGIC || header.version != VERSION {
        let text = format!("{} version {}", header.format, header.version);
        return Err(ShardError::Header(format!("{text:?}, not {MAGIC} version {VERSION}")));
    }
    let profile: Profile = header
        .profile
        .parse()
        .map_err(|error: crate::rules::UnknownProfile| ShardError::Header(error.to_string()))?;
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let (whole, rest) = bytes.as_chunks::<{ size_of::<Sample>() }>();
    let mut samples = Vec::with_capacity(whole.len());
    for (number, bytes) in whole.iter().enumerate() {
        let sample: Sample = zerocopy::transmute!(*bytes);
        let seeds: u32 = sample.own.iter().chain(&sample.enemy).map(|&n| u32::from(n)).sum();
        if seeds > profile.seeds() || sample.first > 3 || sample.result > 2 {
            return Err(ShardError::Sample(number + 1));
        }
        samples.push(sample);
    }
    if !rest.is_empty() {
        return Err(ShardError::Sample(whole.len() + 1));
    }
    Ok((header, profile, samples))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            format: MAGIC.to_owned(),
            version: VERSION,
            profile: "isolo".to_owned(),
            engine: "0".to_owned(),
            eval: "seeds".to_owned(),
            nodes: 1,
            seed: 2,
            shard: 3,
            games: 4,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut position = Profile::Isolo.start_position();
        position.first = FirstPhase::only(position.side.other());
        let mut sample = Sample::new(&position, 7, 9, -250);
        sample.set_result(2);
        let mut bytes = Vec::new();
        write(&mut bytes, &header(), &[sample; 3]).unwrap();
        let (read_header, profile, samples) = read(bytes.as_slice()).unwrap();
        assert_eq!((read_header, profile), (header(), Profile::Isolo));
        assert_eq!(samples, [sample; 3]);
        assert_eq!(samples[0].position(), position);
        let parts = (sample.game(), sample.ply(), sample.score(), sample.result());
        assert_eq!(parts, (7, 9, -250, 2));
    }

    #[test]
    fn foreign_and_damaged_files_are_refused() {
        let sample = Sample::new(&Profile::Isolo.start_position(), 7, 9, 0);
        let mut bytes = Vec::new();
        write(&mut bytes, &header(), &[sample; 2]).unwrap();
        let cut = &bytes[..bytes.len() - 1];
        assert!(matches!(read(cut), Err(ShardError::Sample(2))));
        let text = String::from_utf8_lossy(&bytes[..bytes.len() - 84]).into_owned();
        for (from, to) in [("version\":1", "version\":9"), ("isolo\"", "chess\""), ("{", "[")] {
            let other = text.replacen(from, to, 1);
            assert!(matches!(read(other.as_bytes()), Err(ShardError::Header(_))), "{to}");
        }
        let last = bytes.len() - 1;
        bytes[last] = 3;
        assert!(matches!(read(bytes.as_slice()), Err(ShardError::Sample(2))));
        assert!(read(&b""[..]).is_err());
    }
}
