//! Takes the bytes of a file as text.

use config_file::{Code, Problem, Source};

use crate::limits::MAX_FILE_BYTES;

/// Takes the bytes of a file; a byte-order mark is left out.
pub fn decode(file: &str, bytes: &[u8]) -> Result<Source<'static>, Box<Problem>> {
    if bytes.len() > MAX_FILE_BYTES {
        let message =
            format!("the file has {} bytes, more than the {MAX_FILE_BYTES} of MAX_FILE_BYTES", bytes.len());
        let problem = Problem::error(file, Code::PARSE_ERROR, message);
        return Err(Box::new(problem.hint("an agent is a prompt and a few fields: keep data elsewhere")));
    }
    let source = Source::decode(file, bytes).map_err(|bad| Box::new(bad.into_problem(file)))?;
    Ok(source.into_owned())
}
