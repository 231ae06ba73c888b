//! Learning an evaluation: self-play that makes samples, and the fit of a
//! network to them.

mod fit;
mod generate;
mod linear;
mod model;
mod sample;

pub use fit::{Data, Fit, Recipe};
pub use generate::Generator;
pub use linear::{Linear, blind_loss};
pub use model::Model;
pub use sample::{Header, MAGIC, Sample, ShardError, VERSION, read, write};
