//! Any bytes as an Info.plist: no panic, and a version is never empty.
#![no_main]

use appdecl_guest::decode::plist::bundle_version;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(version) = bundle_version(bytes) {
        assert!(!version.is_empty());
    }
});
