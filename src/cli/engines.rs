//! Engines of a match, from the command line or a TOML file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use serde::Deserialize;

use crate::arena::{Dialect, EngineSpec, Limit};

/// The keys of an engine, for messages.
const KEYS: &str = "name, cmd, proto (uci or ugi), tc, st, nodes, depth and option.NAME";

/// One engine as it is written down: keys and values.
type Settings = Vec<(String, String)>;

/// Reads `KEY=VALUE` words.
///
/// # Errors
/// Names the word that is none.
pub fn settings<'a>(words: impl IntoIterator<Item = &'a String>) -> anyhow::Result<Settings> {
    words
        .into_iter()
        .map(|word| {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| anyhow!("engine: '{word}' is not KEY=VALUE; the keys are {KEYS}"))?;
            Ok((key.to_owned(), value.to_owned()))
        })
        .collect()
}

/// A TOML file of engines: `[each]` for all of them, and one `[[engine]]`
/// for each.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    each: Table,
    #[serde(default)]
    engine: Vec<Table>,
}

/// The keys of an engine in a file; options are a table of their own.
#[derive(Debug, Default, Deserialize)]
struct Table {
    #[serde(default)]
    option: BTreeMap<String, toml::Value>,
    #[serde(flatten)]
    rest: BTreeMap<String, toml::Value>,
}

impl Table {
    fn settings(&self) -> Settings {
        let text = |value: &toml::Value| match value {
            toml::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let options = self.option.iter().map(|(k, v)| (format!("option.{k}"), text(v)));
        self.rest.iter().map(|(k, v)| (k.clone(), text(v))).chain(options).collect()
    }
}

/// Reads a TOML file: the settings of each engine, those for all of them
/// first.
///
/// # Errors
/// Says what is wrong with the file.
pub fn read(path: &Path) -> anyhow::Result<Vec<Settings>> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("engines {name}"))?;
    let file: File = toml::from_str(&text)
        .map_err(|error| anyhow!("engines {name}: {}", error.to_string().replace('\n', " ")))?;
    let each = file.each.settings();
    Ok(file.engine.iter().map(|engine| [each.clone(), engine.settings()].concat()).collect())
}

/// The engine with these settings; later ones replace earlier ones. Without
/// `cmd` it is this very program.
///
/// # Errors
/// Names the setting that is wrong.
pub fn engine(settings: &Settings) -> anyhow::Result<EngineSpec> {
    let mut spec = EngineSpec::default();
    for (key, value) in settings {
        match key.as_str() {
            "name" if value.contains(char::is_control) => {
                bail!("name={value:?}: names are one line");
            }
            "name" => spec.name.clone_from(value),
            "cmd" => {
                spec.command = shlex::split(value)
                    .filter(|words| !words.is_empty())
                    .ok_or_else(|| anyhow!("cmd={value}: no command, or quotes without an end"))?;
            }
            "proto" => {
                spec.dialect = match value.as_str() {
                    "uci" => Dialect::Uci,
                    "ugi" => Dialect::Ugi,
                    _ => bail!("proto={value}: the protocols are uci and ugi"),
                };
            }
            limit if Limit::knows(limit) => spec.limit.set(limit, value)?,
            option => {
                let Some(option) = option.strip_prefix("option.") else {
                    bail!("engine: '{key}' is unknown; the keys are {KEYS}");
                };
                if [option, value].iter().any(|text| text.contains(char::is_control))
                    || option.is_empty()
                {
                    bail!("{key}={value:?}: options are one line");
                }
                spec.options.insert(option.to_owned(), value.clone());
            }
        }
    }
    if spec.command.is_empty() {
        let own = std::env::current_exe().context("this program's own path")?;
        spec.command = vec![own.to_string_lossy().into_owned()];
    }
    if spec.name.is_empty() {
        let program = Path::new(&spec.command[0]);
        spec.name = program.file_name().map_or_else(String::new, |n| n.to_string_lossy().into());
    }
    Ok(spec)
}

/// Checks a field of engines: two or more, named differently, each limited.
///
/// # Errors
/// Names the engine that does not fit.
pub fn field(mut engines: Vec<EngineSpec>) -> anyhow::Result<Vec<Arc<EngineSpec>>> {
    if engines.len() < 2 {
        bail!("a match needs two engines or more; give --engine once for each");
    }
    let mut names = BTreeSet::new();
    for engine in &mut engines {
        if engine.limit.is_none() {
            bail!("engine {}: no limit; give tc, st, nodes or depth (--each tc=…)", engine.name);
        }
        // Two of the same program are told apart by number.
        let mut name = engine.name.clone();
        let mut number = 1;
        while !names.insert(name.clone()) {
            number += 1;
            name = format!("{}-{number}", engine.name);
        }
        engine.name = name;
    }
    Ok(engines.into_iter().map(Arc::new).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_words(words: &[&str]) -> anyhow::Result<EngineSpec> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        engine(&settings(&words)?)
    }

    #[test]
    fn engines_are_read_from_words() {
        let words =
            ["name=a", "cmd='my engine' --fast", "proto=ugi", "option.Clear Hash=1", "tc=1+0.1"];
        let spec = from_words(&words).unwrap();
        assert_eq!(spec.name, "a");
        assert_eq!(spec.command, ["my engine", "--fast"]);
        assert_eq!(spec.dialect, Dialect::Ugi);
        assert_eq!(spec.options["Clear Hash"], "1");
        assert_eq!(spec.limit.to_string(), "tc=1+0.1");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (word, part) in [
            ("name", "not KEY=VALUE"),
            ("cmd='x", "quotes without an end"),
            ("proto=xboard", "uci and ugi"),
            ("speed=1", "'speed' is unknown"),
            ("tc=x", "a clock is"),
            ("name=a\nb", "one line"),
            ("option.a\nquit=1", "one line"),
        ] {
            let error = from_words(&[word]).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn files_have_settings_for_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engines.toml");
        let text = "[each]\ntc = \"1+0.1\"\n[each.option]\nHash = 16\n\
                    [[engine]]\nname = \"a\"\n[[engine]]\nname = \"b\"\nnodes = 5\n\
                    [engine.option]\nHash = 32\n";
        std::fs::write(&path, text).unwrap();
        let engines: Vec<EngineSpec> =
            read(&path).unwrap().iter().map(|settings| engine(settings).unwrap()).collect();
        assert_eq!(engines[0].options["Hash"], "16");
        assert_eq!(engines[1].options["Hash"], "32");
        assert_eq!(engines[1].limit.to_string(), "tc=1+0.1 nodes=5");
        std::fs::write(&path, "[[motor]]\n").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("motor"));
    }

    #[test]
    fn names_are_made_unique() {
        let spec = from_words(&["name=a", "nodes=1"]).unwrap();
        let names: Vec<String> = field(vec![spec.clone(), spec.clone(), spec])
            .unwrap()
            .iter()
            .map(|spec| spec.name.clone())
            .collect();
        assert_eq!(names, ["a", "a-2", "a-3"]);
    }
}
