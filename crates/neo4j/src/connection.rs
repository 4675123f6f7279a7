//! A connection that implements the part of Bolt we need: the handshake, and one query with one
//! value.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::address::Address;
use crate::packstream::{Message, list, read_message, text};

/// A connection to a Bolt server.
pub(crate) struct Connection {
    stream: TcpStream,
    /// Major and minor.
    version: (u8, u8),
}

/// The first bytes of every Bolt connection.
const MAGIC: [u8; 4] = [0x60, 0x60, 0xB0, 0x17];

/// The offered versions, the best first: 5.4 down to 5.0, 4.4 down to 4.1, 4.0, 3. Servers that do
/// not support ranges choose 4.0 or 3.
const OFFERED: [[u8; 4]; 4] = [[0, 4, 4, 5], [0, 3, 4, 4], [0, 0, 0, 4], [0, 0, 0, 3]];

/// Returns whether the version that a server chose is in [`OFFERED`].
const fn is_offered(chosen: [u8; 4]) -> bool {
    matches!(chosen, [0, 0, 0..=4, 5 | 4] | [0, 0, 0, 3])
}

/// The first version with a separate LOGON message.
const LOGON_APART: (u8, u8) = (5, 1);

/// The first version in which HELLO must contain `bolt_agent`.
const NAMES_PRODUCT: (u8, u8) = (5, 3);

/// Our product name for the server.
const PRODUCT: &str = concat!("steersman/", env!("CARGO_PKG_VERSION"));

/// The longest answer we accept.
const MOST_BYTES: usize = 1024 * 1024;

const SUCCESS: u8 = 0x70;
const RECORD: u8 = 0x71;

impl Connection {
    /// Connects and negotiates a version, all within `limit`.
    pub(crate) fn open(address: &Address, limit: Duration) -> io::Result<Self> {
        let began = Instant::now();
        let left = || {
            limit.checked_sub(began.elapsed()).filter(|left| !left.is_zero()).ok_or(io::ErrorKind::TimedOut)
        };
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for place in (address.host.as_str(), address.port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&place, left()?) {
                Err(error) => last = error,
                Ok(mut stream) => {
                    stream.set_nodelay(true)?;
                    stream.set_write_timeout(Some(left()?))?;
                    stream.write_all(&[MAGIC.as_slice(), OFFERED.concat().as_slice()].concat())?;
                    stream.set_read_timeout(Some(left()?))?;
                    let mut chosen = [0; 4];
                    stream.read_exact(&mut chosen)?;
                    if !is_offered(chosen) {
                        return Err(io::Error::other(
                            "the server supports no version of Bolt that steersman supports",
                        ));
                    }
                    return Ok(Self { stream, version: (chosen[3], chosen[2]) });
                }
            }
        }
        Err(last)
    }

    /// Logs in, runs a query and returns the first value of its first row as a string. Each answer
    /// may take `limit`.
    pub(crate) fn single_value(
        &mut self,
        query: &str,
        login: Option<&(String, String)>,
        limit: Duration,
    ) -> io::Result<Option<String>> {
        self.stream.set_read_timeout(Some(limit))?;
        self.stream.set_write_timeout(Some(limit))?;
        let who: Vec<(&str, &str)> = match login {
            None => vec![("scheme", "none")],
            Some((user, password)) => {
                vec![("scheme", "basic"), ("principal", user), ("credentials", password)]
            }
        };
        let mut hello = vec![("user_agent", PRODUCT)];
        if self.version < LOGON_APART {
            hello.extend(&who);
        }
        let product = [("product", PRODUCT)];
        let inner = (self.version >= NAMES_PRODUCT).then_some(("bolt_agent", product.as_slice()));
        self.send(&Message::new(0x01).map_with(&hello, inner))?;
        self.succeed()?;
        if self.version >= LOGON_APART {
            self.send(&Message::new(0x6A).map(&who))?;
            self.succeed()?;
        }
        self.send(&Message::new(0x10).text(query).map(&[]).map(&[]))?;
        self.succeed()?;
        let pull = Message::new(0x3F);
        self.send(&if self.version.0 >= 4 { pull.number("n", 1) } else { pull })?;
        let mut value = None;
        loop {
            let (kind, mut fields) = self.receive()?;
            match kind {
                RECORD => value = value.or_else(|| list(fields.pop())?.into_iter().next()),
                SUCCESS => break,
                _ => return Err(refusal(fields.last())),
            }
        }
        Ok(value.filter(|value| !value.is_null()).map(|value| match value {
            Value::String(text) => text,
            other => other.to_string(),
        }))
    }

    fn succeed(&mut self) -> io::Result<()> {
        match self.receive()? {
            (SUCCESS, _) => Ok(()),
            (_, fields) => Err(refusal(fields.last())),
        }
    }

    fn send(&mut self, message: &Message) -> io::Result<()> {
        self.stream.write_all(&message.chunks())
    }

    /// Reads the chunks of one message.
    fn receive(&mut self) -> io::Result<(u8, Vec<Value>)> {
        let mut bytes = Vec::new();
        loop {
            let mut size = [0; 2];
            self.stream.read_exact(&mut size)?;
            let size = usize::from(u16::from_be_bytes(size));
            // An empty chunk ends a message; before a message it is a keep-alive.
            if size == 0 && !bytes.is_empty() {
                return read_message(&bytes)
                    .ok_or_else(|| io::Error::other("cannot parse the server's answer"));
            }
            if bytes.len() + size > MOST_BYTES {
                return Err(io::Error::other("the server's answer is too long"));
            }
            let start = bytes.len();
            bytes.resize(start + size, 0);
            self.stream.read_exact(&mut bytes[start..])?;
        }
    }
}

fn refusal(field: Option<&Value>) -> io::Error {
    let message = field.and_then(|field| text(field.get("message")?));
    io::Error::other(message.unwrap_or("the server refused the query").to_owned())
}
