//! Any bytes as a Windows program: no panic, few reads, and a version is four numbers that are not all zero.
#![no_main]

use appdecl_guest::decode::pe::file_version;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut reads = 0;
    let version = file_version(&mut |offset, length| {
        reads += 1;
        assert!(length <= 65_536);
        let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..)).unwrap_or_default();
        Ok(rest.iter().copied().take(length as usize).collect())
    });
    assert!(reads <= 11);
    if let Ok(version) = version {
        let numbers: Vec<u16> = version.split('.').map(|number| number.parse().expect("a number")).collect();
        assert!(numbers.len() == 4 && numbers.iter().any(|number| *number != 0));
    }
});
