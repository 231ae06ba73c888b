//! `kisolo table`.

use std::collections::BTreeSet;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, bail};
use clap::{ArgMatches, Args};

use super::engines;
use super::running::cores;
use super::tied::tie;
use super::warn;
use crate::arena::EngineSpec;
use crate::table::{Config, serve};

/// The port when none is given.
const PORT: u16 = 8470;
/// Memory of an engine's table in MiB, when nothing else is said: many may run.
const HASH: &str = "16";

/// Play, watch and analyse in a browser
///
/// Serves a page on this machine alone, unless --listen says otherwise, and
/// prints its address. Tables are kept in a file and survive a restart;
/// finished games are appended to a file of records, which `kisolo games`
/// reads. Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kisolo table --open
  kisolo table --engine name=other cmd=./other proto=ugi
  kisolo table --listen 0.0.0.0 --host games.example")]
pub struct Arguments {
    /// The port [default: 8470; 0 for any that is free]
    #[arg(long, default_value_t = PORT, hide_default_value = true)]
    port: u16,
    /// The address to listen at, for others than this machine: they can play,
    /// and use this machine's time
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), hide_default_value = true)]
    listen: IpAddr,
    /// A name that the server goes by, such as behind a proxy; may be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// The file of tables [default: tables.sqlite in kisolo's data folder]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// The file of finished games [default: games.jsonl in kisolo's data folder]
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// A further engine as KEY=VALUE… (see `kisolo match --help`); give it once for each
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    engine: Vec<String>,
    /// Searches that may run at once [default: twice the cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    searches: Option<u16>,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
}

/// Runs the command. `matches` are its raw arguments, in which each `--engine`
/// is still a group of its own.
pub fn run(arguments: &Arguments, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let config = Config {
        address: SocketAddr::new(arguments.listen, arguments.port),
        hosts: arguments.host.clone(),
        store: file(arguments.store.as_deref(), "tables.sqlite")?,
        records: file(arguments.records.as_deref(), "games.jsonl")?,
        engines: field(matches)?,
        at_once: arguments.searches.map_or_else(|| 2 * cores(), usize::from),
    };
    private(&config.store)?;
    let (store, records) = (config.store.clone(), config.records.clone());
    serve(config, |address| {
        let mut out = super::output();
        writeln!(out, "The table is at http://{address}/ (Ctrl-C ends it)")?;
        writeln!(out, "tables {}", store.display())?;
        writeln!(out, "records {}", records.display())?;
        out.flush()?;
        if !address.ip().is_loopback() {
            warn("others than this machine can play, and use its time; links are not encrypted");
        }
        if arguments.open {
            open(&format!("http://{address}/"));
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// A file by its argument, or in the data folder, which is made if need be.
fn file(given: Option<&Path>, name: &str) -> anyhow::Result<PathBuf> {
    if let Some(given) = given {
        return Ok(given.to_owned());
    }
    let from = |variable| std::env::var_os(variable).map(PathBuf::from).filter(|p| p.is_absolute());
    let data = from("XDG_DATA_HOME").or_else(|| Some(from("HOME")?.join(".local/share")));
    let Some(data) = data else { bail!("there is no home folder; give --store and --records") };
    let folder = data.join("kisolo");
    std::fs::create_dir_all(&folder).with_context(|| format!("folder {}", folder.display()))?;
    Ok(folder.join(name))
}

/// Sees to it that others cannot read the file: keys are in it.
fn private(path: &Path) -> anyhow::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    let options = options.append(true).create(true).mode(0o600);
    options.open(path).map(drop).with_context(|| format!("store {}", path.display()))
}

/// This program first, then those of the command line.
fn field(matches: &ArgMatches) -> anyhow::Result<Vec<EngineSpec>> {
    let mut specs = vec![engines::engine(&engines::settings(&["name=kisolo".to_owned()])?)?];
    for group in matches.get_occurrences::<String>("engine").into_iter().flatten() {
        specs.push(engines::engine(&engines::settings(group)?)?);
    }
    let mut names = BTreeSet::new();
    for spec in &mut specs {
        if !names.insert(spec.name.clone()) {
            bail!("engine {}: there is one of this name; give it another (name=…)", spec.name);
        }
        spec.command = tie(&spec.command);
    }
    specs[0].options.insert("Hash".to_owned(), HASH.to_owned());
    Ok(specs)
}

/// Opens a page in the browser of the desktop.
fn open(address: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(program);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(error) = command.spawn() {
        warn(&format!("{program}: {error}; open {address} yourself"));
    }
}
