//! As much HTTP/1.1 as the agent programs need: requests with a length or in chunks, on a reused connection.

use std::io::{BufRead, BufReader, Error, ErrorKind, Result, Write};
use std::net::TcpStream;

/// A request whose body has arrived.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) body: Vec<u8>,
}

/// One connection of a program.
pub(super) struct Connection {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
}

impl Connection {
    /// Wraps an accepted connection.
    pub(super) fn new(stream: TcpStream) -> Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self { writer: stream.try_clone()?, reader: BufReader::new(stream) })
    }

    /// Reads the next request. Returns `None` if the program closed the connection.
    pub(super) fn read(&mut self) -> Result<Option<Request>> {
        read(&mut self.reader, &mut self.writer)
    }

    /// Writes an answer.
    pub(super) fn write(&mut self, status: u16, content_type: &str, body: &str) -> Result<()> {
        let reason = if status == 200 { "OK" } else { "Not Found" };
        let head = format!(
            "HTTP/1.1 {status} {reason}\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        self.writer.write_all(head.as_bytes())?;
        self.writer.write_all(body.as_bytes())?;
        self.writer.flush()
    }
}

fn read(reader: &mut impl BufRead, writer: &mut impl Write) -> Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let (Some(method), Some(path)) = (words.next(), words.next()) else {
        return Err(Error::new(ErrorKind::InvalidData, "no request line"));
    };
    let (method, path) = (method.to_owned(), path.to_owned());
    let (mut length, mut is_chunked) = (0, false);
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = number(value, 10)?,
            "transfer-encoding" => is_chunked = value.eq_ignore_ascii_case("chunked"),
            "expect" => writer.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?,
            _ => {}
        }
    }
    let mut body = Vec::new();
    if is_chunked {
        while read_chunk(reader, &mut body)? {}
    } else {
        body.resize(length, 0);
        reader.read_exact(&mut body)?;
    }
    Ok(Some(Request { method, path, body }))
}

/// Appends one chunk to the body. Returns whether another one follows.
fn read_chunk(reader: &mut impl BufRead, body: &mut Vec<u8>) -> Result<bool> {
    let mut size = String::new();
    reader.read_line(&mut size)?;
    let size = number(size.split(';').next().unwrap_or_default().trim(), 16)?;
    let start = body.len();
    body.resize(start + size, 0);
    reader.read_exact(&mut body[start..])?;
    reader.read_line(&mut String::new())?;
    Ok(size > 0)
}

fn number(text: &str, radix: u32) -> Result<usize> {
    usize::from_str_radix(text, radix).map_err(|error| Error::new(ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str, &str)]) {
        let (mut reader, mut sent) = (text.as_bytes(), Vec::new());
        for (method, path, body) in expected {
            let request = read(&mut reader, &mut sent).unwrap().unwrap();
            let body = body.as_bytes().to_vec();
            assert_eq!(request, Request { method: (*method).into(), path: (*path).into(), body });
        }
        assert_eq!(read(&mut reader, &mut sent).unwrap(), None);
        assert_eq!(!sent.is_empty(), text.contains("Expect"));
    }

    #[test]
    fn requests_with_a_length_follow_each_other_on_one_connection() {
        check(
            "POST /a HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}GET /b?c HTTP/1.1\r\nhost: x\r\n\r\n",
            &[("POST", "/a", "{}"), ("GET", "/b?c", "")],
        );
    }

    #[test]
    fn a_body_in_chunks_is_joined_and_an_expectation_is_met() {
        check(
            "POST /a HTTP/1.1\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\na;x=y\r\n\":\"bcdefg\"\r\n1\r\n}\r\n0\r\n\r\n",
            &[("POST", "/a", "{\"a\":\"bcdefg\"}")],
        );
    }

    #[test]
    fn a_request_that_ends_early_is_an_error() {
        for text in
            ["POST /a HTTP/1.1\r\nContent-Length: 9\r\n\r\n{}", "POST /a HTTP/1.1\r\nhost: x\r\n", "x\r\n"]
        {
            assert!(read(&mut text.as_bytes(), &mut Vec::new()).is_err(), "{text}");
        }
    }
}
