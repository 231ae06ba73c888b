//! Modules use only what lies below them.

use std::fs;
use std::path::Path;

/// Each module with those that it may use beside itself.
const TABLE: [(&str, &[&str]); 15] = [
    ("board", &[]),
    ("rules", &["board"]),
    ("eval", &["board", "rules"]),
    ("tt", &[]),
    ("search", &["board", "rules", "eval", "tt"]),
    ("mcts", &["board", "rules", "eval", "tt", "search"]),
    ("engine", &["board", "rules", "eval", "tt", "search", "mcts"]),
    ("protocol", &["board", "rules", "engine"]),
    ("record", &["board", "rules"]),
    ("rating", &[]),
    ("arena", &["board", "rules", "protocol", "record", "rating"]),
    ("train", &["board", "rules", "eval", "tt", "search", "record"]),
    ("cli", ALL),
    ("table", ALL),
    ("main", ALL),
];

const ALL: &[&str] = &[
    "board", "rules", "eval", "tt", "search", "mcts", "engine", "protocol", "record", "rating",
    "arena", "train", "cli", "table",
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

fn check(module: &str, path: &Path, found: &mut Vec<String>) -> usize {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap();
        return entries.map(|entry| check(module, &entry.unwrap().path(), found)).sum();
    }
    if path.extension().is_some_and(|end| end == "rs") {
        let source = fs::read_to_string(path).unwrap();
        let name = path.display();
        found.extend(violations(module, &source).into_iter().map(|v| format!("{name}: {v}")));
        return 1;
    }
    0
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
