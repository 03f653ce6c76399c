//! Reads CSV in pieces (RFC 4180).
//!
//! Written by hand because the crate `csv` does not tell an empty value from `""`. Here, the first is null and the second an
//! empty text.

/// The byte order mark by which Excel recognizes UTF-8.
const BOM: [u8; 3] = *b"\xEF\xBB\xBF";

/// A value as it was sent.
#[derive(Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) text: String,
    /// Whether it was quoted.
    pub(super) quoted: bool,
}

/// A reader in the middle of a file.
#[derive(Debug)]
pub(super) struct Csv {
    delimiter: u8,
    place: Place,
    /// How much of the byte order mark has been read; `None` after it.
    mark: Option<usize>,
    /// The current line, for messages.
    line: u64,
    record: Vec<Cell>,
    cell: Vec<u8>,
    quoted: bool,
    /// The size of the current record so far.
    bytes: usize,
    most_bytes: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    /// Before a value.
    Before,
    Plain,
    Quoted,
    /// After a quote in a quoted value. It ends the value, or is the first half of an escaped quote.
    Quote,
    /// After a line that ended with CR.
    LineEnd,
}

impl Csv {
    pub(super) fn new(delimiter: u8, most_bytes: usize) -> Self {
        Self {
            delimiter,
            place: Place::Before,
            mark: Some(0),
            line: 1,
            record: Vec::new(),
            cell: Vec::new(),
            quoted: false,
            bytes: 0,
            most_bytes,
        }
    }

    /// Reads some bytes, and adds the records that end in them. Fails with a description of what is wrong.
    pub(super) fn read(
        &mut self,
        bytes: &[u8],
        records: &mut Vec<Vec<Cell>>,
    ) -> Result<(), String> {
        for byte in bytes {
            match self.mark {
                Some(met) if *byte == BOM[met] => {
                    self.mark = (met + 1 < BOM.len()).then_some(met + 1);
                }
                Some(met) => {
                    self.unmark(met, records)?;
                    self.byte(*byte, records)?;
                }
                None => self.byte(*byte, records)?,
            }
        }
        Ok(())
    }

    /// Reads the end of the file.
    pub(super) fn end(&mut self, records: &mut Vec<Vec<Cell>>) -> Result<(), String> {
        if let Some(met) = self.mark {
            self.unmark(met, records)?;
        }
        match self.place {
            Place::Quoted => Err(self.wrong("a value in quotes does not end")),
            Place::Before if self.record.is_empty() => Ok(()),
            Place::LineEnd => Ok(()),
            _ => self.end_record(records),
        }
    }

    /// The bytes read so far are not a byte order mark.
    fn unmark(&mut self, met: usize, records: &mut Vec<Vec<Cell>>) -> Result<(), String> {
        self.mark = None;
        let mut met = BOM.into_iter().take(met);
        met.try_for_each(|byte| self.byte(byte, records))
    }

    fn byte(&mut self, byte: u8, records: &mut Vec<Vec<Cell>>) -> Result<(), String> {
        self.bytes += 1;
        if self.bytes > self.most_bytes {
            let words = format!("a row has more than {} bytes", self.most_bytes);
            return Err(self.wrong(&words));
        }
        if self.place == Place::LineEnd {
            self.place = Place::Before;
            if byte == b'\n' {
                return Ok(());
            }
        }
        match (self.place, byte) {
            (Place::Before, b'"') => {
                self.quoted = true;
                self.place = Place::Quoted;
            }
            (Place::Quoted, b'"') => self.place = Place::Quote,
            (Place::Quote, b'"') => {
                self.cell.push(byte);
                self.place = Place::Quoted;
            }
            (Place::Quoted, _) => {
                self.line += u64::from(byte == b'\n');
                self.cell.push(byte);
            }
            (_, b'\r') => {
                self.end_record(records)?;
                self.place = Place::LineEnd;
            }
            (_, b'\n') => self.end_record(records)?,
            (_, byte) if byte == self.delimiter => self.end_cell()?,
            (Place::Quote, _) => {
                return Err(self.wrong("there is text after the closing quote of a value"));
            }
            (_, b'"') => {
                let words = "a value with a quote in it must be in quotes, and the quote twice";
                return Err(self.wrong(words));
            }
            (_, byte) => {
                self.cell.push(byte);
                self.place = Place::Plain;
            }
        }
        Ok(())
    }

    fn end_cell(&mut self) -> Result<(), String> {
        let text = String::from_utf8(std::mem::take(&mut self.cell));
        let text = text.map_err(|_| self.wrong("a value is not UTF-8"))?;
        let quoted = std::mem::take(&mut self.quoted);
        self.record.push(Cell { text, quoted });
        self.place = Place::Before;
        Ok(())
    }

    fn end_record(&mut self, records: &mut Vec<Vec<Cell>>) -> Result<(), String> {
        self.end_cell()?;
        self.line += 1;
        self.bytes = 0;
        records.push(std::mem::take(&mut self.record));
        Ok(())
    }

    fn wrong(&self, words: &str) -> String {
        format!("Line {} is not valid CSV: {words}.", self.line)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Cell, Csv};

    /// The contents of a file. They must not depend on how it is cut into pieces.
    fn read(file: &[u8], delimiter: u8) -> Result<Vec<Vec<Cell>>, String> {
        let in_pieces = |size: usize| {
            let (mut csv, mut records) = (Csv::new(delimiter, 1000), Vec::new());
            for piece in file.chunks(size) {
                csv.read(piece, &mut records)?;
            }
            csv.end(&mut records)?;
            Ok(records)
        };
        let whole = in_pieces(file.len().max(1));
        assert_eq!(in_pieces(1), whole);
        whole
    }

    fn plain(text: &str) -> Cell {
        Cell {
            text: text.to_owned(),
            quoted: false,
        }
    }

    fn quoted(text: &str) -> Cell {
        Cell {
            quoted: true,
            ..plain(text)
        }
    }

    /// Rules d119, b1023.
    #[test]
    fn values_are_divided_as_the_standard_says() {
        for (file, records) in [
            ("", vec![]),
            ("a,b\r\n", vec![vec![plain("a"), plain("b")]]),
            ("a,b", vec![vec![plain("a"), plain("b")]]),
            (
                "a\nb\rc\r\n",
                vec![vec![plain("a")], vec![plain("b")], vec![plain("c")]],
            ),
            (",\"\"\r\n", vec![vec![plain(""), quoted("")]]),
            ("a,\r\n", vec![vec![plain("a"), plain("")]]),
            ("a,", vec![vec![plain("a"), plain("")]]),
            (
                "\"a\"\"b\r\n,c\",d",
                vec![vec![quoted("a\"b\r\n,c"), plain("d")]],
            ),
            ("\u{feff}\"a\"\n", vec![vec![quoted("a")]]),
            // These start with the first two bytes of the byte order mark.
            ("\u{fec0}", vec![vec![plain("\u{fec0}")]]),
            (
                "a\r\n\r\nb",
                vec![vec![plain("a")], vec![plain("")], vec![plain("b")]],
            ),
        ] {
            assert_eq!(
                read(file.as_bytes(), b',').as_ref(),
                Ok(&records),
                "{file:?}"
            );
        }
        assert_eq!(
            read(b"a,b;c", b';'),
            Ok(vec![vec![plain("a,b"), plain("c")]])
        );
        assert_eq!(
            read(b"\xEF\xBB", b','),
            Err(wrong(1, "a value is not UTF-8"))
        );
    }

    fn wrong(line: u64, words: &str) -> String {
        format!("Line {line} is not valid CSV: {words}.")
    }

    /// Rules d119, b1023.
    #[test]
    fn what_is_not_csv_is_told_with_its_line() {
        for (file, line, words) in [
            ("a\n\"b", 2, "a value in quotes does not end"),
            (
                "\"a\nb\"c",
                2,
                "there is text after the closing quote of a value",
            ),
            (
                "a\n\nb\"",
                3,
                "a value with a quote in it must be in quotes, and the quote twice",
            ),
        ] {
            assert_eq!(
                read(file.as_bytes(), b','),
                Err(wrong(line, words)),
                "{file:?}"
            );
        }
        let long = "x".repeat(1001);
        let told = read(long.as_bytes(), b',').unwrap_err();
        assert_eq!(told, wrong(1, "a row has more than 1000 bytes"));
    }

    proptest! {
        /// Rule b1023.
        #[test]
        fn any_bytes_are_read_alike_in_any_pieces(file in "[a\",\r\n\u{feff}é]{0,20}") {
            _ = read(file.as_bytes(), b',');
        }

        /// Rule b1023.
        #[test]
        fn what_is_written_in_quotes_is_read(texts in proptest::collection::vec("(?s).{0,9}", 1..5)) {
            let cells: Vec<_> = texts.iter().map(|text| format!("\"{}\"", text.replace('"', "\"\""))).collect();
            let records = read(cells.join(",").as_bytes(), b',').unwrap();
            let expected: Vec<_> = texts.iter().map(|text| quoted(text)).collect();
            prop_assert_eq!(records, vec![expected]);
        }
    }
}
