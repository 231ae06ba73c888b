//! Text as records.

use std::collections::{BTreeMap, HashMap};
use std::iter::Peekable;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as WordError, StrDeserializer};

use super::lexer::{Lexer, Token};
use super::{PgnError, UNFINISHED, comment, parse_result};
use crate::board::quoted;
use crate::record::{FORMAT, GameRecord, MoveRecord, Player, Reason, RecordedResult};
use crate::rules::{GameResult, Profile};

/// Reads the games of a text one by one. Each is held to the rules; one that
/// is wrong is an error, after which the next one follows.
pub fn read(text: &str) -> Reader<'_> {
    Reader { tokens: Lexer::new(text).peekable(), games: 0 }
}

/// The games of a text; see [`read`].
pub struct Reader<'a> {
    tokens: Peekable<Lexer<'a>>,
    games: u64,
}

impl Iterator for Reader<'_> {
    type Item = Result<GameRecord, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        // Comments behind a result belong to no game.
        while self.tokens.next_if(|(_, token)| matches!(token, Token::Comment(_))).is_some() {}
        let &(line, _) = self.tokens.peek()?;
        self.games += 1;
        let game = self.games;
        let mut draft = Draft { line, ..Draft::default() };
        self.read(&mut draft);
        let error = |(line, what)| PgnError { game, line, what };
        Some(draft.finish(game).map_err(error))
    }
}

impl Reader<'_> {
    /// Takes the tokens of one game: to its result, or to the tags of the
    /// next one.
    fn read(&mut self, draft: &mut Draft) {
        let mut depth = 0_u32;
        let mut moves_begun = false;
        while let Some((line, token)) = self.tokens.next_if(|(_, token)| match token {
            Token::Tag(name, _) => !moves_begun && !draft.tags.contains_key(name),
            _ => true,
        }) {
            match token {
                Token::Tag(name, value) => {
                    draft.tags.insert(name, (line, value));
                }
                Token::Wrong(what) => draft.wrong(line, what),
                Token::Open => depth += 1,
                Token::Close if depth == 0 => {
                    draft.wrong(line, "a variation ends that did not begin");
                }
                Token::Close => depth -= 1,
                Token::Comment(_) | Token::Word(_) if depth > 0 => {}
                Token::Comment(text) => draft.comment(&text),
                Token::Word(word) => {
                    moves_begun = true;
                    if draft.word(line, &word) {
                        return;
                    }
                }
            }
        }
    }
}

/// A line and what is wrong in it.
type Wrong = (u64, String);

/// A game while it is read.
#[derive(Default)]
struct Draft {
    line: u64,
    tags: HashMap<String, (u64, String)>,
    moves: Vec<MoveRecord>,
    lines: Vec<u64>,
    result: Option<RecordedResult>,
    wrong: Option<Wrong>,
}

impl Draft {
    /// Notes what is wrong; what came first is told.
    fn wrong(&mut self, line: u64, what: impl Into<String>) {
        self.wrong.get_or_insert((line, what.into()));
    }

    fn comment(&mut self, text: &str) {
        if let (Some(mv), Some(told)) = (self.moves.last_mut(), comment::parse(text)) {
            let text = std::mem::take(&mut mv.text);
            *mv = MoveRecord { text, ..told };
        }
    }

    /// Takes a word; whether it ends the game.
    fn word(&mut self, line: u64, word: &str) -> bool {
        if word == UNFINISHED {
            // A game that was saved to be played on says so.
            if self.tag("Termination") == Some(Reason::Unfinished.word()) {
                self.result = Some(RecordedResult::Draw);
            } else {
                self.wrong(line, "the game has no result, '*'; only finished games are read");
            }
            return true;
        }
        self.result = parse_result(word);
        if self.result.is_some() {
            return true;
        }
        let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let unnumbered = match rest.chars().next() {
            None => "",
            Some('.') => rest.trim_start_matches('.'),
            Some(_) => word,
        };
        let text = unnumbered.trim_end_matches(['!', '?']);
        if !text.is_empty() {
            self.moves.push(MoveRecord { text: text.to_owned(), ..MoveRecord::default() });
            self.lines.push(line);
        }
        false
    }

    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(|(_, value)| value.as_str())
    }

    /// A tag's number; anything else counts as absent.
    fn number(&self, name: &str) -> Option<u64> {
        self.tag(name)?.parse().ok()
    }

    fn player(&self, seat: &str, color: &str) -> Result<Player, Wrong> {
        let own = |what: &str| self.tag(&format!("{color}{what}"));
        let name = self.tag(seat).or_else(|| self.tag(color)).unwrap_or("?").to_owned();
        let words = shlex::split(own("Options").unwrap_or_default()).ok_or_else(|| {
            (self.line, format!("{color}Options: a quotation mark without its partner"))
        })?;
        let options: BTreeMap<String, String> = words
            .iter()
            .map(|word| word.split_once('=').unwrap_or((word, "")))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let limit = own("TimeControl").or_else(|| self.tag("TimeControl")).unwrap_or_default();
        Ok(Player {
            name,
            engine: own("Engine").map(str::to_owned),
            options,
            limit: limit.to_owned(),
        })
    }

    /// `2026.01.02` and a time as the record has them.
    fn date(&self) -> String {
        let date = self.tag("Date").unwrap_or("????.??.??");
        let parts: Vec<&str> = date.split('.').collect();
        let digits = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
        if parts.len() != 3 || date.len() != 10 {
            date.to_owned()
        } else if parts.iter().all(digits) {
            format!("{}T{}Z", parts.join("-"), self.tag("UTCTime").unwrap_or("00:00:00"))
        } else {
            String::new()
        }
    }

    /// The result, said once or twice.
    fn result(&self) -> Result<RecordedResult, Wrong> {
        let tag = self.tags.get("Result").map(|(line, word)| (*line, word.as_str()));
        let tagged = tag.and_then(|(_, word)| parse_result(word));
        match (self.result, tagged, tag) {
            (Some(result), Some(other), Some((line, _))) if result != other => {
                Err((line, "the tag Result and the end of the moves differ".to_owned()))
            }
            (Some(result), ..) | (None, Some(result), _) => Ok(result),
            (None, None, Some((line, word))) => {
                Err((line, format!("'{}' is no result of a finished game", quoted(word))))
            }
            (None, None, None) => Err((self.line, "the game has no result".to_owned())),
        }
    }

    fn finish(mut self, number: u64) -> Result<GameRecord, Wrong> {
        if let Some(wrong) = self.wrong.take() {
            return Err(wrong);
        }
        let at = |tag: &str| self.tags.get(tag).map_or(self.line, |(line, _)| *line);
        let variant = self.tag("Variant").unwrap_or(Profile::default().name());
        let profile: Profile =
            variant.parse().map_err(|error| (at("Variant"), format!("{error}")))?;
        let fen = self.tag("FEN").unwrap_or("startpos");
        let start = match profile.start(fen) {
            Some(position) => profile.position_text(&position),
            None => fen.to_owned(),
        };
        profile.parse_position(&start).map_err(|error| (at("FEN"), error.to_string()))?;
        let game = self.number("Round").unwrap_or(number);
        let termination = self.tag("Termination").and_then(reason);
        let mut record = GameRecord {
            format: FORMAT,
            event: self.tag("Event").unwrap_or("?").to_owned(),
            game,
            opening: self.number("Opening").unwrap_or(game),
            seed: self.number("Seed").unwrap_or(0),
            date: self.date(),
            profile: profile.name().to_owned(),
            start,
            south: self.player("South", "White")?,
            north: self.player("North", "Black")?,
            result: self.result()?,
            reason: termination.unwrap_or(Reason::Rules),
            note: self.tag("Note").map(str::to_owned),
            moves: std::mem::take(&mut self.moves),
        };
        let mut begun = 0_usize;
        let replayed = record.replay(|_, _| begun += 1);
        // A move that is refused was the last one to be tried.
        let line = begun.checked_sub(1).map_or(self.line, |last| self.lines[last]);
        let last = replayed.map_err(|error| (line, error.to_string()))?;
        if termination.is_none() {
            record.reason = likely(record.result, last.result(), last.repetitions());
        }
        record.verify().map_err(|error| (line, error.to_string()))?;
        Ok(record)
    }
}

/// The reason that a word names: one of our own, or of other programs.
fn reason(word: &str) -> Option<Reason> {
    let own: StrDeserializer<'_, WordError> = word.into_deserializer();
    Reason::deserialize(own).ok().or(match word.to_ascii_lowercase().as_str() {
        "time forfeit" => Some(Reason::Time),
        "illegal move" | "rules infraction" => Some(Reason::IllegalMove),
        "abandoned" => Some(Reason::Crash),
        _ => None,
    })
}

/// The reason when none is told: what the rules say, else what an agreed
/// result comes closest to.
fn likely(recorded: RecordedResult, actual: GameResult, repetitions: usize) -> Reason {
    match (actual, recorded) {
        (GameResult::Draw, _) => Reason::EndlessTurn,
        (GameResult::South | GameResult::North, _) => Reason::Rules,
        (GameResult::Ongoing, RecordedResult::Draw) if repetitions >= 2 => Reason::Repetition,
        (GameResult::Ongoing, RecordedResult::Draw) => Reason::DrawByScore,
        (GameResult::Ongoing, _) => Reason::ResignByScore,
    }
}
