//! The address of a database server, parsed from its URI.

/// A host name and a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    pub(crate) host: String,
    pub(crate) port: u16,
}

/// The default port of Neo4j.
const PORT: u16 = 7687;

impl Address {
    /// Parses `bolt://host:port` or `neo4j://host:port`.
    pub fn parse(uri: &str) -> Result<Self, String> {
        let (scheme, rest) = uri.split_once("://").ok_or_else(|| {
            format!("cannot parse the address `{uri}`; hint: write it like `bolt://localhost:7687`")
        })?;
        match scheme {
            "bolt" | "neo4j" => {}
            "bolt+s" | "bolt+ssc" | "neo4j+s" | "neo4j+ssc" => {
                let machine = rest.split(['/', '?', ':']).next().filter(|name| !name.is_empty());
                return Err(format!(
                    "steersman does not support encrypted connections (`{scheme}`); hint: tunnel the database's port to \
                     this machine (`ssh -L {PORT}:localhost:{PORT} {}`) and use `bolt://localhost:{PORT}`",
                    machine.unwrap_or("HOST")
                ));
            }
            _ => return Err(format!("unknown scheme `{scheme}`; hint: use `bolt` or `neo4j`")),
        }
        let place = rest.split(['/', '?']).next().unwrap_or(rest);
        let (host, port) = match place.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, port)) => (host, port.strip_prefix(':')),
            None => place.split_once(':').map_or((place, None), |(host, port)| (host, Some(port))),
        };
        let port = match port {
            None => PORT,
            Some(port) => port.parse().map_err(|_| format!("invalid port `{port}`"))?,
        };
        if host.is_empty() {
            return Err(format!("the address `{uri}` has no host name"));
        }
        Ok(Self { host: host.to_owned(), port })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_mistakes_are_named() {
        for (uri, host, port) in [
            ("bolt://localhost", "localhost", 7687),
            ("neo4j://db.example.org:1234/neo4j", "db.example.org", 1234),
            ("bolt://[::1]:7688", "::1", 7688),
        ] {
            assert_eq!(Address::parse(uri), Ok(Address { host: host.into(), port }), "{uri}");
        }
        for (uri, complaint) in [
            ("localhost:7687", "cannot parse the address"),
            ("http://localhost", "unknown scheme"),
            ("bolt+s://localhost", "encrypted"),
            ("neo4j+s://db.example.org:7687", "`ssh -L 7687:localhost:7687 db.example.org`"),
            ("neo4j+ssc://", "localhost:7687 HOST"),
            ("bolt://localhost:many", "invalid port"),
            ("bolt://:7687", "has no host name"),
        ] {
            assert!(Address::parse(uri).unwrap_err().contains(complaint), "{uri}");
        }
    }
}
