//! Secrets that are the right to a seat or to a look.

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

/// The bytes of a secret: 128 bits.
const BYTES: usize = 16;
/// The bytes of a table's name, which is no secret but not to be guessed.
const NAME_BYTES: usize = 8;

/// A secret. It is not shown in debugging output.
#[derive(Clone, Serialize, Deserialize)]
pub struct Key(String);

impl Key {
    /// A new one, from the system's source of randomness.
    ///
    /// # Errors
    /// When the system has none.
    pub fn new() -> Result<Self, getrandom::Error> {
        Ok(Self(random::<BYTES>()?))
    }

    /// Whether `text` is this secret, in a time that does not tell how much
    /// of it is right.
    pub fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }

    /// The secret, for its holder.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

/// A new name for a table.
///
/// # Errors
/// When the system has no randomness.
pub fn table_name() -> Result<String, getrandom::Error> {
    random::<NAME_BYTES>()
}

fn random<const N: usize>() -> Result<String, getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_key_fits() {
        let key = Key::new().unwrap();
        assert_eq!(key.reveal().len(), 32);
        assert!(key.is(key.reveal()));
        assert!(!key.is(""));
        assert!(!key.is(&key.reveal()[..31]));
        assert!(!key.is(Key::new().unwrap().reveal()));
        assert_eq!(format!("{key:?}"), "Key");
    }
}
