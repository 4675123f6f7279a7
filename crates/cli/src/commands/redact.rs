//! `steersman redact`

use std::io::{BufWriter, Read, Write};

use anyhow::Context;
use redact::{Filter, Stream};

use crate::exit::Exit;
use crate::line_batch;

/// The filter takes about a millisecond for this much, far more than a channel does.
const BLOCK_SIZE: usize = 256 * 1024;

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
    let answer = |line: &[u8], out: &mut Vec<u8>| filter.answer_line(line, out);
    line_batch::answer_lines(&mut std::io::stdin().lock(), stdout, BLOCK_SIZE, answer)
}
