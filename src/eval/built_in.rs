//! The networks that are part of the program.

use std::sync::LazyLock;

use super::Net;
use crate::rules::{Profile, Rules};

/// The files of `nets/`, in the order of [`Profile::ALL`].
const FILES: [&[u8]; Profile::ALL.len()] = [
    include_bytes!("../../nets/kisolo.net"),
    include_bytes!("../../nets/kisolo-free.net"),
    include_bytes!("../../nets/kisolo-full.net"),
    include_bytes!("../../nets/isolo.net"),
];

/// The network of a profile that is part of the program, if there is one.
pub fn built_in(profile: Profile) -> Option<&'static Net> {
    static NETS: LazyLock<Vec<Option<Net>>> = LazyLock::new(|| {
        // A test reads them all: none fails.
        FILES.iter().map(|bytes| Net::from_bytes(bytes).ok()).collect()
    });
    let index = Profile::ALL.iter().position(|&other| other == profile)?;
    NETS.get(index)?.as_ref()
}

/// What a search judges positions by.
#[derive(Clone, Copy, Debug, Default)]
pub enum Evaluation<'a> {
    /// The network that is part of the program, or the seeds where there is
    /// none.
    #[default]
    BuiltIn,
    /// The difference of seeds: [`super::evaluate`].
    Seeds,
    /// This network, in the profile that it was made for.
    Net(&'a Net),
}

impl<'a> Evaluation<'a> {
    /// The network that evaluates positions of these rules, or `None` if the
    /// seeds do.
    pub fn net<R: Rules>(self) -> Option<&'a Net> {
        match self {
            Self::BuiltIn => built_in(R::PROFILE),
            Self::Seeds => None,
            Self::Net(net) if net.profile() == R::PROFILE => Some(net),
            Self::Net(_) => built_in(R::PROFILE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_networks_of_their_profiles() {
        for (profile, file) in Profile::ALL.into_iter().zip(FILES) {
            assert_eq!(Net::from_bytes(file).map(|net| net.profile()), Ok(profile));
        }
    }
}
