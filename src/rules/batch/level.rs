//! The instruction sets that the kernels are compiled for.

use std::fmt;

/// An instruction set. Results are the same at every level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuLevel {
    /// What every processor of the target has.
    Plain,
    /// 256-bit integer vectors of x86-64.
    Avx2,
}

impl CpuLevel {
    /// The levels, slowest first.
    pub const ALL: [Self; 2] = [Self::Plain, Self::Avx2];

    /// Whether this processor has the level.
    #[inline]
    pub fn is_available(self) -> bool {
        match self {
            Self::Plain => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => std::arch::is_x86_feature_detected!("avx2"),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 => false,
        }
    }

    /// The best level that this processor has.
    pub fn detect() -> Self {
        if Self::Avx2.is_available() { Self::Avx2 } else { Self::Plain }
    }

    /// The name in English.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Avx2 => "avx2",
        }
    }

    /// Runs a kernel, compiled for this level; plain if the processor does not
    /// have it.
    #[inline]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        if self == Self::Avx2 && self.is_available() {
            #[expect(unsafe_code, reason = "only this level may use AVX2")]
            // SAFETY: the processor was just found to have AVX2.
            return unsafe { run_avx2(kernel) };
        }
        kernel.run()
    }
}

impl fmt::Display for CpuLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Work that is compiled once for each level. `run`, and everything in it that
/// touches rows, is `#[inline(always)]`, since only what is inlined into a
/// function takes on the instructions allowed to it.
pub(super) trait Kernel {
    /// What it returns.
    type Output;
    /// Does the work.
    fn run(self) -> Self::Output;
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
