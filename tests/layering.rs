//! Modules use only what lies below them.

use std::fs;
use std::path::Path;

/// Each module with those that it may use beside itself.
const TABLE: [(&str, &[&str]); 20] = [
    ("board", &[]),
    ("rules", &["board"]),
    ("eval", &["board", "rules"]),
    ("tt", &[]),
    ("search", &["board", "rules", "eval", "tt"]),
    ("levels", &["board", "rules", "eval", "tt", "search"]),
    ("mcts", &["board", "rules", "eval", "tt", "search"]),
    ("book", &["board", "rules", "tt", "search"]),
    ("engine", &["board", "rules", "eval", "tt", "search", "levels", "mcts", "book"]),
    ("protocol", &["board", "rules", "engine"]),
    ("record", &["board", "rules"]),
    ("rating", &[]),
    ("arena", &["board", "rules", "protocol", "record", "rating"]),
    ("train", &["board", "rules", "eval", "tt", "search", "record"]),
    ("calibrate", &["board", "rules", "tt", "search", "levels", "rating"]),
    ("tune", &["board", "rules", "tt", "search"]),
    ("solve", &["board", "rules", "tt", "search"]),
    ("cli", ALL),
    ("table", ALL),
    ("main", ALL),
];

const ALL: &[&str] = &[
    "board",
    "rules",
    "eval",
    "tt",
    "search",
    "levels",
    "mcts",
    "book",
    "engine",
    "protocol",
    "record",
    "rating",
    "arena",
    "train",
    "calibrate",
    "tune",
    "solve",
    "cli",
    "table",
];

/// The modules that `source` names by `crate::`, also in groups.
fn used(source: &str) -> Vec<String> {
    let code: String = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| format!("{line}\n"))
        .collect();
    let mut modules = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        // `$crate::` and `pub(in crate::…)` count like any other path.
        let rest = &code[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut word = String::new();
            for c in group.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => modules.push(std::mem::take(&mut word)),
                    _ if depth == 0 => word.push(c),
                    _ => {}
                }
            }
            modules.push(word);
        } else {
            modules.push(rest.to_owned());
        }
    }
    let name = |path: String| {
        let path = path.trim_start().to_owned();
        let end = path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
        path[..end].to_owned()
    };
    modules.into_iter().map(name).filter(|module| !module.is_empty()).collect()
}

/// What `module` uses against the table.
fn violations(module: &str, source: &str) -> Vec<String> {
    let allowed = TABLE.iter().find(|(name, _)| *name == module).map(|(_, allowed)| *allowed);
    let Some(allowed) = allowed else { return vec![format!("{module} is not in the table")] };
    used(source)
        .into_iter()
        .filter(|other| other != module && ALL.contains(&other.as_str()))
        .filter(|other| !allowed.contains(&other.as_str()))
        .map(|other| format!("{module} uses {other}"))
        .collect()
}

/// The chains of `super::` that climb out of a file's top-level module, which would name another
/// module unseen. `depth` is the depth of the file's own module below the crate.
fn escapes(depth: usize, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut braces = 0;
    // The brace depths at which the inline modules around a line begin.
    let mut inline: Vec<usize> = Vec::new();
    for line in source.lines().filter(|line| !line.trim_start().starts_with("//")) {
        let code = line.trim_start();
        if code.ends_with('{') && (code.starts_with("mod ") || code.starts_with("pub mod ")) {
            inline.push(braces);
        }
        let supers = code
            .match_indices("super::")
            .map(|(at, _)| &code[at..])
            .map(|path| path.split("::").take_while(|&part| part == "super").count());
        if supers.max().is_some_and(|most| most >= depth + inline.len()) {
            found.push(code.to_owned());
        }
        braces = (braces + line.matches('{').count()).saturating_sub(line.matches('}').count());
        inline.retain(|&outside| braces > outside);
    }
    found
}

fn check(module: &str, path: &Path, found: &mut Vec<String>) -> usize {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap();
        return entries.map(|entry| check(module, &entry.unwrap().path(), found)).sum();
    }
    if path.extension().is_some_and(|end| end == "rs") {
        let source = fs::read_to_string(path).unwrap();
        let name = path.display();
        found.extend(violations(module, &source).into_iter().map(|v| format!("{name}: {v}")));
        found.extend(escapes(depth(path), &source).into_iter().map(|v| format!("{name}: {v}")));
        return 1;
    }
    0
}

/// The depth of a file's module: 1 for `src/tt.rs` and `src/tt/mod.rs`, 0 for `lib` and `main`.
fn depth(path: &Path) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let below = path.strip_prefix(root).unwrap().components().count();
    let stem = path.file_stem().unwrap();
    below - usize::from(["mod", "main", "lib"].iter().any(|&name| stem == name))
}

#[test]
fn modules_use_only_what_lies_below() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut files = 0;
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_str().unwrap();
        if module != "lib" {
            files += check(module, &path, &mut found);
        }
    }
    assert!(files > 40, "only {files} files were looked at");
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_violation_is_seen_however_it_is_written() {
    let good = "use crate::board::{Pit, Side};\n// crate::search is not used\n";
    assert!(violations("rules", good).is_empty());
    let group = "use crate::{board::Pit, search::{self, Limits}, eval};";
    assert_eq!(violations("rules", group), ["rules uses search", "rules uses eval"]);
    assert_eq!(violations("tt", "fn f(p: &crate::board::Position) {}"), ["tt uses board"]);
    assert_eq!(violations("extra", ""), ["extra is not in the table"]);
}

#[test]
fn super_does_not_leave_a_module_unseen() {
    assert!(escapes(2, "use super::lanes::Lanes;").is_empty());
    assert_eq!(escapes(1, "use super::search::Limits;"), ["use super::search::Limits;"]);
    assert_eq!(escapes(2, "use super::super::search::Limits;").len(), 1);
    assert_eq!(escapes(2, "fn f(p: &super::super::board::Position) {}").len(), 1);
    let tests = "mod tests {\n    use super::super::Games;\n}\n";
    assert!(escapes(2, tests).is_empty());
    assert_eq!(escapes(1, tests).len(), 1);
    assert_eq!(escapes(2, &format!("{tests}use super::super::search;")).len(), 1);
}
