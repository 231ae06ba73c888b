//! The `kisolo` binary.

fn main() -> std::io::Result<()> {
    kisolo::protocol::run(std::io::BufReader::new(std::io::stdin()), std::io::stdout().lock())
}
