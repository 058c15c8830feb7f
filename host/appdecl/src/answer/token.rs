//! Where an application listens, and the token that opens it.

use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};

/// A token that an application wrote into its runtime file.
///
/// It can be handed on by [`Token::reveal`] and in no other way: it has no `Display`, its `Debug` shows nothing of it, not
/// even its length, it can not be serialised, and two of them can not be compared.
///
/// ```compile_fail,E0277
/// fn print(token: appdecl::Token) {
///     println!("{token}");
/// }
/// ```
///
/// ```compile_fail,E0277
/// fn write_down(token: appdecl::Token) -> String {
///     serde_json::to_string(&token).unwrap()
/// }
/// ```
///
/// ```compile_fail,E0369
/// fn guess(token: appdecl::Token, other: appdecl::Token) -> bool {
///     token == other
/// }
/// ```
#[derive(Clone)]
pub struct Token(String);

impl Token {
    pub(super) fn new(secret: String) -> Self {
        Self(secret)
    }

    /// The token itself: visible ASCII, at most 8 KiB. Send it; never log it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

/// Where a running application listens (SPEC §6).
///
/// Serialised it says whether there is a token (`"token": "present"` or `"absent"`), and nothing of it.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// `http://HOST:PORT/PATH` on a loopback host.
    pub url: String,
    /// The token to send. The gate's redactor knows it already; without a redactor there is none.
    pub token: Option<Token>,
}

impl Serialize for Endpoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Endpoint", 2)?;
        fields.serialize_field("url", &self.url)?;
        fields.serialize_field("token", if self.token.is_some() { "present" } else { "absent" })?;
        fields.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debugging_shows_nothing_of_a_token_not_even_its_length() {
        let short =
            Endpoint { url: "http://127.0.0.1:1/mcp".to_owned(), token: Some(Token::new("a".to_owned())) };
        let long = Endpoint { token: Some(Token::new("b".repeat(8192))), ..short.clone() };
        assert_eq!(format!("{short:?}"), format!("{long:?}"));
        assert_eq!(format!("{:?}", short.token), "Some(Token(..))");
    }
}
