//! Who may read the pages, and who may change something through them.
//!
//! An agent runs as the same user, can reach this port and can read most of what the user's programs store. So a token
//! or a cookie proves little: every change must also come from a process that [`session::person`] takes for a person's.
//!
//! The name `<random>.localhost` keeps the cookie away from other servers on this machine: cookies ignore ports, and an
//! agent can start a server on another port of `localhost`.

use std::fs::File;
use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderMap, header};

/// The name of the cookie.
const COOKIE: &str = "steersman";
/// How many browsers may have a cookie; the oldest loses it.
const MAX_COOKIES: usize = 32;

/// The names, the token and the cookies of one server.
#[derive(Debug)]
pub(super) struct Access {
    name: String,
    port: u16,
    /// The token of the link, until a browser uses it.
    token: Mutex<Option<String>>,
    cookies: Mutex<Vec<String>>,
}

/// Why a request is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) String);

impl Access {
    pub(super) fn new(port: u16, is_person: bool) -> io::Result<Self> {
        let token = if is_person { Some(random_hex(32)?) } else { None };
        Ok(Self {
            name: format!("s{}.localhost", random_hex(8)?),
            port,
            token: Mutex::new(token),
            cookies: Mutex::default(),
        })
    }

    /// Returns the port of the pages.
    pub(super) const fn port(&self) -> u16 {
        self.port
    }

    /// Returns the address of the pages.
    pub(super) fn url(&self) -> String {
        format!("http://{}:{}/", self.name, self.port)
    }

    /// Returns the link with the token, if there is one.
    pub(super) fn link(&self) -> Option<String> {
        let token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        token.as_ref().map(|token| format!("{}enter?once={token}", self.url()))
    }

    /// Checks a request that reads. A web site that resolves its own name to 127.0.0.1 (DNS rebinding) must not read.
    pub(super) fn check_reading(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = text(headers, header::HOST.as_str()).unwrap_or("127.0.0.1");
        let name = host.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(host, |(name, _)| name);
        let is_ours = name == self.name || ["127.0.0.1", "localhost", "[::1]"].contains(&name);
        if !is_ours {
            return Err(Refusal("requests must use the host name of this server or localhost".to_owned()));
        }
        let is_embedded = text(headers, "sec-fetch-site") == Some("cross-site")
            && text(headers, "sec-fetch-mode") != Some("navigate");
        if is_embedded {
            return Err(Refusal("other sites must not load this page's parts".to_owned()));
        }
        Ok(())
    }

    /// Checks that a request to change something comes from one of our own pages.
    pub(super) fn check_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let own = format!("{}:{}", self.name, self.port);
        if text(headers, header::HOST.as_str()) != Some(own.as_str()) {
            return Err(Refusal(
                "the server accepts changes only at the address that `serve` printed".to_owned(),
            ));
        }
        let is_same = text(headers, header::ORIGIN.as_str()) == Some(format!("http://{own}").as_str())
            && matches!(text(headers, "sec-fetch-site"), None | Some("same-origin"));
        if is_same {
            Ok(())
        } else {
            Err(Refusal("the server accepts changes only from its own pages".to_owned()))
        }
    }

    /// Returns whether a request has the cookie of this server.
    pub(super) fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let cookies = self.cookies.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
        let mut values = sent.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
        values.any(|(name, value)| name == COOKIE && cookies.iter().any(|known| is_equal(known, value)))
    }

    /// Exchanges the token for a cookie. Returns the value of `Set-Cookie`, or `None` if the token is wrong or used.
    pub(super) fn redeem(&self, token: &str) -> io::Result<Option<String>> {
        let mut kept = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        if !kept.as_ref().is_some_and(|it| is_equal(it, token)) {
            return Ok(None);
        }
        let value = random_hex(32)?;
        *kept = None;
        let mut cookies = self.cookies.lock().unwrap_or_else(PoisonError::into_inner);
        if cookies.len() == MAX_COOKIES {
            cookies.remove(0);
        }
        cookies.push(value.clone());
        Ok(Some(format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict")))
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|it| it.to_str().ok())
}

fn is_port(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Compares two secrets in a time that does not depend on where they differ.
pub(super) fn is_equal(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

pub(super) fn random_hex(n_bytes: usize) -> io::Result<String> {
    let mut bytes = vec![0; n_bytes];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(encoding::hex::encode(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(fields: &[(&'static str, &str)]) -> HeaderMap {
        fields.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn only_our_names_may_read() {
        let access = Access::new(4717, false).unwrap();
        let own = format!("{}:4717", access.name);
        for (host, is_fine) in [
            (own.as_str(), true),
            ("127.0.0.1:4717", true),
            ("localhost", true),
            ("[::1]:4717", true),
            ("evil.example:4717", false),
            ("127.0.0.1.evil.example", false),
            ("other.localhost:4717", false),
        ] {
            assert_eq!(access.check_reading(&headers(&[("host", host)])).is_ok(), is_fine, "{host}");
        }
        let embedded =
            headers(&[("host", &own), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]);
        assert!(access.check_reading(&embedded).is_err());
    }

    #[test]
    fn changes_need_our_own_origin_and_name() {
        let access = Access::new(4717, true).unwrap();
        let own = format!("{}:4717", access.name);
        let origin = format!("http://{own}");
        let fine = [("host", own.as_str()), ("origin", origin.as_str()), ("sec-fetch-site", "same-origin")];
        assert_eq!(access.check_origin(&headers(&fine)), Ok(()));
        for bad in [
            vec![("host", "127.0.0.1:4717"), ("origin", "http://127.0.0.1:4717")],
            vec![("host", own.as_str())],
            vec![("host", own.as_str()), ("origin", "null")],
            vec![("host", own.as_str()), ("origin", "http://localhost:8080")],
            vec![("host", own.as_str()), ("origin", origin.as_str()), ("sec-fetch-site", "same-site")],
        ] {
            assert!(access.check_origin(&headers(&bad)).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_token_works_once_and_gives_a_cookie_for_this_host_only() {
        let access = Access::new(4717, true).unwrap();
        let link = access.link().unwrap();
        let token = link.rsplit_once('=').unwrap().1.to_owned();
        assert_eq!(access.redeem("wrong").unwrap(), None);
        let cookie = access.redeem(&token).unwrap().unwrap();
        assert_eq!((access.redeem(&token).unwrap(), access.link()), (None, None));
        assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict") && !cookie.contains("Domain"));
        let sent = cookie.split(';').next().unwrap();
        assert!(access.has_cookie(&headers(&[("cookie", &format!("a=b; {sent}"))])));
        assert!(!access.has_cookie(&headers(&[("cookie", "steersman=0")])));
        assert!(!access.has_cookie(&HeaderMap::new()));
    }

    #[test]
    fn without_a_person_there_is_no_token() {
        assert_eq!(Access::new(1, false).unwrap().link(), None);
    }
}
