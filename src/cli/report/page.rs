//! The page as a whole.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::charts::{self, Line, STYLES};
use super::data::Data;
use super::{games, tables};
use crate::cli::standings;
use crate::rating::{Anchor, Games, Pairs, Ratings, Sprt, Summary, Verdict};

const STYLE: &str = include_str!("style.css");
/// Players whose ratings are drawn.
const MOST_BARS: usize = 40;
/// About as many columns are in the histogram.
const COLUMNS: usize = 30;

/// All that the page is made of.
pub struct Page<'a> {
    pub title: &'a str,
    pub data: &'a Data,
    pub ratings: &'a Ratings,
    pub anchor: Option<&'a Anchor>,
    pub warnings: &'a [String],
    /// Lines of the files that were no records.
    pub bad: u64,
    pub test: Option<&'a Sprt>,
}

impl Page<'_> {
    /// The page.
    pub fn html(&self) -> Markup {
        let sections = [
            ("ratings", "Ratings", self.rating_list()),
            ("cross", "Cross table", tables::cross(self.data, self.ratings)),
            ("progress", "Over the games", self.progress()),
            ("south", "South's advantage", tables::first_player(self.data, self.ratings)),
            ("lengths", "Lengths of games", self.lengths()),
            ("openings", "Openings", tables::openings(self.data)),
            ("ends", "How games ended", tables::terminations(self.data)),
            ("engines", "Engines", tables::engines(self.data)),
            ("effort", "Time, nodes and depth", tables::effort(self.data, self.ratings)),
            ("games", "Games", games::section(self.data)),
        ];
        document(
            self.title,
            &html! {
                header {
                    h1 { (self.title) }
                    (self.overview())
                    nav { @for (id, name, _) in &sections { a href={"#" (id)} { (name) } " " } }
                }
                main {
                    @for (id, name, content) in &sections {
                        section id=(id) { h2 { (name) } (content) }
                    }
                }
                footer { p.dim { "Made by kisolo " (env!("CARGO_PKG_VERSION")) ". Intervals hold 95%." } }
            },
        )
    }

    fn overview(&self) -> Markup {
        let profiles: Vec<String> = match self.data.profiles.len() {
            1 => self.data.profiles.keys().cloned().collect(),
            _ => {
                self.data.profiles.iter().map(|(name, games)| format!("{name} ({games})")).collect()
            }
        };
        html! {
            p {
                (self.data.tally.games()) " games of " (self.ratings.players.len()) " players; rules: "
                (profiles.join(", "))
                @if let Some((first, last)) = &self.data.dates { "; played from " (first) " to " (last) }
                "."
            }
            @if self.bad > 0 { p.note { (self.bad) " lines of the files hold no record and were passed over." } }
            @for warning in self.warnings { p.note { "Note: " (warning) "." } }
        }
    }

    fn rating_list(&self) -> Markup {
        let players = &self.ratings.players;
        let bars: Vec<(String, f64, f64)> = players
            .iter()
            .take(MOST_BARS)
            .map(|player| (shortened(&player.name), player.rating, player.error))
            .collect();
        let zero = match self.anchor {
            Some(anchor) => format!("{} is held at {}", anchor.name, anchor.rating),
            None => "the mean of all players is 0".to_owned(),
        };
        html! {
            p.dim { "Maximum-likelihood ratings in Elo; " (zero) "." }
            (tables::ratings(self.ratings))
            figure {
                (charts::error_bars(&bars))
                @if players.len() > MOST_BARS { p.note { "The first " (MOST_BARS) " players." } }
            }
        }
    }

    /// How the result came about.
    fn progress(&self) -> Markup {
        match self.data.tally.meetings.keys().next() {
            Some((a, b)) if self.data.tally.meetings.len() == 1 && a != b => self.duel(a, b),
            _ => self.race(),
        }
    }

    /// Two players: the difference in Elo, and the test if there is one.
    fn duel(&self, a: &str, b: &str) -> Markup {
        let paired = self.data.is_paired();
        let sample =
            |(games, pairs): (Games, Pairs)| if paired { pairs.sample() } else { games.sample() };
        let all: Vec<(f64, Summary)> = self
            .data
            .meeting
            .iter()
            .map(|(number, counts)| (number as f64, Summary::of(&sample(counts))))
            .filter(|(_, summary)| summary.elo.is_finite() && summary.elo_error.is_finite())
            .collect();
        let elo = Line {
            label: "Elo".to_owned(),
            points: all.iter().map(|(x, summary)| (*x, summary.elo)).collect(),
            band: all.iter().map(|(x, summary)| (*x, summary.elo_low, summary.elo_high)).collect(),
        };
        html! {
            p { (standings::head_to_head(&self.data.tally, a, b, self.test, paired)) }
            @if let Some((_, pairs)) = self.data.meeting.last.map(|last| last.1).filter(|_| paired) {
                p { (standings::pairs_line(&pairs)) }
            }
            div.charts {
                figure {
                    @if all.is_empty() {
                        p.dim { "One side won all games: no Elo to draw." }
                    } @else {
                        (charts::lines("Elo difference over the games, with its interval", "Elo", &[elo], &[0.0], None))
                    }
                    figcaption { "Elo of " bdi { (a) } " over " bdi { (b) } ", with the 95% interval" }
                }
                @if let Some(test) = self.test { (self.sequential(test, &sample)) }
            }
        }
    }

    /// The sequential test over the games.
    fn sequential(
        &self,
        test: &Sprt,
        sample: &dyn Fn((Games, Pairs)) -> crate::rating::Sample,
    ) -> Markup {
        let points: Vec<(f64, f64)> = self
            .data
            .meeting
            .iter()
            .map(|(number, counts)| (number as f64, test.llr(&sample(counts))))
            .collect();
        let verdict = match test.verdict(points.last().map_or(0.0, |point| point.1)) {
            Verdict::H0 => "H0 is accepted",
            Verdict::H1 => "H1 is accepted",
            Verdict::Continue => "no verdict yet",
        };
        let line = Line { label: "LLR".to_owned(), points, band: Vec::new() };
        let (low, high) = test.bounds();
        html! {
            figure {
                (charts::lines("Log-likelihood ratio over the games", "LLR", &[line], &[low, 0.0, high], None))
                figcaption { "Log-likelihood ratio of the sequential test; " (verdict) }
            }
        }
    }

    /// Many players: each one's score so far.
    fn race(&self) -> Markup {
        let players = self.ratings.players.iter().take(STYLES);
        let lines: Vec<Line> = players
            .map(|player| {
                let series = &self.data.points[&player.name];
                let share =
                    |(number, points): (u64, f64)| (number as f64, 100.0 * points / number as f64);
                Line {
                    label: player.name.clone(),
                    points: series.iter().map(share).collect(),
                    band: Vec::new(),
                }
            })
            .collect();
        html! {
            figure {
                (charts::lines("Scores over the games of each player", "score, %", &lines, &[50.0], Some((0.0, 100.0))))
                figcaption {
                    "Each player's score so far over the player's own games"
                    @if self.ratings.players.len() > STYLES { ", the first " (STYLES) " players" }
                }
            }
        }
    }

    fn lengths(&self) -> Markup {
        let lengths = &self.data.lengths;
        let (first, last) = lengths.keys().next().zip(lengths.keys().last()).unwrap_or((&0, &0));
        let width = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
            .into_iter()
            .find(|width| (last - first) / width < COLUMNS)
            .unwrap_or(usize::MAX / 2);
        let start = first / width * width;
        let mut bins: Vec<(usize, u64)> =
            (0..=(last - start) / width).map(|bin| (start + bin * width, 0)).collect();
        for (length, count) in lengths {
            bins[(length - start) / width].1 += count;
        }
        let games = self.data.tally.games().max(1);
        let mean = self.data.tally.plies as f64 / games as f64;
        let mut seen = 0;
        let median = lengths.iter().find(|(_, count)| {
            seen += **count;
            2 * seen >= games
        });
        html! {
            p {
                "Moves a game: " (format!("{mean:.1}")) " on average, half of all games up to "
                (median.map_or(0, |(length, _)| *length)) ", from " (first) " to " (last) "."
            }
            figure { (charts::histogram("Histogram of the lengths of games", "moves", &bins, width)) }
        }
    }
}

/// A page that holds all it needs.
pub fn document(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    }
}

/// A name short enough for a chart.
fn shortened(name: &str) -> String {
    const MOST: usize = 40;
    match name.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
