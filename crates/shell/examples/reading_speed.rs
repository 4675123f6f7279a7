//! Measures the reader: command lines a second, with the guard's judgement, on the corpora of the tests and on long lines.

#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "a measurement is there to be read")]

use std::hint::black_box;
use std::time::Instant;

use shell::Place;
use shell::guard::{Policy, judge};

fn main() {
    let corpora =
        [include_str!("../tests/corpus/everyday.txt"), include_str!("../tests/corpus/ordinary.txt")];
    let lines: Vec<&str> = corpora.iter().flat_map(|corpus| corpus.lines()).collect();
    measure("everyday lines", &lines);
    let mut long: Vec<&str> = lines.iter().copied().filter(|line| line.len() > 60).collect();
    long.sort_unstable();
    measure("lines of more than 60 characters", &long);
    let joined: Vec<String> = lines.chunks(6).map(|part| part.join(" && ")).collect();
    let joined: Vec<&str> = joined.iter().map(String::as_str).collect();
    measure("six lines joined by &&", &joined);
}

/// Prints the lines a second of the best of five rounds.
fn measure(name: &str, lines: &[&str]) {
    let place = Place { home: Some("/home/me"), ..Place::at("/home/me/work/project") };
    let policy = Policy::default();
    let rounds = (0..5).map(|_| {
        let start = Instant::now();
        for line in lines {
            black_box(judge(&shell::read(black_box(line), &place), &policy));
        }
        start.elapsed().as_secs_f64()
    });
    let best = rounds.fold(f64::INFINITY, f64::min);
    let bytes: usize = lines.iter().map(|line| line.len()).sum();
    println!(
        "{name}: {:.0} lines/s, {} bytes on average",
        lines.len() as f64 / best,
        bytes / lines.len().max(1)
    );
}
