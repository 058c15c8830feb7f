//! stub
/// stub
pub fn bundle_version(_bytes: &[u8]) -> Result<String, &'static str> {
    Err("stub")
}
