//! `steersman redact`

use std::io::{BufRead, BufReader, BufWriter, Read, Write};

use anyhow::Context;
use redact::{Filter, Stream};

use crate::exit::Exit;

/// Remove secrets from text: stdin to stdout
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Read one `{"text": …}` per line, write one `{"text": …}` per line
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
    stdout.flush().context("cannot write to stdout")?;
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
        stdout.write_all(&clean).context("cannot write to stdout")?;
        clean.clear();
    }
    stream.finish(&mut clean);
    stdout.write_all(&clean).context("cannot write to stdout")
}

fn batch(filter: &Filter, stdout: &mut impl Write) -> anyhow::Result<()> {
    let mut stdin = BufReader::with_capacity(256 * 1024, std::io::stdin().lock());
    let mut line = Vec::new();
    let mut answer = Vec::new();
    // Bytes, not text: a line with invalid UTF-8 must not prevent the answers to the others.
    while stdin.read_until(b'\n', &mut line).context("cannot read stdin")? > 0 {
        if !line.trim_ascii().is_empty() {
            filter.answer_line(&line, &mut answer);
            answer.push(b'\n');
            stdout.write_all(&answer).context("cannot write to stdout")?;
        }
        line.clear();
        answer.clear();
    }
    Ok(())
}
