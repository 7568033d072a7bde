//! The one place where the processor's wider instructions are asked for, and memory ahead of its use.
//!
//! Hot loops are written once, in safe code that the compiler can vectorise. Here they are compiled
//! a second time with AVX2, BMI and LZCNT switched on, and the copy to run is picked when the
//! program runs. Without them (or on another architecture) the plain copy runs: same code, same
//! result, slower. What a compiler does not find by itself is said with [`Lanes`].

#![allow(unsafe_code)]

use std::sync::LazyLock;

mod columns;
mod lanes;

pub(crate) use columns::Columns;
pub(crate) use lanes::{LANES, Lanes, SetTable, first_bits, first_lanes};

/// Runs `f` with the widest instructions this processor has. `f` must be `#[inline(always)]`, or
/// its loops are not part of the compiled copy.
#[inline(always)]
pub(crate) fn with_vectors<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn vectors<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        if available() {
            // SAFETY: `available` has just checked every feature that `vectors` is compiled with.
            return unsafe { vectors(f) };
        }
    }
    f()
}

/// Work on lanes of any kind.
pub(crate) trait Kernel {
    type Output;

    /// Does the work. Must be `#[inline(always)]`, or it is not part of the copy that is compiled for the
    /// lanes it gets.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Whether [`with_lanes`] has other lanes than plain ones, which are slow.
pub(crate) fn has_lanes() -> bool {
    #[cfg(target_arch = "x86_64")]
    return available();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// As [`with_vectors`], for work that has to be told what lanes there are.
#[inline(always)]
pub(crate) fn with_lanes<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if available() {
        return with_vectors(
            #[inline(always)]
            || kernel.run::<lanes::avx2::Avx2>(),
        );
    }
    kernel.run::<lanes::Plain>()
}

/// Asks for the cache line of a value that is read soon. Changes nothing but the time it takes.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    prefetch_at(std::slice::from_ref(value), 0);
}

/// Asks for the cache line of a value of a slice, which need not be there.
#[inline(always)]
pub(crate) fn prefetch_at<T>(values: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address is allowed.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(values.as_ptr().wrapping_add(index).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (values, index);
}

/// Whether the vector copy runs on this processor.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn available() -> bool {
    static AVAILABLE: LazyLock<bool> = LazyLock::new(|| {
        !portable()
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    });
    *AVAILABLE
}

/// True if the environment variable `BOGGLEMAX_PORTABLE` is set to anything but nothing or 0: only code that
/// runs on every processor is used, so that it can be compared with the rest.
pub(crate) fn portable() -> bool {
    static PORTABLE: LazyLock<bool> = LazyLock::new(|| {
        std::env::var_os("BOGGLEMAX_PORTABLE").is_some_and(|value| !value.is_empty() && value != "0")
    });
    *PORTABLE
}
