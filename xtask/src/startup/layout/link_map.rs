//! The linker's map: where each piece that it was given came to lie.

/// A piece of code or constant data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// Its name, such as `.text._RNvNtCs7BliBxkEZsN_4core3fmt5write`.
    pub(super) section: String,
    /// The file it is from; of a library with the member in brackets.
    pub(super) file: String,
    begin: u64,
    size: u64,
}

/// The pieces of a program, by where they lie.
#[derive(Debug)]
pub(super) struct LinkMap {
    pieces: Vec<Piece>,
}

impl LinkMap {
    /// Reads a map as GNU ld writes it:
    ///
    /// ```text
    ///  .text.short    0x0000000000401000       0x2b crt1.o
    ///  .text.a_name_that_is_longer_than_its_column
    ///                 0x0000000000401030       0x32 libc.a(memcpy.lo)
    /// ```
    pub(super) fn parse(text: &str) -> Self {
        let mut pieces = Vec::new();
        let mut long_name = None;
        for line in text.lines() {
            let mut words = line.split_ascii_whitespace();
            let name = match line.strip_prefix(' ') {
                Some(rest) if is_kept(rest) => words.next(),
                _ => long_name,
            };
            let (Some(section), rest) = (name, words.collect::<Vec<_>>()) else { continue };
            long_name = rest.is_empty().then_some(section);
            if let [begin, size, file @ ..] = rest.as_slice()
                && let (Some(begin), Some(size)) = (hex(begin), hex(size))
                && begin > 0
                && size > 0
            {
                let (section, file) = (section.to_owned(), file.join(" "));
                pieces.push(Piece { section, file, begin, size });
            }
        }
        pieces.sort_by_key(|piece| piece.begin);
        Self { pieces }
    }

    /// Returns the piece that lies at an address.
    pub(super) fn at(&self, address: u64) -> Option<&Piece> {
        let after = self.pieces.partition_point(|piece| piece.begin <= address);
        self.pieces[..after].last().filter(|piece| address < piece.begin + piece.size)
    }

    /// Returns how many pieces there are.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }
}

fn is_kept(line: &str) -> bool {
    line.starts_with(".text") || line.starts_with(".rodata")
}

fn hex(word: &str) -> Option<u64> {
    u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "\
Discarded input sections
 .text.gone     0x0000000000000000       0x2b crt1.o
.text           0x0000000000401000   0xb2d8b6
 *(.text._R*)
 .text          0x0000000000401000       0x2b /a b/crt1.o
 .text._RNvNtCs7BliBxkEZsN_4core3fmt5write
                0x0000000000401030       0x32 /x/steersman.rcgu.o
                0x0000000000401030                main
 .rodata.cst16  0x0000000000f00000       0x10 /x/libc.a(sysconf.lo)
 .debug_info    0x0000000000401000       0x99 /x/libc.a(sysconf.lo)
";

    #[test]
    fn pieces_are_found_by_their_addresses() {
        let map = LinkMap::parse(MAP);
        assert_eq!(map.len(), 3);
        let at = |address| map.at(address).map(|piece| (piece.section.as_str(), piece.file.as_str()));
        assert_eq!(at(0x40_1000), Some((".text", "/a b/crt1.o")));
        assert_eq!(at(0x40_102b), None, "between two");
        assert_eq!(at(0x40_1061), Some((".text._RNvNtCs7BliBxkEZsN_4core3fmt5write", "/x/steersman.rcgu.o")));
        assert_eq!(at(0xf0_0000), Some((".rodata.cst16", "/x/libc.a(sysconf.lo)")));
        assert_eq!((at(0x40_0fff), at(0xff_0000)), (None, None));
    }
}
