//! The one place where the engine asks for the processor's wider instructions.
//!
//! Hot loops are written once, in safe code that the compiler can vectorise. Here they are compiled
//! a second time with AVX2, BMI and LZCNT switched on, and the copy to run is picked when the
//! program runs. Without them (or on another architecture) the plain copy runs: same code, same
//! result, slower.

#![allow(unsafe_code)]

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

/// Asks for the cache line of a value that is read soon. Changes nothing but the time it takes.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address is allowed, and this one is valid.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Whether the vector copy runs on this processor.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}
