//! The two components, one a feature: the gate, and the rules of packages. A harness that judges no packages does not load
//! their rules, and the rules of packages have no import at all.

#[cfg(all(feature = "gate", feature = "packages"))]
compile_error!(
    "a component is either the gate or the rules of packages: choose one of the features `gate` and `packages`"
);

#[cfg(feature = "gate")]
mod gate;
#[cfg(all(feature = "packages", not(feature = "gate")))]
mod packages;
