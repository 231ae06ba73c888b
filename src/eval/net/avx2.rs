//! The network by AVX2: what [`super::plain`] does, sixteen units at once.

use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi16,
    _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256,
    _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
};

use super::{HIDDEN, Inputs, Net, UNIT};

/// The hidden units in two registers.
type Hidden = [__m256i; 2];

/// The output unit of a position that sets the inputs of these rows, in units
/// of `1 / (UNIT * OUTPUT_UNIT)`.
#[target_feature(enable = "avx2")]
#[inline]
pub fn output(net: &Net, inputs: &Inputs) -> i32 {
    let mut hidden = load(&net.bias);
    for &input in inputs.all() {
        let row = load(&net.rows[usize::from(input)]);
        hidden = [_mm256_add_epi16(hidden[0], row[0]), _mm256_add_epi16(hidden[1], row[1])];
    }
    let (zero, unit) = (_mm256_setzero_si256(), _mm256_set1_epi16(UNIT));
    let weights = load(&net.output);
    let clip = |units| _mm256_min_epi16(_mm256_max_epi16(units, zero), unit);
    let sums = _mm256_add_epi32(
        _mm256_madd_epi16(clip(hidden[0]), weights[0]),
        _mm256_madd_epi16(clip(hidden[1]), weights[1]),
    );
    let sums = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b00_00_11_10>(sums));
    let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b00_00_00_01>(sums));
    net.output_bias + _mm_cvtsi128_si32(sums)
}

/// Thirty-two numbers as two registers.
#[target_feature(enable = "avx2")]
#[inline]
fn load(numbers: &[i16; HIDDEN]) -> Hidden {
    let half = numbers.as_ptr().cast::<__m256i>();
    #[expect(unsafe_code, reason = "there is no safe load")]
    // SAFETY: the array is as long as two registers, and the load asks for no
    // alignment.
    unsafe {
        [_mm256_loadu_si256(half), _mm256_loadu_si256(half.add(1))]
    }
}
