//! The bytecode of MLIR, <https://mlir.llvm.org/docs/BytecodeFormat>: strings, attributes and types in tables, operations by their places
//! there.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The version of the format: that of StableHLO 0.15.0 and later.
const FORMAT: u64 = 6;

/// The numbers of the sections that there are.
const STRINGS: u8 = 0;
const DIALECTS: u8 = 1;
const ENTRIES: u8 = 2;
const OFFSETS: u8 = 3;
const OPERATIONS: u8 = 4;
const PROPERTIES: u8 = 8;

/// A sequence of bytes that grows.
#[derive(Clone, Default, Debug)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// A number in as many bytes as it needs: the zeros at the low end of the first byte say how many more there are.
    pub fn number(&mut self, value: u64) {
        let bits = (64 - value.leading_zeros() as usize).max(1);
        let more = (bits - 1) / 7;
        if more >= 8 {
            self.byte(0);
            self.0.extend(value.to_le_bytes());
        } else {
            let marked = ((value << 1) | 1) << more;
            self.0.extend(&marked.to_le_bytes()[..=more]);
        }
    }

    pub fn signed(&mut self, value: i64) {
        self.number(((value << 1) ^ (value >> 63)) as u64);
    }

    /// A list of numbers, and before it how many there are.
    pub fn numbers(&mut self, values: impl ExactSizeIterator<Item = usize>) {
        self.number(values.len() as u64);
        values.for_each(|value| self.number(value as u64));
    }

    /// Bytes, and before them how many there are.
    pub fn blob(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }

    pub fn section(&mut self, number: u8, content: &Bytes) {
        self.byte(number);
        self.blob(&content.0);
    }
}

/// Items, each once, by their numbers.
#[derive(Debug)]
struct Table<T> {
    items: Vec<T>,
    numbers: FxHashMap<T, usize>,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { items: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Table<T> {
    fn number(&mut self, item: T) -> usize {
        if let Some(&number) = self.numbers.get(&item) {
            return number;
        }
        self.items.push(item.clone());
        self.numbers.insert(item, self.items.len() - 1);
        self.items.len() - 1
    }
}

/// An attribute or a type: its dialect, its bytes, and whether these are in the encoding of the dialect, and no text.
type Entry = (usize, Vec<u8>, bool);

/// The tables of a file. All that is asked for has a number.
#[derive(Default, Debug)]
pub struct Tables {
    strings: Table<String>,
    dialects: Table<String>,
    names: Table<(usize, String)>,
    attributes: Table<Entry>,
    types: Table<Entry>,
    properties: Table<Vec<u8>>,
}

impl Tables {
    pub fn string(&mut self, text: &str) -> usize {
        self.strings.number(text.to_owned())
    }

    /// The name of an operation.
    pub fn name(&mut self, dialect: &str, name: &str) -> usize {
        let dialect = self.dialects.number(dialect.to_owned());
        self.names.number((dialect, name.to_owned()))
    }

    /// An attribute in the encoding of its dialect.
    pub fn attribute(&mut self, dialect: &str, bytes: Bytes) -> usize {
        let dialect = self.dialects.number(dialect.to_owned());
        self.attributes.number((dialect, bytes.0, true))
    }

    /// An attribute as text.
    pub fn attribute_text(&mut self, dialect: &str, text: &str) -> usize {
        let dialect = self.dialects.number(dialect.to_owned());
        self.attributes.number((dialect, terminated(text), false))
    }

    /// A type in the encoding of its dialect.
    pub fn ty(&mut self, dialect: &str, bytes: Bytes) -> usize {
        let dialect = self.dialects.number(dialect.to_owned());
        self.types.number((dialect, bytes.0, true))
    }

    /// A type as text.
    pub fn type_text(&mut self, dialect: &str, text: &str) -> usize {
        let dialect = self.dialects.number(dialect.to_owned());
        self.types.number((dialect, terminated(text), false))
    }

    /// The attributes that an operation always has, in the order of their names.
    pub fn properties(&mut self, bytes: Bytes) -> usize {
        self.properties.number(bytes.0)
    }

    /// The whole file around operations.
    pub fn file(mut self, producer: &str, operations: &Bytes) -> Vec<u8> {
        let mut file = Bytes(b"ML\xefR".to_vec());
        file.number(FORMAT);
        file.0.extend(terminated(producer));
        file.section(DIALECTS, &self.dialect_section());
        let (offsets, entries) = self.entry_sections();
        file.section(OFFSETS, &offsets);
        file.section(ENTRIES, &entries);
        file.section(OPERATIONS, operations);
        file.section(STRINGS, &self.string_section());
        let mut properties = Bytes::default();
        properties.number(self.properties.items.len() as u64);
        self.properties.items.iter().for_each(|bytes| properties.blob(bytes));
        file.section(PROPERTIES, &properties);
        file.0
    }

    /// The dialects, and the names of operations in groups of those of one dialect. The lowest bits say that a dialect has no version of
    /// its own, and that an operation is known to its dialect.
    fn dialect_section(&mut self) -> Bytes {
        let dialects: Vec<usize> = self.dialects.items.iter().map(|name| self.strings.number(name.clone())).collect();
        let mut section = Bytes::default();
        section.numbers(dialects.iter().map(|name| name << 1));
        section.number(self.names.items.len() as u64);
        for group in self.names.items.chunk_by(|a, b| a.0 == b.0) {
            let names: Vec<usize> = group.iter().map(|(_, name)| self.strings.number(name.clone())).collect();
            section.number(group[0].0 as u64);
            section.numbers(names.iter().map(|name| name << 1 | 1));
        }
        section
    }

    /// The sizes of attributes and types, in groups of those of one dialect, and their bytes.
    fn entry_sections(&self) -> (Bytes, Bytes) {
        let (mut offsets, mut entries) = (Bytes::default(), Bytes::default());
        let tables = [&self.attributes.items, &self.types.items];
        tables.iter().for_each(|items| offsets.number(items.len() as u64));
        for items in tables {
            for group in items.chunk_by(|a, b| a.0 == b.0) {
                offsets.number(group[0].0 as u64);
                offsets.numbers(group.iter().map(|(_, bytes, is_encoded)| bytes.len() << 1 | usize::from(*is_encoded)));
                group.iter().for_each(|(_, bytes, _)| entries.0.extend(bytes));
            }
        }
        (offsets, entries)
    }

    /// The sizes of strings, the last one first, and the strings.
    fn string_section(&self) -> Bytes {
        let mut section = Bytes::default();
        section.numbers(self.strings.items.iter().rev().map(|text| text.len() + 1));
        self.strings.items.iter().for_each(|text| section.0.extend(terminated(text)));
        section
    }
}

fn terminated(text: &str) -> Vec<u8> {
    [text.as_bytes(), b"\0"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_many_bytes_as_they_need() {
        let encoded = |value: u64| {
            let mut bytes = Bytes::default();
            bytes.number(value);
            bytes.0
        };
        assert_eq!(encoded(0), [0x01]);
        assert_eq!(encoded(127), [0xff]);
        assert_eq!(encoded(128), [0x02, 0x02]);
        assert_eq!(encoded((1 << 56) - 1), [0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
        assert_eq!(encoded(1 << 56), [0, 0, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(encoded(u64::MAX), [0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
        let mut signed = Bytes::default();
        [0, -1, 1, i64::MIN].iter().for_each(|&value| signed.signed(value));
        assert_eq!(signed.0, [0x01, 0x03, 0x05, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
    }
}
