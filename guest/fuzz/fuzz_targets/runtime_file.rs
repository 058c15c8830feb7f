//! The bytes of a runtime file and the URL in it: an address on this machine or none, never a panic.
#![no_main]

use appdecl_guest::decode::runtime_file;
use appdecl_guest::json::Value;
use appdecl_guest::loopback::Address;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let object = runtime_file::object(bytes);
    let url = object.as_ref().and_then(|object| object.get("http")).and_then(Value::as_text);
    if let Some(Ok(address)) = url.map(Address::read) {
        assert!(matches!(address.host, "127.0.0.1" | "[::1]") || address.host.eq_ignore_ascii_case("localhost"));
    }
});
