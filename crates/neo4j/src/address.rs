//! Where a database is, as its URI says.

/// A machine and a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    pub(crate) host: String,
    pub(crate) port: u16,
}

/// Where Neo4j listens unless it is told otherwise.
const PORT: u16 = 7687;

impl Address {
    /// Reads `bolt://host:port` or `neo4j://host:port`.
    pub fn parse(uri: &str) -> Result<Self, String> {
        let (scheme, rest) = uri
            .split_once("://")
            .ok_or_else(|| format!("`{uri}` is no address; it looks like `bolt://localhost:7687`"))?;
        match scheme {
            "bolt" | "neo4j" => {}
            "bolt+s" | "bolt+ssc" | "neo4j+s" | "neo4j+ssc" => {
                let machine = rest.split(['/', '?', ':']).next().filter(|name| !name.is_empty());
                return Err(format!(
                    "`{scheme}` is encrypted, and steersman speaks Bolt only in the clear. Instead: bring the database to \
                     this machine (`ssh -L {PORT}:localhost:{PORT} {}`) and name `bolt://localhost:{PORT}`",
                    machine.unwrap_or("HOST")
                ));
            }
            _ => return Err(format!("`{scheme}` is no scheme of Neo4j; it is `bolt` or `neo4j`")),
        }
        let place = rest.split(['/', '?']).next().unwrap_or(rest);
        let (host, port) = match place.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, port)) => (host, port.strip_prefix(':')),
            None => place.split_once(':').map_or((place, None), |(host, port)| (host, Some(port))),
        };
        let port = match port {
            None => PORT,
            Some(port) => port.parse().map_err(|_| format!("`{port}` is no port"))?,
        };
        if host.is_empty() {
            return Err(format!("`{uri}` names no machine"));
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
            ("localhost:7687", "is no address"),
            ("http://localhost", "is no scheme"),
            ("bolt+s://localhost", "encrypted"),
            ("neo4j+s://db.example.org:7687", "`ssh -L 7687:localhost:7687 db.example.org`"),
            ("neo4j+ssc://", "localhost:7687 HOST"),
            ("bolt://localhost:many", "is no port"),
            ("bolt://:7687", "names no machine"),
        ] {
            assert!(Address::parse(uri).unwrap_err().contains(complaint), "{uri}");
        }
    }
}
