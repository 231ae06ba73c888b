//! The tables of levels: which strength has which rating.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Strength;
use crate::rules::Profile;

/// The rating of the weakest level: that of the random mover, by which the
/// scale is anchored.
pub const LOWEST: u32 = 400;
/// The distance between two levels of a table.
pub const STEP: u32 = 100;

/// The files of `levels/`, in the order of [`Profile::ALL`].
const FILES: [&str; Profile::ALL.len()] = [
    include_str!("../../levels/kisolo.json"),
    include_str!("../../levels/kisolo-free.json"),
    include_str!("../../levels/kisolo-full.json"),
    include_str!("../../levels/isolo.json"),
];

/// One level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// Its nominal rating.
    pub elo: u32,
    /// The number of its [`Strength`].
    pub strength: f64,
    /// The rating that games gave it which were not used to find the strength.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<f64>,
    /// Half the 95% interval of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// The number of those games.
    #[serde(default)]
    pub games: u64,
}

/// The levels of a profile, and where they come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelTable {
    /// The profile.
    pub profile: String,
    /// The version of the engine that played.
    pub engine: String,
    /// The commit of that version, if it was told.
    pub commit: String,
    /// The network that judged positions.
    pub net: String,
    /// The seed of the games that found the strengths.
    pub seed: u64,
    /// The number of those games.
    pub games: u64,
    /// The seed of the games that measured the levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_seed: Option<u64>,
    /// The levels, weakest first.
    pub levels: Vec<Level>,
}

/// Why a text is no table of levels.
#[derive(Debug, Error)]
pub enum TableError {
    /// It is none at all.
    #[error("no table of levels: {0}")]
    Json(#[from] serde_json::Error),
    /// It belongs to no profile, or to another one.
    #[error("a table of levels of '{found}', not of {wanted}")]
    Profile {
        /// The name in the table.
        found: String,
        /// The profile that was wanted.
        wanted: Profile,
    },
    /// The levels are not what they should be.
    #[error(
        "levels begin with {LOWEST} at strength 0 and grow, both the ratings and the strengths"
    )]
    Levels,
}

impl LevelTable {
    /// Reads the table of a profile.
    ///
    /// # Errors
    /// Says what is wrong with the text.
    pub fn parse(profile: Profile, text: &str) -> Result<Self, TableError> {
        let table: Self = serde_json::from_str(text)?;
        if table.profile != profile.name() {
            return Err(TableError::Profile { found: table.profile, wanted: profile });
        }
        let grows =
            |pair: &[Level]| pair[0].elo < pair[1].elo && pair[0].strength < pair[1].strength;
        let first = table.levels.first();
        let begins = first.is_some_and(|level| level.elo == LOWEST && level.strength == 0.0);
        let ends = table.levels.last().is_some_and(|level| level.strength <= 1.0);
        if !begins || !ends || !table.levels.windows(2).all(grows) {
            return Err(TableError::Levels);
        }
        Ok(table)
    }

    /// The rating of the strongest level.
    pub fn highest(&self) -> u32 {
        self.levels.last().map_or(LOWEST, |level| level.elo)
    }

    /// The strength of a rating, between two levels by interpolation; that of
    /// the nearest level outside the range.
    pub fn strength(&self, elo: u32) -> Strength {
        let above = self.levels.iter().position(|level| level.elo >= elo);
        let number = match above {
            None => self.levels.last().map_or(0.0, |level| level.strength),
            Some(0) => 0.0,
            Some(above) => {
                let (low, high) = (self.levels[above - 1], self.levels[above]);
                let part = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
                low.strength + part * (high.strength - low.strength)
            }
        };
        Strength::new(number)
    }
}

/// The table of a profile that is part of the program.
pub fn built_in(profile: Profile) -> &'static LevelTable {
    static TABLES: LazyLock<Vec<LevelTable>> = LazyLock::new(|| {
        let read = |(profile, text)| match LevelTable::parse(profile, text) {
            Ok(table) => table,
            // A test reads them all: none fails.
            Err(error) => unreachable!("levels of {profile}: {error}"),
        };
        Profile::ALL.into_iter().zip(FILES).map(read).collect()
    });
    &TABLES[profile as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_has_its_table() {
        for profile in Profile::ALL {
            let table = built_in(profile);
            assert_eq!(table.profile, profile.name());
            assert!(table.highest() >= 1000, "{profile}: up to {}", table.highest());
            assert!(table.levels.windows(2).all(|pair| pair[1].elo - pair[0].elo == STEP));
        }
    }

    #[test]
    fn values_between_levels_are_interpolated() {
        let level = |elo, strength| Level { elo, strength, measured: None, error: None, games: 0 };
        let table = LevelTable {
            levels: vec![level(400, 0.0), level(500, 0.2), level(600, 0.3)],
            ..built_in(Profile::Kisolo).clone()
        };
        for (elo, want) in [(0, 0.0), (400, 0.0), (450, 0.1), (500, 0.2), (575, 0.275), (9999, 0.3)]
        {
            assert!((table.strength(elo).number() - want).abs() < 1e-12, "{elo}");
        }
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let good = serde_json::to_value(built_in(Profile::Kisolo)).unwrap();
        let parse = |value: &serde_json::Value| {
            LevelTable::parse(Profile::Kisolo, &value.to_string()).map_err(|e| e.to_string())
        };
        assert!(parse(&good).is_ok());
        for (pointer, value, part) in [
            ("/profile", "isolo".into(), "of 'isolo'"),
            ("/levels/0/elo", 300.into(), "begin with 400"),
            ("/levels/3/strength", 0.0.into(), "grow"),
            ("/levels", serde_json::Value::Array(Vec::new()), "begin with 400"),
            ("/seed", "x".into(), "no table"),
        ] {
            let mut bad = good.clone();
            *bad.pointer_mut(pointer).unwrap() = value;
            let error = parse(&bad).unwrap_err();
            assert!(error.contains(part), "{pointer}: {error}");
        }
    }
}
