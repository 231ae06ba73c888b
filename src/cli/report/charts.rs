//! Charts as inline SVG. Colours come from the page's style sheet by class,
//! so that they follow light and dark.

use maud::{Markup, html};

const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 40.0;
/// The number of line styles of the style sheet.
pub const STYLES: usize = 8;

/// A line of a chart.
pub struct Line {
    pub label: String,
    /// From left to right.
    pub points: Vec<(f64, f64)>,
    /// The interval around each point: x, low, high.
    pub band: Vec<(f64, f64, f64)>,
}

/// The area that data is drawn in.
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
}

impl Frame {
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let share =
            |value: f64, (low, high): (f64, f64)| (value.clamp(low, high) - low) / (high - low);
        (
            LEFT + share(x, self.x) * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - share(y, self.y) * (HEIGHT - TOP - BOTTOM),
        )
    }

    /// The points as SVG takes them.
    fn points(&self, points: impl IntoIterator<Item = (f64, f64)>) -> String {
        let text = |(x, y)| {
            let (x, y) = self.at(x, y);
            format!("{x:.1},{y:.1}")
        };
        points.into_iter().map(text).collect::<Vec<_>>().join(" ")
    }

    fn axes(&self, x_label: &str, y_label: &str) -> Markup {
        let bottom = HEIGHT - BOTTOM;
        html! {
            @for tick in ticks(self.y, 6) {
                @let y = self.at(self.x.0, tick).1;
                line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(short(y)) y2=(short(y)) {}
                text x=(LEFT - 6.0) y=(short(y + 4.0)) text-anchor="end" { (short(tick)) }
            }
            @for tick in ticks(self.x, 6) {
                @let x = self.at(tick, self.y.0).0;
                line.axis x1=(short(x)) x2=(short(x)) y1=(bottom) y2=(bottom + 4.0) {}
                text x=(short(x)) y=(bottom + 17.0) text-anchor="middle" { (short(tick)) }
            }
            line.axis x1=(LEFT) x2=(WIDTH - RIGHT) y1=(bottom) y2=(bottom) {}
            text x=(f64::midpoint(LEFT, WIDTH - RIGHT)) y=(HEIGHT - 6.0) text-anchor="middle" { (x_label) }
            text x="12" y=(f64::midpoint(TOP, bottom)) text-anchor="middle"
                transform=(format!("rotate(-90 12 {})", f64::midpoint(TOP, bottom))) { (y_label) }
        }
    }
}

/// Round numbers within a range, at most `most` + 1 of them.
fn ticks((low, high): (f64, f64), most: u32) -> Vec<f64> {
    let rough = (high - low) / f64::from(most);
    let unit = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * unit).into_iter().find(|&step| step >= rough);
    let step = step.unwrap_or(10.0 * unit);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|n| n as f64 * step).collect()
}

/// A number with no more digits than it needs.
fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The range of some values, never empty.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    match (high - low).total_cmp(&0.0) {
        std::cmp::Ordering::Greater => (low, high),
        _ if low.is_finite() => (low - 1.0, high + 1.0),
        _ => (0.0, 1.0),
    }
}

/// Lines over games, with level lines to compare with. `title` is what is
/// read out instead of the picture.
pub fn lines(
    title: &str,
    y_label: &str,
    lines: &[Line],
    levels: &[f64],
    y: Option<(f64, f64)>,
) -> Markup {
    let last = lines.iter().filter_map(|line| line.points.last()).map(|p| p.0).fold(2.0, f64::max);
    let y = y.unwrap_or_else(|| {
        let values = lines.iter().flat_map(|line| {
            // What the first few games say swings too far to set the scale.
            let settled = move |x: f64| x >= last / 10.0;
            let points = line.points.iter().filter(move |p| settled(p.0)).map(|p| p.1);
            let bands = line.band.iter().filter(move |b| settled(b.0));
            points.chain(bands.flat_map(|b| [b.1, b.2]))
        });
        let (low, high) = range(values.chain(levels.iter().copied()));
        let margin = (high - low) / 20.0;
        (low - margin, high + margin)
    });
    let frame = Frame { x: (0.0, last), y };
    html! {
        svg viewBox={"0 0 " (WIDTH) " " (HEIGHT)} role="img" aria-label=(title) {
            (frame.axes("games", y_label))
            @for &level in levels {
                polyline.level points=(frame.points([(0.0, level), (last, level)])) {}
            }
            @for (style, line) in lines.iter().enumerate() {
                @if !line.band.is_empty() {
                    @let low = line.band.iter().map(|&(x, low, _)| (x, low));
                    @let high = line.band.iter().rev().map(|&(x, _, high)| (x, high));
                    polygon class={"band f" (style % STYLES)} points=(frame.points(low.chain(high))) {}
                }
                polyline class={"line s" (style % STYLES)} points=(frame.points(line.points.iter().copied())) {}
            }
        }
        @if lines.len() > 1 { (legend(lines.iter().map(|line| line.label.as_str()))) }
    }
}

/// What the line styles stand for.
fn legend<'a>(labels: impl Iterator<Item = &'a str>) -> Markup {
    html! {
        ul.legend {
            @for (style, label) in labels.enumerate() {
                li {
                    svg.key viewBox="0 0 30 10" aria-hidden="true" {
                        line class={"line s" (style % STYLES)} x1="1" x2="29" y1="5" y2="5" {}
                    }
                    bdi { (label) }
                }
            }
        }
    }
}

/// Ratings with their intervals, one under the other.
pub fn error_bars(rows: &[(String, f64, f64)]) -> Markup {
    const ROW: f64 = 36.0;
    let (low, high) =
        range(rows.iter().flat_map(|&(_, value, error)| [value - error, value + error]));
    let margin = (high - low) / 20.0;
    let (low, high) = (low - margin, high + margin);
    let height = ROW * rows.len() as f64;
    let at = |value: f64| 10.0 + (value - low) / (high - low) * (WIDTH - 20.0);
    html! {
        svg viewBox={"0 0 " (WIDTH) " " (height + 24.0)} role="img" aria-label="Ratings with 95% intervals" {
            @for tick in ticks((low, high), 6) {
                line.grid x1=(short(at(tick))) x2=(short(at(tick))) y1="0" y2=(height) {}
                text x=(short(at(tick))) y=(height + 16.0) text-anchor="middle" { (short(tick)) }
            }
            @for (row, (name, value, error)) in rows.iter().enumerate() {
                @let top = ROW * row as f64;
                @let y = top + 25.0;
                @let right = at(*value) > WIDTH / 2.0;
                text.name x=(if right { WIDTH - 10.0 } else { 10.0 }) y=(top + 14.0)
                    text-anchor=(if right { "end" } else { "start" }) { (name) }
                line.line.s0.solid x1=(short(at(value - error))) x2=(short(at(value + error))) y1=(y) y2=(y) {}
                @for end in [value - error, value + error] {
                    line.line.s0.solid x1=(short(at(end))) x2=(short(at(end))) y1=(y - 5.0) y2=(y + 5.0) {}
                }
                circle.f0 cx=(short(at(*value))) cy=(y) r="5" {}
            }
        }
    }
}

/// Columns of counts over a scale that is cut into `width`-wide bins.
pub fn histogram(title: &str, x_label: &str, bins: &[(usize, u64)], width: usize) -> Markup {
    let first = bins.first().map_or(0, |bin| bin.0) as f64;
    let last = bins.last().map_or(0, |bin| bin.0 + width) as f64;
    let most = bins.iter().map(|bin| bin.1).max().unwrap_or(0).max(1) as f64;
    let frame = Frame { x: (first, last.max(first + 1.0)), y: (0.0, most * 1.05) };
    html! {
        svg viewBox={"0 0 " (WIDTH) " " (HEIGHT)} role="img" aria-label=(title) {
            (frame.axes(x_label, "games"))
            @for &(from, count) in bins {
                @let (x, y) = frame.at(from as f64, count as f64);
                @let (end, bottom) = frame.at((from + width) as f64, 0.0);
                rect.f0 x=(short(x + 0.5)) y=(short(y)) width=(short((end - x - 1.0).max(0.5)))
                    height=(short(bottom - y)) {
                    title { (from) "–" (from + width - 1) ": " (count) }
                }
            }
        }
    }
}

/// Shares of a whole side by side, with their labels beneath.
pub fn shares(title: &str, parts: &[(&str, u64)]) -> Markup {
    let total = parts.iter().map(|part| part.1).sum::<u64>().max(1) as f64;
    let before = |n: usize| parts[..n].iter().map(|part| part.1).sum::<u64>() as f64;
    html! {
        svg viewBox={"0 0 " (WIDTH) " 30"} role="img" aria-label=(title) {
            @for (n, &(_, count)) in parts.iter().enumerate().filter(|(_, part)| part.1 > 0) {
                rect class={"f" (n % STYLES)} x=(short(before(n) / total * WIDTH)) y="4"
                    width=(short(count as f64 / total * WIDTH)) height="22" {}
            }
        }
        ul.legend {
            @for (n, (label, count)) in parts.iter().enumerate() {
                li {
                    svg.key viewBox="0 0 12 12" aria-hidden="true" { rect class={"f" (n % STYLES)} width="12" height="12" {} }
                    (label) " " (count) " (" (format!("{:.1}", 100.0 * *count as f64 / total)) "%)"
                }
            }
        }
    }
}

/// The scores of a game as its players saw them, seen from South, over its
/// moves. A script may move the cursor: `data-x` holds the place of move 0 and
/// the width of a move.
pub fn scores(moves: usize, south: &[(f64, f64)], north: &[(f64, f64)], limit: f64) -> Markup {
    let frame = Frame { x: (0.0, moves.max(1) as f64), y: (-limit, limit) };
    let (start, zero) = frame.at(0.0, 0.0);
    let step = frame.at(1.0, 0.0).0 - start;
    html! {
        svg viewBox={"0 0 " (WIDTH) " " (HEIGHT)} role="img" data-x={(start) " " (step)}
            aria-label="Scores of both players over the moves, seen from South" {
            (frame.axes("moves", "score for South"))
            line.level x1=(LEFT) x2=(WIDTH - RIGHT) y1=(zero) y2=(zero) {}
            @for (style, points) in [south, north].into_iter().enumerate() {
                polyline class={"line s" (style)} points=(frame.points(points.iter().copied())) {}
            }
            line.cursor x1=(start) x2=(start) y1=(TOP) y2=(HEIGHT - BOTTOM) {}
        }
        (legend(["South's player", "North's player"].into_iter()))
    }
}

/// A place of a curve that is worth a look.
pub struct Spot {
    pub at: (f64, f64),
    /// The colour, a number of the style sheet.
    pub style: usize,
    pub title: String,
}

/// South's chance of winning, in percent, over the moves of a game. A script
/// may move the cursor as in [`scores`].
pub fn chances(moves: usize, points: &[(f64, f64)], spots: &[Spot]) -> Markup {
    let frame = Frame { x: (0.0, moves.max(1) as f64), y: (0.0, 100.0) };
    let (start, even) = frame.at(0.0, 50.0);
    let step = frame.at(1.0, 0.0).0 - start;
    html! {
        svg viewBox={"0 0 " (WIDTH) " " (HEIGHT)} role="img" data-x={(start) " " (step)}
            aria-label="South's chance of winning over the moves, in percent" {
            (frame.axes("moves", "South wins, %"))
            line.level x1=(LEFT) x2=(WIDTH - RIGHT) y1=(even) y2=(even) {}
            polyline.line.s0 points=(frame.points(points.iter().copied())) {}
            @for spot in spots {
                @let (x, y) = frame.at(spot.at.0, spot.at.1);
                circle class={"f" (spot.style % STYLES)} cx=(short(x)) cy=(short(y)) r="4" {
                    title { (spot.title) }
                }
            }
            line.cursor x1=(start) x2=(start) y1=(TOP) y2=(HEIGHT - BOTTOM) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks((0.0, 100.0), 6), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks((-0.3, 0.3), 3), [-0.2, 0.0, 0.2]);
        assert_eq!(range([3.0].into_iter()), (2.0, 4.0));
        assert_eq!(range([f64::NAN].into_iter()), (0.0, 1.0));
        assert_eq!([short(-0.001), short(12.5), short(100.0)], ["0", "12.5", "100"]);
    }
}
