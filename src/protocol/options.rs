//! The options: what they are called, what they take, and what they do.

use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

use crate::board::quoted;
use crate::engine::{
    Algorithm, DEFAULT_ELO, DEFAULT_HASH_MIB, DEFAULT_OVERHEAD, Engine, LOWEST_ELO,
    MAX_BOOK_VARIETY, MAX_HASH_MIB, MAX_SEED, MAX_SKILL, MAX_THREADS, Params, Tunable,
};
use crate::rules::{Game, MAX_TURNS, Profile};

/// The largest turn limit.
const MAX_TURN_LIMIT: i64 = 1_000_000;

/// The values of `Evaluation`: a network, or the difference of seeds.
const NET: &str = "net";
const SEEDS: &str = "seeds";

/// The option whose range ends where the levels of the profile do.
const ELO: &str = "UCI_Elo";

/// How UCI writes a string without characters.
const EMPTY: &str = "<empty>";

/// What an option takes.
#[derive(Clone, Copy)]
enum Kind {
    Check {
        default: bool,
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    Profile,
    /// A text, by default none.
    Text,
    Search,
    /// One of these, the first of which is the default.
    Choice(&'static [&'static str]),
    Button,
}

/// The options by their names, in the order in which they are announced.
const OPTIONS: [(&str, Kind); 20] = [
    ("UCI_Variant", Kind::Profile),
    ("Search", Kind::Search),
    ("Evaluation", Kind::Choice(&[NET, SEEDS])),
    ("EvalFile", Kind::Text),
    ("Hash", Kind::Spin { default: DEFAULT_HASH_MIB as i64, min: 1, max: MAX_HASH_MIB as i64 }),
    ("Threads", Kind::Spin { default: 1, min: 1, max: MAX_THREADS as i64 }),
    ("Clear Hash", Kind::Button),
    ("Ponder", Kind::Check { default: false }),
    ("MultiPV", Kind::Spin { default: 1, min: 1, max: MAX_TURNS as i64 }),
    (
        "Move Overhead",
        Kind::Spin { default: DEFAULT_OVERHEAD.as_millis() as i64, min: 0, max: 5000 },
    ),
    ("Turn Limit", Kind::Spin { default: 0, min: 0, max: MAX_TURN_LIMIT }),
    ("UCI_AnalyseMode", Kind::Check { default: false }),
    ("UCI_ShowWDL", Kind::Check { default: false }),
    ("UCI_LimitStrength", Kind::Check { default: false }),
    (ELO, Kind::Spin { default: DEFAULT_ELO as i64, min: LOWEST_ELO as i64, max: i64::MAX }),
    ("Skill Level", Kind::Spin { default: MAX_SKILL as i64, min: 0, max: MAX_SKILL as i64 }),
    ("Seed", Kind::Spin { default: 0, min: 0, max: MAX_SEED as i64 }),
    ("OwnBook", Kind::Check { default: false }),
    ("BookFile", Kind::Text),
    ("Book Variety", Kind::Spin { default: 0, min: 0, max: MAX_BOOK_VARIETY as i64 }),
];

/// A value that an option accepted.
enum Value {
    Check(bool),
    Spin(i64),
    Profile(Profile),
    Text(String),
    Search(Algorithm),
    Choice(&'static str),
    Button,
}

/// The option that a constant of the search is for those who tune it.
fn tunable_kind(tunable: &Tunable) -> Kind {
    Kind::Spin { default: tunable.default.into(), min: tunable.min.into(), max: tunable.max.into() }
}

/// The kind of an option, as far as its range depends on the profile.
fn in_profile(name: &str, kind: &Kind, engine: &Engine) -> Kind {
    match *kind {
        Kind::Spin { default, min, .. } if name == ELO => {
            Kind::Spin { default, min, max: engine.highest_elo().into() }
        }
        kind => kind,
    }
}

/// The lines that announce the options of a session.
pub fn announcements(engine: &Engine, session: &SessionOptions) -> Vec<String> {
    let tunables = session.tunables().iter().map(|t| announcement(t.name, &tunable_kind(t)));
    let option = |(name, kind): &(&str, Kind)| announcement(name, &in_profile(name, kind, engine));
    OPTIONS.iter().map(option).chain(tunables).collect()
}

fn announcement(name: &str, kind: &Kind) -> String {
    let kind = match kind {
        Kind::Check { default } => format!("check default {default}"),
        Kind::Spin { default, min, max } => format!("spin default {default} min {min} max {max}"),
        Kind::Profile => combo(&Profile::ALL),
        Kind::Search => combo(&Algorithm::ALL),
        Kind::Choice(names) => combo(names),
        Kind::Text => format!("string default {EMPTY}"),
        Kind::Button => "button".to_owned(),
    };
    format!("option name {name} type {kind}")
}

/// A choice among these, the first of which is the default.
fn combo(values: &[impl Display]) -> String {
    let vars: String = values.iter().map(|value| format!(" var {value}")).collect();
    format!("combo default {}{vars}", values[0])
}

/// What options outside the engine set.
#[derive(Debug, Default)]
pub struct SessionOptions {
    /// Moves after which a game counts as drawn in `query`; 0 for never.
    pub turn_limit: usize,
    /// Whether the constants of the search are options, too.
    pub show_tunables: bool,
    /// Whether scores come with the chances to win, draw and lose.
    pub show_wdl: bool,
}

impl SessionOptions {
    /// The constants of the search that are options of this session.
    const fn tunables(&self) -> &'static [Tunable] {
        if self.show_tunables { Params::ALL } else { &[] }
    }
}

/// Sets an option from the words behind `setoption`. Returns whether the
/// game was put back to its start.
///
/// # Errors
/// Says what is wrong and what is accepted; nothing has changed then.
pub fn set(
    engine: &mut Engine,
    session: &mut SessionOptions,
    words: &[&str],
) -> Result<bool, String> {
    let (name, value) = split(words)?;
    if let Some(tunable) = session.tunables().iter().find(|tunable| tunable.name == name) {
        if let Value::Spin(number) = parse(tunable.name, &tunable_kind(tunable), value.as_deref())?
        {
            // The range of a constant is one of i32.
            tunable.set(&mut engine.settings.params, number as i32);
        }
        return Ok(false);
    }
    let (name, kind) =
        OPTIONS.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name)).ok_or_else(|| {
            let known: Vec<&str> = OPTIONS.iter().map(|(name, _)| *name).collect();
            format!("no option '{}'; the options are {}", quoted(&name), known.join(", "))
        })?;
    let value = parse(name, &in_profile(name, kind, engine), value.as_deref())?;
    match (*name, value) {
        ("UCI_Variant", Value::Profile(profile)) => {
            if profile == engine.game().profile() {
                return Ok(false);
            }
            // Nothing learned in one profile is true in another.
            engine.clear().map_err(|e| e.to_string())?;
            let game = Game::new(profile, profile.start_position());
            engine.set_game(game).map_err(|e| e.to_string())?;
            return Ok(true);
        }
        ("Search", Value::Search(algorithm)) => {
            engine.set_algorithm(algorithm).map_err(|e| e.to_string())?;
        }
        ("Hash", Value::Spin(mib)) => {
            engine.resize(mib as usize).map_err(|e| e.to_string())?;
        }
        ("Evaluation", Value::Choice(name)) => {
            engine.judge_by_seeds(name == SEEDS).map_err(|e| e.to_string())?;
        }
        ("EvalFile", Value::Text(file)) => {
            let path = (!file.is_empty()).then(|| Path::new(&file));
            let opened = engine.open_net(path);
            opened.map_err(|error| format!("network {}: {error}", quoted(&file)))?;
        }
        ("Clear Hash", _) => engine.clear().map_err(|e| e.to_string())?,
        ("MultiPV", Value::Spin(lines)) => engine.settings.multi_pv = lines as usize,
        ("Threads", Value::Spin(threads)) => engine.settings.threads = threads as usize,
        ("Move Overhead", Value::Spin(ms)) => {
            engine.settings.overhead = Duration::from_millis(ms.unsigned_abs());
        }
        ("Turn Limit", Value::Spin(turns)) => session.turn_limit = turns as usize,
        ("UCI_AnalyseMode", Value::Check(on)) => engine.settings.analyse = on,
        ("UCI_ShowWDL", Value::Check(on)) => session.show_wdl = on,
        ("UCI_LimitStrength", Value::Check(on)) => engine.settings.limit_strength = on,
        (ELO, Value::Spin(elo)) => engine.settings.elo = elo as u32,
        ("Skill Level", Value::Spin(skill)) => engine.settings.skill = skill as u32,
        ("Seed", Value::Spin(seed)) => engine.settings.seed = seed.unsigned_abs(),
        ("OwnBook", Value::Check(on)) => engine.settings.own_book = on,
        ("BookFile", Value::Text(file)) => {
            let path = (!file.is_empty()).then(|| Path::new(&file));
            let opened = engine.open_book(path);
            opened.map_err(|error| format!("book {}: {error}", quoted(&file)))?;
        }
        ("Book Variety", Value::Spin(cp)) => engine.settings.book_variety = cp as u32,
        // Pondering is asked for by `go`.
        _ => {}
    }
    Ok(false)
}

/// The name and value in `name … [value …]`; both may hold spaces.
fn split(words: &[&str]) -> Result<(String, Option<String>), String> {
    let Some((&"name", rest)) = words.split_first() else {
        return Err("setoption is written 'setoption name NAME [value VALUE]'".to_owned());
    };
    let end = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
    if end == 0 {
        return Err("setoption is written 'setoption name NAME [value VALUE]'".to_owned());
    }
    let value = rest.get(end + 1..).map(|words| words.join(" "));
    Ok((rest[..end].join(" "), value))
}

fn parse(name: &str, kind: &Kind, value: Option<&str>) -> Result<Value, String> {
    let given = value.map_or_else(|| "nothing".to_owned(), |value| format!("'{}'", quoted(value)));
    match kind {
        Kind::Button => Ok(Value::Button),
        Kind::Text => match value {
            Some("") | None => Err(format!("option {name} takes a text or {EMPTY}, not {given}")),
            Some(EMPTY) => Ok(Value::Text(String::new())),
            Some(text) => Ok(Value::Text(text.to_owned())),
        },
        Kind::Check { .. } => match value {
            Some(value) if value.eq_ignore_ascii_case("true") => Ok(Value::Check(true)),
            Some(value) if value.eq_ignore_ascii_case("false") => Ok(Value::Check(false)),
            _ => Err(format!("option {name} takes true or false, not {given}")),
        },
        Kind::Spin { min, max, .. } => value
            .and_then(|value| value.parse().ok())
            .filter(|number| (min..=max).contains(&number))
            .map(Value::Spin)
            .ok_or_else(|| {
                format!("option {name} takes a whole number from {min} to {max}, not {given}")
            }),
        Kind::Profile => value
            .ok_or_else(|| format!("option {name} takes a profile, not {given}"))?
            .parse()
            .map(Value::Profile)
            .map_err(|error: crate::rules::UnknownProfile| error.to_string()),
        Kind::Choice(names) => names
            .iter()
            .find(|name| value.is_some_and(|value| name.eq_ignore_ascii_case(value)))
            .map(|name| Value::Choice(name))
            .ok_or_else(|| format!("option {name} takes {}, not {given}", names.join(" or "))),
        Kind::Search => value
            .and_then(|value| value.parse().ok())
            .map(Value::Search)
            .ok_or_else(|| format!("option {name} takes alphabeta, mcts or uct, not {given}")),
    }
}
