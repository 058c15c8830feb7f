//! Points in time as the contract has them: milliseconds since 1970-01-01T00:00:00Z, rounded down, and 0 before that.

use std::time::{SystemTime, UNIX_EPOCH};

/// None beyond what 64 bits hold.
pub(super) fn milliseconds(time: SystemTime) -> Option<u64> {
    u64::try_from(time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis()).ok()
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
    fn a_time_before_1970_is_known_and_passes_for_no_later_one() {
        assert_eq!(milliseconds(UNIX_EPOCH - Duration::from_micros(1)), Some(0));
        // Windows counts from 1601.
        assert_eq!(milliseconds(UNIX_EPOCH - Duration::from_secs(1 << 33)), Some(0));
    }
}
