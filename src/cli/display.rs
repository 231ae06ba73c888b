//! What people and programs see of a match while it is played.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::{standings, warn};
use crate::arena::{Disagreement, Ending, Match, Tally};
use crate::rating::{Sprt, Verdict};
use crate::record::GameRecord;

/// How often the times of a match are shown anew.
const TICK: Duration = Duration::from_secs(1);

/// The live view of a match, and the figures behind it.
pub struct Display {
    tally: Tally,
    names: Vec<String>,
    test: Option<Sprt>,
    paired: bool,
    bar: Option<ProgressBar>,
    quiet: bool,
    json: bool,
}

impl Display {
    /// A view of a match that has not begun.
    pub fn new(plan: &Match, test: Option<Sprt>, quiet: bool, json: bool) -> Self {
        let live = !quiet && !json && std::io::stderr().is_terminal();
        Self {
            tally: Tally::default(),
            names: plan.engines.iter().map(|spec| spec.name.clone()).collect(),
            test,
            paired: plan.games.is_multiple_of(2),
            bar: live.then(|| ProgressBar::new(0)),
            quiet,
            json,
        }
    }

    /// The schedule is known: so many games, so many of them played before.
    pub fn begin(&self, total: u64, done: u64) {
        if let Some(bar) = &self.bar {
            let style = ProgressStyle::with_template(
                "{wide_bar} {pos}/{len} games, {elapsed} so far, {eta} to go\n{msg}",
            );
            // The template is fixed; a wrong one would show in any run.
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_length(total);
            bar.set_position(done);
            // A match that makes openings for its next game is seen to be alive.
            bar.enable_steady_tick(TICK);
        }
    }

    /// What the sequential test says, if there is one.
    pub fn verdict(&self) -> Verdict {
        let (Some(test), [a, b]) = (&self.test, self.names.as_slice()) else {
            return Verdict::Continue;
        };
        let (games, pairs) = self.tally.meeting(a, b);
        standings::sprt(test, &games, &pairs, self.paired).1
    }

    /// Something that is worth a line.
    pub fn note(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None if self.json => self.event(&serde_json::json!({"event": "note", "text": text})),
            None => warn(text),
        }
    }

    /// A game has begun.
    pub fn started(&self, game: u64) {
        if self.json {
            self.event(&serde_json::json!({"event": "started", "game": game}));
        }
    }

    /// Counts a game that was played before.
    pub fn count(&mut self, record: &GameRecord) {
        self.tally.add(record);
    }

    /// A game has ended.
    pub fn finished(&mut self, record: &GameRecord) {
        self.count(record);
        let games = self.tally.games();
        if self.json {
            self.event(&serde_json::json!({"event": "finished", "record": record}));
        } else if let Some(bar) = &self.bar {
            bar.set_position(games);
            bar.set_message(self.state());
        } else if !self.quiet && games.is_power_of_two() | games.is_multiple_of(100) {
            let state = self.state().replace('\n', "; ");
            let _ = writeln!(std::io::stdout(), "{games} games: {state}");
        }
        if record.reason.is_fault() {
            let note = record.note.as_deref().unwrap_or_default();
            self.note(&format!("game {}: {} ({note})", record.game, record.reason.word()));
        }
    }

    /// An engine sees the rules in another way.
    pub fn disagreement(&self, found: &Disagreement) {
        self.note(&format!(
            "{} answers query {} with '{}', the rules say '{}': {}",
            found.engine, found.query, found.theirs, found.ours, found.position
        ));
    }

    /// The state in a few words.
    fn state(&self) -> String {
        match self.names.as_slice() {
            [a, b] => standings::head_to_head(&self.tally, a, b, self.test.as_ref(), self.paired),
            names => standings::table(&self.tally, names),
        }
    }

    fn event(&self, value: &serde_json::Value) {
        // A reader that has gone does not end the match.
        let _ = writeln!(std::io::stdout(), "{value}");
    }

    /// The match has ended.
    ///
    /// # Errors
    /// When nothing can be printed.
    pub fn end(&self, plan: &Match, ending: &Ending, accepted: bool) -> anyhow::Result<()> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let verdict = match (self.verdict(), &self.test) {
            (Verdict::H0, Some(_)) => Some("H0 is accepted"),
            (Verdict::H1, Some(_)) => Some("H1 is accepted"),
            (Verdict::Continue, Some(_)) => Some("no verdict yet"),
            (_, None) => None,
        };
        let ended = match ending {
            Ending::Complete(Some(champion)) => {
                format!("complete; the winner is {}", plan.engines[*champion].name)
            }
            Ending::Complete(None) => "complete".to_owned(),
            Ending::Stopped if accepted => "stopped by the test".to_owned(),
            Ending::Stopped => "interrupted; --resume goes on".to_owned(),
            Ending::Failed(why) => format!("ended by a fault: {why}; --recover goes on"),
        };
        if self.json {
            let state = serde_json::json!({
                "event": "ended", "how": ended, "verdict": verdict, "games": self.tally.games(),
            });
            self.event(&state);
            return Ok(());
        }
        let mut output = std::io::stdout().lock();
        writeln!(output, "{} ({}), {ended}", plan.event, plan.profile)?;
        if self.tally.games() == 0 {
            return Ok(());
        }
        writeln!(output, "{}", standings::table(&self.tally, &self.names))?;
        if let [a, b] = self.names.as_slice() {
            writeln!(output, "{}", self.state())?;
            let (_, pairs) = self.tally.meeting(a, b);
            if pairs.total() > 0 {
                writeln!(output, "{}", standings::pairs_line(&pairs))?;
            }
        }
        if let Some(verdict) = verdict {
            writeln!(output, "SPRT: {verdict}")?;
        }
        Ok(())
    }
}
