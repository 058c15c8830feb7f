//! A declaration of a stranger: faults or a declaration, never a panic.
#![no_main]

use appdecl_guest::declaration;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = declaration::parse(text, "fuzz");
});
