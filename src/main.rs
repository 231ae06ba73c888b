//! The `kisolo` binary: maps the result of a command to an exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    kisolo::cli::main()
}
