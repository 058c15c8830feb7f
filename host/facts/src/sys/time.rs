//! Points in time as the contract has them: milliseconds since 1970-01-01T00:00:00Z, rounded down.

use std::time::{SystemTime, UNIX_EPOCH};

/// None before 1970 and beyond what 64 bits hold.
pub(super) fn milliseconds(time: SystemTime) -> Option<u64> {
    u64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::milliseconds;

    #[test]
    fn parts_of_a_millisecond_are_cut_off() {
        assert_eq!(milliseconds(UNIX_EPOCH + Duration::from_micros(1_999)), Some(1));
        assert_eq!(milliseconds(UNIX_EPOCH), Some(0));
    }

    #[test]
    fn before_1970_there_is_no_answer() {
        assert_eq!(milliseconds(UNIX_EPOCH - Duration::from_micros(1)), None);
    }
}
