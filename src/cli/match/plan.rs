//! The match that a command line describes.

use std::hash::Hasher;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::ArgMatches;

use super::{Arguments, FormatArgument};
use crate::arena::{
    Adjudication, EngineSpec, Format, Limit, Log, MOST_TIE_GAMES, Match, Opening, Openings,
};
use crate::cli::engines;
use crate::cli::openings::{self, Maker, Recipe};
use crate::cli::running::cores;
use crate::cli::tied::tie;
use crate::levels::{LOWEST, Strength, built_in};

/// The depth of the search that judges openings at random.
const RANDOM_DEPTH: u32 = 6;
/// A match has no more openings at random than this; they begin anew.
const MOST_OPENINGS: u64 = 20_000;

/// The match that the arguments describe.
pub fn plan(arguments: &Arguments, matches: &ArgMatches) -> anyhow::Result<Match> {
    let profile = arguments.profile.profile;
    let engines = field(arguments, matches)?;
    let demonstration =
        arguments.config.is_none() && arguments.engine.is_empty() && arguments.elo.is_empty();
    let rounds = arguments.rounds.unwrap_or(if demonstration { 10 } else { 50 });
    let format = match arguments.format {
        FormatArgument::RoundRobin => Format::RoundRobin,
        FormatArgument::Knockout if arguments.shard.1 > 1 => {
            bail!("--shard: the games of a knockout depend on each other")
        }
        FormatArgument::Knockout if rounds * arguments.games > MOST_TIE_GAMES => bail!(
            "--rounds {rounds} --games {}: a knockout has at most {MOST_TIE_GAMES} games in a tie",
            arguments.games
        ),
        FormatArgument::Knockout => Format::Knockout,
        FormatArgument::Gauntlet if (1..engines.len()).contains(&arguments.challengers) => {
            Format::Gauntlet(arguments.challengers)
        }
        FormatArgument::Gauntlet => bail!(
            "--challengers {}: a gauntlet of {} engines has 1 to {}",
            arguments.challengers,
            engines.len(),
            engines.len() - 1
        ),
    };
    let concurrency = arguments.concurrency.unwrap_or_else(|| cores().saturating_sub(1)).max(1);
    let log = match &arguments.log {
        Some(path) => Log::append(path, arguments.log_traffic)
            .with_context(|| format!("log {}", path.display()))?,
        None => Log::none(),
    };
    let (openings, identity) = openings_of(arguments, rounds)?;
    let mut plan = Match {
        event: String::new(),
        profile,
        engines,
        openings: Arc::new(openings),
        seed: arguments.seed,
        format,
        rounds,
        games: arguments.games,
        shard: arguments.shard,
        concurrency,
        rules: Adjudication {
            margin: Duration::from_millis(arguments.margin),
            repetition: !arguments.no_repetition,
            turn_limit: arguments.turn_limit,
            draw: arguments.draw,
            resign: arguments.resign,
        },
        recover: arguments.recover,
        verify: arguments.verify,
        log: Arc::new(log),
    };
    plan.event = format!("{}-{:016x}", arguments.event, fingerprint(&plan, &identity));
    for spec in &mut plan.engines {
        let spec = Arc::make_mut(spec);
        spec.command = tie(&spec.command);
    }
    Ok(plan)
}

/// A hash of all that decides which games a match has, so that it is not
/// resumed with something else. Rounds may be added, and shards and speed
/// may differ.
fn fingerprint(plan: &Match, openings: &str) -> u64 {
    let text = format!(
        "{:?}{:?}{}{:?}{}{:?}",
        plan.profile, plan.engines, plan.seed, plan.format, plan.games, plan.rules
    );
    // Fixed keys: the hash is compared with those of other runs.
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.write(openings.as_bytes());
    hasher.finish()
}

/// The settings of this program at a level, with a limit if there is none: a
/// level has its own.
fn level(elo: u32, unlimited: bool) -> Vec<(String, String)> {
    let mut settings = vec![
        ("name", format!("level-{elo}")),
        ("option.UCI_LimitStrength", "true".to_owned()),
        ("option.UCI_Elo", elo.to_string()),
        ("option.Hash", "1".to_owned()),
    ];
    if unlimited {
        settings.push(("nodes", Strength::MOST.nodes().to_string()));
    }
    settings.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The engines: from the file, the command line, or this program against a
/// weaker setting of itself.
fn field(arguments: &Arguments, matches: &ArgMatches) -> anyhow::Result<Vec<Arc<EngineSpec>>> {
    let each = engines::settings(&arguments.each)?;
    let mut all = match &arguments.config {
        Some(path) => engines::read(path)?,
        None => Vec::new(),
    };
    for group in matches.get_occurrences::<String>("engine").into_iter().flatten() {
        all.push(engines::settings(group)?);
    }
    let highest = built_in(arguments.profile.profile).highest();
    for &elo in &arguments.elo {
        if !(LOWEST..=highest).contains(&elo) {
            let profile = arguments.profile.profile;
            bail!("--elo {elo}: the levels of {profile} are {LOWEST} to {highest}");
        }
        all.push(level(elo, !each.iter().any(|(key, _)| Limit::knows(key))));
    }
    if all.is_empty() {
        for (name, nodes) in [("kisolo", "20000"), ("kisolo-weaker", "1000")] {
            let pairs = [("name", name), ("nodes", nodes), ("option.Hash", "16")];
            all.push(pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).to_vec());
        }
    }
    let specs: anyhow::Result<Vec<EngineSpec>> = all
        .into_iter()
        .map(|settings| engines::engine(&[each.clone(), settings].concat()))
        .collect();
    engines::field(specs?)
}

/// The openings: from a file, or made at random; and what tells them from
/// others.
fn openings_of(arguments: &Arguments, rounds: u64) -> anyhow::Result<(Openings, String)> {
    let profile = arguments.profile.profile;
    let Arguments { start: name, plies, balance, seed, .. } = arguments;
    if let Some(path) = &arguments.openings {
        let mut all = openings::read(profile, path)?;
        if !arguments.in_order {
            openings::shuffle(&mut all, *seed);
        }
        let identity = format!("{all:?}");
        let openings = Openings::new(all.len() as u64, all.into_iter());
        return Ok((openings.context("there is no opening")?, identity));
    }
    let start = profile.start(name).ok_or_else(|| {
        let names = profile.start_names().join(", ");
        anyhow!("--start {name}: {profile} has {names}")
    })?;
    // More rounds have more of them, so their number is left out.
    let identity = format!("{name}/{plies}/{balance}");
    let openings = if *plies == 0 {
        Openings::new(1, std::iter::once(Opening { start, moves: Vec::new() }))
    } else {
        let recipe =
            Recipe { profile, start, plies: *plies, depth: RANDOM_DEPTH, balance: *balance };
        let wanted = (rounds * arguments.games.div_ceil(2)).min(MOST_OPENINGS);
        Openings::new(wanted, Maker::new(recipe, *seed)?.map(|(opening, _, _)| opening))
    };
    let none = || anyhow!("no opening of {plies} turns is even to {balance} cp");
    Ok((openings.ok_or_else(none)?, identity))
}
