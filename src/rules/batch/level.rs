//! The instruction sets that the kernels are compiled for.

/// An instruction set. Results are the same at every level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuLevel {
    /// What every processor of the target has.
    Plain,
    /// 256-bit integer vectors of x86-64.
    Avx2,
}

impl CpuLevel {
    /// The best level that this machine has.
    pub fn best() -> Self {
        *Self::available().last().unwrap_or(&Self::Plain)
    }

    /// All levels that this machine has, the slowest first.
    #[inline]
    pub fn available() -> &'static [Self] {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return &[Self::Plain, Self::Avx2];
        }
        &[Self::Plain]
    }

    /// Runs a kernel, compiled for this level; plain if the machine does not
    /// have it.
    #[inline]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        if self == Self::Avx2 && Self::available().contains(&self) {
            #[expect(unsafe_code, reason = "only this level may use AVX2")]
            // SAFETY: the processor has just been found to have AVX2.
            return unsafe { run_avx2(kernel) };
        }
        kernel.run()
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
