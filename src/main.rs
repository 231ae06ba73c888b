//! The binary `kisolo`; all it does is in [`kisolo::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    kisolo::cli::main()
}
