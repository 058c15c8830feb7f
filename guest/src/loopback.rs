//! The address in a runtime file (SPEC §6.3): our own strict reader of `http://HOST:PORT`. General URL parsers disagree on
//! backslashes, short addresses and default ports, and one of them lets something through.

/// Why an address is not used, in the order in which it is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressFault {
    /// Another scheme or no URL, user info, a backslash, a blank, a control character.
    BadUrl,
    /// A host other than `127.0.0.1`, `localhost` and `[::1]`.
    NotLoopback,
    /// No port, or none between 1 and 65535 as it is plainly written.
    BadPort,
}

impl AddressFault {
    /// The reason code.
    pub fn code(self) -> &'static str {
        match self {
            Self::BadUrl => "bad-url",
            Self::NotLoopback => "not-loopback",
            Self::BadPort => "bad-port",
        }
    }
}

/// A loopback address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address<'a> {
    /// The host as it was written.
    pub host: &'a str,
    /// The port.
    pub port: u16,
}

impl<'a> Address<'a> {
    /// Reads the host and the port of a URL; path, query and fragment are passed over.
    pub fn read(url: &'a str) -> Result<Self, AddressFault> {
        let is_odd =
            |character: char| character == '\\' || character.is_whitespace() || character.is_control();
        if url.chars().any(is_odd) {
            return Err(AddressFault::BadUrl);
        }
        let (scheme, rest) = url.split_once("://").ok_or(AddressFault::BadUrl)?;
        if !scheme.eq_ignore_ascii_case("http") {
            return Err(AddressFault::BadUrl);
        }
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(AddressFault::BadUrl);
        }
        let (host, port) = split_authority(authority)?;
        if !(matches!(host, "127.0.0.1" | "[::1]") || host.eq_ignore_ascii_case("localhost")) {
            return Err(AddressFault::NotLoopback);
        }
        let port = port.ok_or(AddressFault::BadPort)?;
        if port.starts_with('0') || !port.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(AddressFault::BadPort);
        }
        Ok(Self { host, port: port.parse().map_err(|_| AddressFault::BadPort)? })
    }

    /// The URL with another path, read again: it must still be this host and port.
    pub fn with_path(&self, path: &str) -> Result<String, AddressFault> {
        let url = format!("http://{}:{}{path}", self.host, self.port);
        let is_the_same =
            Address::read(&url).is_ok_and(|again| again.host == self.host && again.port == self.port);
        if is_the_same { Ok(url) } else { Err(AddressFault::BadUrl) }
    }
}

fn split_authority(authority: &str) -> Result<(&str, Option<&str>), AddressFault> {
    let host_end = match authority.strip_prefix('[') {
        Some(rest) => rest.find(']').map(|end| end + 2).ok_or(AddressFault::BadUrl)?,
        None => authority.find(':').unwrap_or(authority.len()),
    };
    let (host, rest) = authority.split_at_checked(host_end).ok_or(AddressFault::BadUrl)?;
    match rest.strip_prefix(':') {
        Some(port) => Ok((host, Some(port))),
        None if rest.is_empty() => Ok((host, None)),
        None => Err(AddressFault::BadUrl),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_hosts_are_passed_on_as_written() {
        for (url, host, port) in [
            ("http://127.0.0.1:1", "127.0.0.1", 1),
            ("HTTP://LocalHost:65535/x@y?#", "LocalHost", 65535),
            ("http://[::1]:8765?x=http://evil.test", "[::1]", 8765),
            ("http://localhost:80#@evil.test", "localhost", 80),
        ] {
            assert_eq!(Address::read(url), Ok(Address { host, port }), "{url}");
        }
    }

    #[test]
    fn odd_urls_have_their_reasons() {
        use AddressFault::{BadPort, BadUrl, NotLoopback};
        for (url, fault) in [
            ("", BadUrl),
            ("127.0.0.1:80", BadUrl),
            ("//127.0.0.1:80", BadUrl),
            ("http:127.0.0.1:80", BadUrl),
            ("http:/127.0.0.1:80", BadUrl),
            ("https://127.0.0.1:80", BadUrl),
            ("ws://127.0.0.1:80", BadUrl),
            (" http://127.0.0.1:80", BadUrl),
            ("http ://127.0.0.1:80", BadUrl),
            ("http://127.0.0.1:80\n", BadUrl),
            ("http://127.0.0.1:80/\u{a0}", BadUrl),
            ("http://127.0.0.1:80/\u{0}", BadUrl),
            ("http://127.0.0.1:80/\u{85}", BadUrl),
            ("http://evil.test\\@127.0.0.1:80", BadUrl),
            ("http:\\\\127.0.0.1:80", BadUrl),
            ("http://u@127.0.0.1:80", BadUrl),
            ("http://u:p@127.0.0.1:80", BadUrl),
            ("http://127.0.0.1:80@evil.test:80", BadUrl),
            ("http://@127.0.0.1:80", BadUrl),
            ("http://[::1:80", BadUrl),
            ("http://[::1]evil.test:80", BadUrl),
            ("http://:80", NotLoopback),
            ("http:///127.0.0.1:80", NotLoopback),
            ("http://127.0.0.1.:80", NotLoopback),
            ("http://127.1:80", NotLoopback),
            ("http://127.0.0.2:80", NotLoopback),
            ("http://0.0.0.0:80", NotLoopback),
            ("http://0:80", NotLoopback),
            ("http://2130706433:80", NotLoopback),
            ("http://0x7f.1:80", NotLoopback),
            ("http://0177.0.0.1:80", NotLoopback),
            ("http://127.0.0.01:80", NotLoopback),
            ("http://%3127.0.0.1:80", NotLoopback),
            ("http://localhost.:80", NotLoopback),
            ("http://localhost.evil.test:80", NotLoopback),
            ("http://\u{ff11}27.0.0.1:80", NotLoopback),
            ("http://loc\u{430}lhost:80", NotLoopback),
            ("http://::1:80", NotLoopback),
            ("http://[::ffff:127.0.0.1]:80", NotLoopback),
            ("http://[0:0:0:0:0:0:0:1]:80", NotLoopback),
            ("http://[::1%25lo]:80", NotLoopback),
            ("http://[]:80", NotLoopback),
            ("http://127.0.0.1", BadPort),
            ("http://127.0.0.1/", BadPort),
            ("http://127.0.0.1:", BadPort),
            ("http://127.0.0.1:0", BadPort),
            ("http://127.0.0.1:080", BadPort),
            ("http://127.0.0.1:65536", BadPort),
            ("http://127.0.0.1:99999999999999999999", BadPort),
            ("http://127.0.0.1:+80", BadPort),
            ("http://127.0.0.1:-80", BadPort),
            ("http://127.0.0.1:8e1", BadPort),
            ("http://127.0.0.1:80:81", BadPort),
            ("http://127.0.0.1:\u{661}", BadPort),
            ("http://[::1]", BadPort),
        ] {
            assert_eq!(Address::read(url), Err(fault), "{url:?}");
        }
    }

    #[test]
    fn a_path_that_moves_the_authority_is_refused() {
        let address = Address { host: "127.0.0.1", port: 80 };
        assert_eq!(address.with_path("/mcp"), Ok("http://127.0.0.1:80/mcp".to_owned()));
        for path in ["@evil.test/", "0/mcp", ".evil.test/", "\\@evil.test"] {
            assert!(address.with_path(path).is_err(), "{path}");
        }
    }
}
