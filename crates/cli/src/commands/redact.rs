//! `steersman redact`

use std::io::{BufRead, BufWriter, Read, Write};

use anyhow::Context;
use redact::{Filter, Stream};
use serde_json::{Value, json};

use crate::exit::Exit;

/// Take the secrets out of text: stdin to stdout
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// One `{"text": …}` per line in, one `{"text": …}` per line out
    #[arg(long)]
    batch: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let filter = Filter::default();
    let mut stdout = BufWriter::with_capacity(256 * 1024, std::io::stdout().lock());
    if args.batch {
        batch(&filter, &mut stdout)?;
    } else {
        whole(&filter, &mut stdout)?;
    }
    stdout.flush().context("cannot write the text")?;
    Ok(Exit::Fine)
}

fn whole(filter: &Filter, stdout: &mut impl Write) -> anyhow::Result<()> {
    let mut stream = Stream::new(filter);
    let mut stdin = std::io::stdin().lock();
    let mut chunk = vec![0; 256 * 1024];
    let mut clean = Vec::new();
    loop {
        let n_read = stdin.read(&mut chunk).context("cannot read stdin")?;
        if n_read == 0 {
            break;
        }
        stream.push(&chunk[..n_read], &mut clean);
        stdout.write_all(&clean).context("cannot write the text")?;
        clean.clear();
    }
    stream.finish(&mut clean);
    stdout.write_all(&clean).context("cannot write the text")
}

fn batch(filter: &Filter, stdout: &mut impl Write) -> anyhow::Result<()> {
    // Bytes, not text: one line that is no UTF-8 must not cost the others their answers.
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.context("cannot read stdin")?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = match serde_json::from_slice::<Value>(&line) {
            Ok(request) => match request.get("text").and_then(Value::as_str) {
                Some(text) => json!({"text": filter.redact(text).as_str()}),
                None => json!({"error": "there is no `text`"}),
            },
            Err(error) => json!({"error": error.to_string()}),
        };
        serde_json::to_writer(&mut *stdout, &answer).context("cannot write the text")?;
        stdout.write_all(b"\n").context("cannot write the text")?;
    }
    Ok(())
}
