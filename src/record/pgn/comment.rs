//! The comment behind a move: `+0.20/9 1234n 0.050s`.

use crate::record::MoveRecord;

/// What the record of a move says beside the move: score in seeds (or `M3`
/// for a proven win in three turns, `-M2` for a loss in two) with the depth,
/// nodes, seconds, and `book` for a move of the opening. Empty if it says
/// nothing.
pub fn comment(mv: &MoveRecord) -> String {
    let mut words = Vec::new();
    if mv.book {
        words.push("book".to_owned());
    }
    let score = match (mv.mate, mv.cp) {
        (Some(mate), _) => {
            format!("{}M{}", if mate < 0 { "-" } else { "" }, mate.unsigned_abs())
        }
        (None, Some(cp)) => {
            let (sign, size) = (if cp < 0 { '-' } else { '+' }, cp.unsigned_abs());
            format!("{sign}{}.{:02}", size / 100, size % 100)
        }
        (None, None) => String::new(),
    };
    let depth = mv.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    if !score.is_empty() || !depth.is_empty() {
        words.push(score + &depth);
    }
    words.extend(mv.nodes.map(|nodes| format!("{nodes}n")));
    words.extend(mv.ms.map(|ms| format!("{}.{:03}s", ms / 1000, ms % 1000)));
    words.join(" ")
}

/// Reads such a comment into the record of a move; `None` for any other.
pub(super) fn parse(text: &str) -> Option<MoveRecord> {
    let mut mv = MoveRecord::default();
    for word in text.split_ascii_whitespace() {
        if word == "book" {
            mv.book = true;
        } else if let Some(nodes) = word.strip_suffix('n') {
            mv.nodes = Some(nodes.parse().ok()?);
        } else if let Some(seconds) = word.strip_suffix('s') {
            mv.ms = Some(fixed::<3>(seconds)?);
        } else {
            let (score, depth) = word.split_once('/').map_or((word, None), |(s, d)| (s, Some(d)));
            mv.depth = depth.map(str::parse).transpose().ok()?;
            parse_score(score, &mut mv)?;
        }
    }
    (mv != MoveRecord::default()).then_some(mv)
}

fn parse_score(text: &str, mv: &mut MoveRecord) -> Option<()> {
    if text.is_empty() {
        return Some(());
    }
    let (sign, size) = match text.strip_prefix('-') {
        Some(size) => (-1, size),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    if let Some(mate) = size.strip_prefix('M') {
        mv.mate = Some((sign * mate.parse::<i64>().ok()?).try_into().ok()?);
    } else {
        let size = i64::try_from(fixed::<2>(size)?).ok()?;
        mv.cp = Some((sign * size).try_into().ok()?);
    }
    Some(())
}

/// A decimal number times ten to the `PLACES`; more places are cut off.
fn fixed<const PLACES: usize>(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part: String = part.chars().chain(std::iter::repeat('0')).take(PLACES).collect();
    let scale = 10_u64.pow(PLACES as u32);
    whole.parse::<u64>().ok()?.checked_mul(scale)?.checked_add(part.parse().ok()?)
}
