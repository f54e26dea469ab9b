//! Access control, applied to a request before anything else.
//!
//! A page of another site can make a browser send requests here, and by DNS rebinding under a host name of its own. So
//! the host must be the address that the studio listens on, the origin must match it, and requests that change or start
//! something must carry the token found in the studio's own pages, which other sites cannot read.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Header that carries the page's token.
pub(super) const TOKEN: HeaderName = HeaderName::from_static("x-saratoga-token");
/// Cookie that grants access when the studio is reachable from other machines.
const COOKIE: &str = "saratoga";

/// Allows only the studio's own files: no inline script or style; of other pages only reports in frames.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

pub(super) struct Gate {
    at: SocketAddr,
    /// Token embedded in every page.
    page: String,
    /// Token required of everyone when the studio is reachable from other machines.
    access: Option<String>,
}

enum Refusal {
    Host,
    Origin,
    Access,
    Token,
}

impl Gate {
    /// Creates a gate for this address; with `access`, it admits only holders of a token. Fails if the system has no
    /// random numbers.
    pub fn new(at: SocketAddr, access: bool) -> Result<Gate, getrandom::Error> {
        let access = access.then(token).transpose()?;
        Ok(Gate { at, page: token()?, access })
    }

    pub fn page_token(&self) -> &str {
        &self.page
    }

    /// Returns the address of the studio, including the access token.
    pub fn url(&self) -> String {
        let host = match self.at.ip() {
            ip if ip.is_unspecified() => SocketAddr::new([127, 0, 0, 1].into(), self.at.port()).to_string(),
            _ => self.at.to_string(),
        };
        match &self.access {
            Some(token) => format!("http://{host}/?token={token}"),
            None => format!("http://{host}/"),
        }
    }

    fn judge(&self, request: &Request) -> Result<(), Refusal> {
        let headers = request.headers();
        let host = only(headers, header::HOST).filter(|host| self.knows(host)).ok_or(Refusal::Host)?;
        if headers.contains_key(header::ORIGIN) {
            let own = only(headers, header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
            own.filter(|own| *own == host).ok_or(Refusal::Origin)?;
        }
        // A link on another site may lead here; every other cross-site request is refused.
        let from = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let navigates = headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
        let reads = [Method::GET, Method::HEAD].contains(request.method());
        if from.is_some_and(|from| !matches!(from, b"same-origin" | b"none")) && !(navigates && reads) {
            return Err(Refusal::Origin);
        }
        if let Some(access) = &self.access {
            let cookie = cookies(headers).any(|(name, value)| name == COOKIE && same(value, access));
            if !cookie && !self.brings_access(request) {
                return Err(Refusal::Access);
            }
        }
        if !reads && !only(headers, TOKEN).is_some_and(|token| same(token, &self.page)) {
            return Err(Refusal::Token);
        }
        Ok(())
    }

    /// Returns whether the URL of a request carries the access token.
    fn brings_access(&self, request: &Request) -> bool {
        let Some(access) = &self.access else { return false };
        let query = request.uri().query().unwrap_or_default();
        let token = query.split('&').find_map(|part| part.strip_prefix("token="));
        request.method() == Method::GET && token.is_some_and(|token| same(token, access))
    }

    /// Returns whether `host` names this address. IP addresses cannot be rebound, unlike host names.
    fn knows(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        if port != Some(self.at.port()) {
            return false;
        }
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let ip = self.at.ip();
        match bare.parse::<IpAddr>() {
            Ok(named) => named == ip || ip.is_unspecified() || ip.is_loopback() && named.is_loopback(),
            Err(_) => bare.eq_ignore_ascii_case("localhost") && (ip.is_loopback() || ip.is_unspecified()),
        }
    }
}

/// Middleware that refuses foreign requests and adds the security headers to every answer.
pub(super) async fn guard(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let mut response = match gate.judge(&request) {
        Err(refusal) => refuse(&refusal),
        Ok(()) if gate.brings_access(&request) => let_in(&gate),
        Ok(()) => next.run(request).await,
    };
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(header::REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(header::CACHE_CONTROL, "no-store");
    response
}

/// Moves the token from the URL, which is kept and shown, to a cookie.
fn let_in(gate: &Gate) -> Response {
    let token = gate.access.as_deref().unwrap_or_default();
    let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
    (StatusCode::SEE_OTHER, [(header::SET_COOKIE, cookie), (header::LOCATION, "/".into())]).into_response()
}

fn refuse(refusal: &Refusal) -> Response {
    let why = match refusal {
        Refusal::Host => "this is not a name of the studio: open the address that it printed",
        Refusal::Origin => "another site asked for this",
        Refusal::Access => "open the address that the studio printed, with its token",
        Refusal::Token => "the page is of another run of the studio: load it again",
    };
    let status =
        if matches!(refusal, Refusal::Access) { StatusCode::UNAUTHORIZED } else { StatusCode::FORBIDDEN };
    (status, format!("refused: {why}\n")).into_response()
}

/// Returns the value of a header that occurs exactly once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?;
    if all.next().is_some() { None } else { first.to_str().ok() }
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split(';')).filter_map(|part| part.trim().split_once('='))
}

/// Compares two texts in constant time.
fn same(a: &str, b: &str) -> bool {
    let differ = a.bytes().zip(b.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    a.len() == b.len() && std::hint::black_box(differ) == 0
}

/// Returns 128 random bits in hexadecimal digits.
fn token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_names_of_the_address_are_known() {
        let at = |address: &str| Gate::new(address.parse().unwrap(), false).unwrap();
        let local = at("127.0.0.1:8052");
        for good in ["127.0.0.1:8052", "localhost:8052", "LocalHost:8052", "[::1]:8052"] {
            assert!(local.knows(good), "{good}");
        }
        for bad in [
            "evil.example:8052",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost.evil.example:8052",
            "10.0.0.1:8052",
            "",
            ":",
        ] {
            assert!(!local.knows(bad), "{bad}");
        }
        let all = at("0.0.0.0:8052");
        assert!(all.knows("192.168.1.7:8052") && !all.knows("evil.example:8052"));
        assert!(!at("192.168.1.7:8052").knows("localhost:8052"));
        assert!(at("127.0.0.1:80").knows("127.0.0.1"));
    }

    #[test]
    fn tokens_are_long_and_never_the_same() {
        let (a, b) = (token().unwrap(), token().unwrap());
        assert!(a.len() == 32 && a != b && same(&a, &a.clone()) && !same(&a, &b) && !same(&a, &a[1..]));
    }
}
