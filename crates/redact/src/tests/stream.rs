//! A stream gives the same answer as the whole text at once, wherever its borders fall.

use super::template::{Dice, fill};
use crate::kinds::FAMILIES;
use crate::{Filter, Stream};

#[test]
fn borders_between_pieces_change_nothing() {
    let templates: Vec<_> = FAMILIES.iter().copied().flatten().flat_map(|kind| kind.matches).collect();
    let filter = Filter::default();
    for seed in 0..20 {
        let mut dice = Dice(seed);
        let mut text = String::new();
        for index in 0..120 {
            text.push_str("an ordinary line of a log, number ");
            text.push_str(&index.to_string());
            text.push('\n');
            text.push_str(&fill(templates[dice.roll(templates.len())], &mut dice).text);
            text.push('\n');
        }
        let mut stream = Stream::with_sizes(&filter, 2048, 512);
        let mut out = Vec::new();
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let (piece, more) = rest.split_at(rest.len().min(1 + dice.roll(700)));
            stream.push(piece, &mut out);
            rest = more;
        }
        stream.finish(&mut out);
        assert_eq!(String::from_utf8(out).unwrap(), filter.redact(&text).as_str());
    }
}
