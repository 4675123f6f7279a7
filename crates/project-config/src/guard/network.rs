//! The section `network` of `config.json`: the hosts that tools may reach.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `"network": { "allowHosts": ["api.github.com", "*.example.org"] }`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "NetworkSettings"))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct NetworkSettings {
    /// The hosts that network tools, MCP tools and commands may reach, as names or as `*.example.org`. This machine is
    /// always allowed. Without the key every host is allowed.
    pub allow_hosts: Option<Vec<String>>,
}

impl NetworkSettings {
    /// The key in `config.json`.
    pub const SECTION: &'static str = "network";

    /// Reads the section. A mistake adds a warning and allows no host but this machine: it must not switch the list off.
    pub fn read(section: &Value) -> (Self, Option<String>) {
        match Self::deserialize(section) {
            Ok(settings) => (settings, None),
            Err(_) if section.is_null() => (Self::default(), None),
            Err(error) => {
                let warning =
                    format!("`network` in config.json: {error}; no host is allowed until it is corrected");
                (Self { allow_hosts: Some(Vec::new()) }, Some(warning))
            }
        }
    }

    /// Returns the host of an address that the project does not allow.
    pub fn refuses<'a>(&self, address: &'a str) -> Option<&'a str> {
        let allowed = self.allow_hosts.as_ref()?;
        let host = shell::guard::remote_host(address)?;
        let fits = |pattern: &String| match pattern.strip_prefix("*.") {
            Some(domain) => {
                host.len() > domain.len()
                    && host[host.len() - domain.len()..].eq_ignore_ascii_case(domain)
                    && host.as_bytes()[host.len() - domain.len() - 1] == b'.'
            }
            None => pattern == "*" || host.eq_ignore_ascii_case(pattern),
        };
        (!allowed.iter().any(fits)).then_some(host)
    }
}

/// Words the refusal of a host.
pub fn host_refusal(host: &str) -> String {
    format!(
        "The project allows tools to reach only the hosts in `network.allowHosts` of .ai/hooks/config.json, and `{host}` is \
         not among them. Instead: use an allowed host, or ask the user to add this one."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_listed_hosts_and_this_machine_are_allowed() {
        let (settings, warning) = NetworkSettings::read(&json!({"allowHosts": ["api.a.org", "*.b.org"]}));
        assert_eq!(warning, None);
        for address in
            ["https://api.a.org/x", "http://x.b.org:80", "http://localhost:3000", "http://127.0.0.1/"]
        {
            assert_eq!(settings.refuses(address), None, "{address}");
        }
        for (address, host) in [
            ("https://a.org", "a.org"),
            ("https://b.org/", "b.org"),
            ("https://api.a.org.evil.io/x", "api.a.org.evil.io"),
            ("https://api.a.org@evil.io/", "evil.io"),
            ("https://xb.org", "xb.org"),
        ] {
            assert_eq!(settings.refuses(address), Some(host), "{address}");
        }
    }

    #[test]
    fn without_a_list_every_host_is_allowed_and_a_broken_list_allows_none() {
        assert_eq!(NetworkSettings::read(&Value::Null).0.refuses("https://a.org"), None);
        let (settings, warning) = NetworkSettings::read(&json!({"allowHosts": "a.org"}));
        assert!(warning.is_some());
        assert_eq!(settings.refuses("https://a.org"), Some("a.org"));
    }
}
