//! One environment variable of this process.

use crate::{Fault, FaultCode, limits};

/// The value as it stands. Names are compared by the system's own rule.
///
/// No variable has an empty name or one with `=`: C libraries find `B=C` under `A` and so `C` under `A=B`, and Windows
/// keeps a drive's current folder under `=C:`. Both would be answers to a question nobody asked.
pub(super) fn variable(name: &str) -> Result<String, Fault> {
    if name.is_empty() || name.contains(['=', '\0']) {
        return Err(Fault::new(FaultCode::Absent, "no variable can have this name"));
    }
    let value =
        std::env::var_os(name).ok_or_else(|| Fault::new(FaultCode::Absent, "the variable is not set"))?;
    if value.len() > limits::MAX_VARIABLE {
        return Err(Fault::new(FaultCode::TooLarge, "the value is larger than 128 KiB"));
    }
    value.into_string().map_err(|_| Fault::new(FaultCode::Unsupported, "the value is not Unicode text"))
}
