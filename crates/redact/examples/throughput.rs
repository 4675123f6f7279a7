//! Measures the filter: throughput on a generated mix of logs, source and prose, and the cost of a
//! first call on one kilobyte in a fresh process.

#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "a measurement is there to be read")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use redact::{Filter, Redacted, Stream};

const LINES: [&str; 12] = [
    "2024-05-01T12:00:00.123Z INFO  server::http request{method=GET path=/api/v1/items/8841 status=200} done in 3.2ms",
    "2024-05-01T12:00:00.124Z WARN  pool: connection 17 idle for 30s, closing (peer 10.0.3.17:5432)",
    "    pub fn next_token(&mut self) -> Option<Token> { self.tokens.get(self.position).copied() }",
    "        let key = self.cache_key(&request); // the key of the cache, not of the door",
    "import { createHash } from 'node:crypto'; const digest = createHash('sha256').update(body).digest('hex');",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 merges https://example.org/project/pull/4711 into main",
    "The quick brown fox jumps over the lazy dog while the build is running and nobody watches the screen.",
    "    \"resolved\": \"https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz\", \"integrity\": \"sha512-XI5MPzVNApjA\"",
    "test parser::tests::an_unclosed_quote_is_unknown ... ok",
    "if (user.password !== form.password) { throw new ValidationError('passwords differ'); }",
    "id=550e8400-e29b-41d4-a716-446655440000 trace=4bf92f3577b34da6a3ce929d0e0e4736 span=00f067aa0ba902b7",
    "Grüße aus Köln, Zürich und 東京: all of this is harmless text with letters beyond ASCII.",
];

fn main() {
    let one_kilobyte: String = LINES.join("\n").chars().take(1000).collect();
    let start = Instant::now();
    black_box(Redacted::from_text(black_box(&one_kilobyte)));
    println!("first call on 1 kB: {:?}", start.elapsed());

    measure("clean", &mix(16, usize::MAX));
    measure("one secret in 100 lines", &mix(16, 100));
    measure("one secret in 5 lines", &mix(16, 5));
    measure_batch("requests of 100 lines, one secret in 100", &mix(16, 100));
    measure("worst case `sk-`", &"sk-".repeat(300_000));
    measure("worst case `key=`", &"api_key=".repeat(100_000));
}

/// Returns the megabytes a second of the best of five runs.
fn best(megabytes: f64, run: &dyn Fn()) -> f64 {
    let origin = Instant::now();
    let seconds = (0..5).map(|_| {
        let start = cpu_time(origin);
        run();
        cpu_time(origin).saturating_sub(start).as_secs_f64()
    });
    megabytes / seconds.fold(f64::INFINITY, f64::min)
}

/// Returns the time this thread has run, where the system tells; elsewhere the time since `origin`.
///
/// WHY: on a machine with other work the clock on the wall measures that work.
fn cpu_time(origin: Instant) -> Duration {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = schedule.split(' ').next().and_then(|field| field.parse().ok());
    nanoseconds.map_or_else(|| origin.elapsed(), Duration::from_nanos)
}

/// Prints the speed of `redact --batch`, counted in bytes of requests.
fn measure_batch(name: &str, text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    let request = |lines: &[&str]| serde_json::json!({"text": lines.join("\n")}).to_string();
    let requests: Vec<String> = lines.chunks(100).map(request).collect();
    let megabytes = requests.iter().map(String::len).sum::<usize>() as f64 / 1e6;
    let filter = Filter::default();
    let speed = best(megabytes, &|| {
        let mut answer = Vec::new();
        for request in &requests {
            answer.clear();
            filter.answer_line(request.as_bytes(), &mut answer);
            black_box(&answer);
        }
    });
    println!("{name}: {megabytes:.0} MB, {speed:.0} MB/s");
}

fn measure(name: &str, text: &str) {
    let filter = Filter::default();
    let megabytes = text.len() as f64 / 1e6;
    let whole = best(megabytes, &|| {
        black_box(filter.redact(black_box(text)));
    });
    let streamed = best(megabytes, &|| {
        let mut out = Vec::with_capacity(text.len());
        let mut stream = Stream::new(&filter);
        for piece in text.as_bytes().chunks(64 * 1024) {
            stream.push(piece, &mut out);
        }
        stream.finish(&mut out);
        black_box(out);
    });
    println!("{name}: {megabytes:.0} MB, {whole:.0} MB/s at once, {streamed:.0} MB/s as a stream");
}

/// Makes some megabytes of text in which every `nth` line carries a token.
fn mix(n_megabytes: usize, nth: usize) -> String {
    let mut text = String::with_capacity(n_megabytes * 1_000_000);
    let mut index = 0_usize;
    while text.len() < n_megabytes * 1_000_000 {
        index += 1;
        text.push_str(LINES[index.wrapping_mul(2_654_435_761) % 997 % LINES.len()]);
        if index.is_multiple_of(nth) {
            text.push_str(" token=ghp_");
            text.extend((0..36).map(|at| char::from(b"k3Jx9QzLm2Tb7RwY5sVd"[(index + at * 7) % 20])));
        }
        text.push('\n');
    }
    text
}
