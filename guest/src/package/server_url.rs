//! The URL of a server and the HTTP fields sent to it (SPEC §9.1): a strict reader of our own.
//!
//! General URL parsers disagree on backslashes, short addresses, blanks and default ports, and repair what they dislike.
//! A client of another language reads the same text with another parser, so that only text is accepted that all of them
//! read alike.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Why a text is no URL of a server.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum UrlFault {
    /// Not well-formed, or with a part that is not allowed; what is expected.
    Bad(&'static str),
    /// `http` to a host that is not this machine.
    Insecure,
}

/// Judges a URL: absolute, `http` or `https`, and `http` to this machine alone.
pub(super) fn judge_url(url: &str) -> Result<(), UrlFault> {
    use UrlFault::Bad;
    if !url.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Bad("visible ASCII characters alone, without blanks"));
    }
    if url.contains('#') {
        return Err(Bad("no fragment, not even an empty one"));
    }
    let (scheme, rest) =
        url.split_once("://").ok_or(Bad("an absolute URL such as `https://example.com/mcp`"))?;
    let secure = match scheme.to_ascii_lowercase().as_str() {
        "https" => true,
        "http" => false,
        _ => return Err(Bad("the scheme `https` or `http`")),
    };
    let (authority, after) =
        rest.split_at_checked(rest.find(['/', '?']).unwrap_or(rest.len())).unwrap_or((rest, ""));
    if authority.contains('@') {
        return Err(Bad("no user information before the host"));
    }
    let (host, port) = split_port(authority).ok_or(Bad("a host, perhaps followed by `:` and a port"))?;
    if let Some(port) = port
        && !is_port(port)
    {
        return Err(Bad("a port from 1 to 65535 without leading zeros"));
    }
    let loopback = host_is_loopback(host).ok_or(Bad("a well-formed host name or address"))?;
    if !is_path_and_query(after) {
        return Err(Bad(
            "a path and query of the characters that RFC 3986 allows, `%` before two hexadecimal digits",
        ));
    }
    if secure || loopback { Ok(()) } else { Err(UrlFault::Insecure) }
}

/// The host, in brackets where it is an IPv6 address, and the port.
fn split_port(authority: &str) -> Option<(&str, Option<&str>)> {
    let end = if authority.starts_with('[') {
        authority.find(']')? + 1
    } else {
        authority.find(':').unwrap_or(authority.len())
    };
    let (host, rest) = authority.split_at_checked(end)?;
    match rest.strip_prefix(':') {
        Some(port) => Some((host, Some(port))),
        None => rest.is_empty().then_some((host, None)),
    }
}

fn is_port(port: &str) -> bool {
    !port.starts_with('0') && port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok()
}

/// Whether a well-formed host is this machine; nothing where it is not well-formed.
fn host_is_loopback(host: &str) -> Option<bool> {
    if let Some(address) = host.strip_prefix('[') {
        return address.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(|address| address.is_loopback());
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    let well_formed = name.len() <= 253
        && name.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
                && !label.starts_with('-')
                && !label.ends_with('-')
        });
    if !well_formed {
        return None;
    }
    // A name whose last label is a number is an address to many parsers, in forms that others do not know (127.1, 0x7f.1).
    let last = name.rsplit('.').next().unwrap_or_default();
    let hexadecimal = last.strip_prefix("0x").or_else(|| last.strip_prefix("0X"));
    if hexadecimal.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit())) {
        return None;
    }
    if last.bytes().all(|byte| byte.is_ascii_digit()) {
        return host.parse::<Ipv4Addr>().ok().map(|address| address.is_loopback());
    }
    Some(host.eq_ignore_ascii_case("localhost"))
}

fn is_path_and_query(text: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let good = match byte {
            b'%' => {
                let digits = [bytes.next(), bytes.next()];
                digits.iter().all(|digit| digit.is_some_and(|digit| digit.is_ascii_hexdigit()))
            }
            other => other.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&other),
        };
        if !good {
            return false;
        }
    }
    true
}

/// Whether a text is the name of an HTTP field (RFC 9110 §5.1: a token).
pub(super) fn is_field_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Whether a text is the value of an HTTP field (RFC 9110 §5.5), of visible ASCII: what is beyond, clients send in
/// different ways or not at all.
pub(super) fn is_field_value(value: &str) -> bool {
    let inside = |byte: u8| byte.is_ascii_graphic() || byte == b' ' || byte == b'\t';
    value.bytes().all(inside) && value == value.trim_matches([' ', '\t'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_good_where_every_client_reads_it_alike() {
        for url in [
            "https://example.com",
            "HTTPS://Example.COM:8443/mcp?x=1&y=%20",
            "https://my_host.internal./mcp",
            "https://10.0.0.1/mcp",
            "https://[2001:db8::1]:8443/",
            "http://localhost:3000/mcp",
            "http://LOCALHOST/",
            "http://127.0.0.1",
            "http://127.255.1.2:1/",
            "http://[::1]/mcp",
            "http://[0:0:0:0:0:0:0:1]:80",
        ] {
            assert_eq!(judge_url(url), Ok(()), "{url}");
        }
    }

    #[test]
    fn plain_http_reaches_this_machine_alone() {
        for url in [
            "http://example.com/",
            "http://localhost.example.com/",
            "http://localhost./",
            "http://128.0.0.1/",
            "http://126.255.255.255/",
            "http://0.0.0.0/",
            "http://[::2]/",
            "http://[::ffff:127.0.0.1]/",
        ] {
            assert_eq!(judge_url(url), Err(UrlFault::Insecure), "{url}");
        }
    }

    #[test]
    fn a_url_that_parsers_read_differently_is_bad() {
        for url in [
            "",
            "example.com/mcp",
            "/mcp",
            "//example.com/mcp",
            "https:example.com",
            "https:/example.com",
            "https://",
            "https:///mcp",
            "https://?x",
            "ftp://example.com/",
            "ws://localhost/",
            "https://user@example.com/",
            "https://user:secret@example.com/",
            "https://@example.com/",
            "https://example.com/#part",
            "https://example.com/#",
            "https://example.com#",
            " https://example.com/",
            "https://example.com/ ",
            "https://exa mple.com/",
            "https://example.com/a b",
            "https://example.com/\u{7f}",
            "https://example.com/\n",
            "https://example.com\\@evil.test/",
            "https://example.com/a\\b",
            "https://ex\u{e4}mple.com/",
            "https://example.com/{tenant}",
            "https://example.com/${TENANT}",
            "https://example.com/%",
            "https://example.com/%2",
            "https://example.com/%zz",
            "https://example.com:/",
            "https://example.com:0/",
            "https://example.com:080/",
            "https://example.com:65536/",
            "https://example.com:+1/",
            "https://example.com:1:2/",
            "https://exam%70le.com/",
            "https://-a.com/",
            "https://a-.com/",
            "https://a..com/",
            "https://.com/",
            "http://127.1/",
            "http://2130706433/",
            "http://0x7f000001/",
            "http://0x7f.1/",
            "http://127.0.0.01/",
            "http://127.0.0.256/",
            "http://127.0.0.1./",
            "http://[::1/",
            "http://::1/",
            "http://[::1%25lo]/",
            "http://[127.0.0.1]/",
            "http://[::1]x/",
        ] {
            assert!(matches!(judge_url(url), Err(UrlFault::Bad(_))), "{url}");
        }
        assert!(matches!(judge_url(&format!("https://{}.com/", "a".repeat(64))), Err(UrlFault::Bad(_))));
    }

    #[test]
    fn fields_are_those_that_http_can_carry() {
        for name in ["X-Tenant", "accept", "a!#$%&'*+.^_`|~1"] {
            assert!(is_field_name(name), "{name}");
        }
        for name in ["", "X Tenant", "X:", "X\n", "\u{e4}", "a(b)"] {
            assert!(!is_field_name(name), "{name}");
        }
        for value in ["", "public", "a b\tc", "${ANY}"] {
            assert!(is_field_value(value), "{value}");
        }
        for value in [" a", "a ", "a\r\nX-Evil: 1", "a\u{0}", "\u{e4}", "\t"] {
            assert!(!is_field_value(value), "{value:?}");
        }
    }
}
