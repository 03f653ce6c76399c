//! Picks a value of the demo data or one near it, in one of its spellings (d9).

use chrono::{DateTime, Datelike, Duration, FixedOffset, Months, NaiveDate, NaiveTime, Utc};
use proptest::prelude::{Strategy, any, prop_oneof};
use proptest::sample::Index;
use rust_decimal::Decimal;

use crate::asked::AskedValue;
use crate::cell::{Cell, Meaning, contains, contains_in_any_alphabet};

/// Where a value is taken from and what is done to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draft {
    /// One of the column's values.
    pub(crate) pick: Index,
    /// 0 to 4 is a value that is there, from 5 on one that may not be.
    twist: u8,
    spelling: u8,
    /// Whatever else has to be chosen.
    other: Index,
}

const BOOLEANS: [(&str, bool); 12] = [
    ("true", true),
    ("false", false),
    ("1", true),
    ("0", false),
    ("t", true),
    ("f", false),
    ("Yes", true),
    ("no", false),
    ("ON", true),
    ("off", false),
    ("TRUE", true),
    ("False", false),
];

/// Texts that are no row's, and mean something elsewhere.
const STRANGE: [&str; 12] = [
    "",
    "null",
    "%",
    "_",
    "\\",
    "a,b",
    "*",
    "' OR 1=1 --",
    "\"",
    "日本",
    "0",
    "!%",
];

pub(crate) fn draft() -> impl Strategy<Value = Draft> {
    let twist = prop_oneof![4 => 0_u8..5, 1 => 5_u8..8];
    (any::<Index>(), twist, 0_u8..8, any::<Index>()).prop_map(|(pick, twist, spelling, other)| {
        Draft {
            pick,
            twist,
            spelling,
            other,
        }
    })
}

/// A word for a boolean.
pub(crate) fn boolean(word: Index) -> (&'static str, bool) {
    *word.get(&BOOLEANS)
}

impl Draft {
    /// A value to compare a column with.
    pub(crate) fn value(&self, from: &Cell) -> AskedValue {
        match from {
            Cell::Null => panic!("no column is all nulls"),
            Cell::Bool(value) => self.boolean(*value ^ (self.twist > 5)),
            Cell::Int(value) => self.integer(*value),
            Cell::Decimal(value) => self.decimal(*value),
            Cell::Text(value) => self.text(value),
            Cell::Moment(value) => self.moment(*value),
        }
    }

    /// What `$null` takes: a boolean, or nothing for true (d29).
    pub(crate) fn presence(&self) -> AskedValue {
        if self.twist == 0 {
            AskedValue {
                means: Meaning::Exactly(Cell::Bool(true)),
                text: String::new(),
            }
        } else {
            self.boolean(self.twist < 5)
        }
    }

    /// A part of a text, for `$contains`; one that the databases may read differently (d26) is not taken.
    pub(crate) fn part(&self, from: &str, column: &[Cell]) -> AskedValue {
        let letters: Vec<char> = from.chars().collect();
        let start = self.other.index(letters.len() + 1);
        let length = usize::from(self.spelling) * 2;
        let mut part: String = letters[start..].iter().take(length).collect();
        match self.twist {
            3 | 4 => part = swap_case(&part),
            5 => part = from.to_ascii_uppercase(),
            6 => part.push('%'),
            7 => part = (*self.other.get(&STRANGE)).to_owned(),
            _ => {}
        }
        let is_ambiguous = |cell: &Cell| match cell {
            Cell::Text(text) => contains(text, &part) != contains_in_any_alphabet(text, &part),
            _ => false,
        };
        if column.iter().any(is_ambiguous) {
            part = "a".to_owned();
        }
        exact_text(part)
    }

    fn boolean(&self, value: bool) -> AskedValue {
        let words: Vec<_> = BOOLEANS
            .iter()
            .filter(|(_, means)| *means == value)
            .collect();
        AskedValue {
            means: Meaning::Exactly(Cell::Bool(value)),
            text: words[usize::from(self.spelling) % words.len()].0.to_owned(),
        }
    }

    fn integer(&self, value: i128) -> AskedValue {
        const FAR: [i128; 7] = [
            -1,
            0,
            i32::MAX as i128,
            i32::MAX as i128 + 1,
            i64::MIN as i128,
            i64::MAX as i128,
            u64::MAX as i128,
        ];
        let value = match self.twist {
            5 => value + 1,
            6 => value - 1,
            7 => *self.other.get(&FAR),
            _ => value,
        };
        let text = if self.spelling == 7 && value >= 0 {
            format!("00{value}")
        } else {
            value.to_string()
        };
        AskedValue {
            means: Meaning::Exactly(Cell::Int(value)),
            text,
        }
    }

    fn decimal(&self, value: Decimal) -> AskedValue {
        let far = [
            Decimal::NEGATIVE_ONE,
            Decimal::ZERO,
            Decimal::new(9_999, 2),
            Decimal::new(1_000_000_125, 3),
            Decimal::new(4_005, 3),
        ];
        let mut value = match self.twist {
            5 => value + Decimal::new(1, 2),
            // More digits than the column has.
            6 if self.spelling.is_multiple_of(2) => value + Decimal::new(1, 3),
            6 => value - Decimal::new(1, 3),
            7 => *self.other.get(&far),
            _ => value,
        };
        match self.spelling {
            5 => value = value.normalize(),
            6 => value.rescale(4),
            _ => {}
        }
        AskedValue {
            text: value.to_string(),
            means: Meaning::Exactly(Cell::Decimal(value)),
        }
    }

    fn text(&self, value: &str) -> AskedValue {
        exact_text(match self.twist {
            5 => swap_case(value),
            6 => format!("{value}."),
            7 => (*self.other.get(&STRANGE)).to_owned(),
            _ => value.to_owned(),
        })
    }

    fn moment(&self, moment: DateTime<Utc>) -> AskedValue {
        let day = |day: NaiveDate| AskedValue {
            means: Meaning::Day(day),
            text: day.format("%Y-%m-%d").to_string(),
        };
        let date = |year, month, day| NaiveDate::from_ymd_opt(year, month, day).unwrap();
        let moment = match self.twist {
            3 => return day(moment.date_naive()),
            4 => return period(moment, self.spelling.is_multiple_of(2)),
            5 => moment + Duration::microseconds(1),
            6 => moment - Duration::hours(30),
            7 => {
                let far = [date(1000, 1, 1), date(2024, 2, 29), date(9999, 12, 31)];
                return day(*self.other.get(&far));
            }
            _ => moment,
        };
        AskedValue {
            means: Meaning::Exactly(Cell::Moment(moment)),
            text: spell_moment(moment, self.spelling),
        }
    }
}

impl Draft {
    /// A moment that is counted back from now, less than an hour after this one (d150). `None` if a row is so near to it that the
    /// time until it is asked would decide on which side of it the row is.
    pub(crate) fn relative(&self, moment: DateTime<Utc>, column: &[Cell]) -> Option<AskedValue> {
        let now = Utc::now();
        let hours = (now - moment).num_hours();
        let at = now - Duration::hours(hours);
        let is_near = |cell: &Cell| match cell {
            Cell::Moment(other) => (*other - at).abs() < Duration::minutes(10),
            _ => false,
        };
        if self.twist != 1 || hours < 0 || column.iter().any(is_near) {
            return None;
        }
        let text = format!("now-{hours}h");
        Some(AskedValue {
            // No row is at that moment.
            means: Meaning::Period {
                first: at,
                next: at,
                text: text.clone(),
            },
            text,
        })
    }
}

/// The whole month of a moment, or its year.
fn period(moment: DateTime<Utc>, is_month: bool) -> AskedValue {
    let month = if is_month { moment.month() } else { 1 };
    let first = NaiveDate::from_ymd_opt(moment.year(), month, 1).unwrap();
    let next = first + Months::new(if is_month { 1 } else { 12 });
    let text = first.format(if is_month { "%Y-%m" } else { "%Y" });
    let text = text.to_string();
    let begin = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc();
    AskedValue {
        means: Meaning::Period {
            first: begin(first),
            next: begin(next),
            text: text.clone(),
        },
        text,
    }
}

fn spell_moment(moment: DateTime<Utc>, spelling: u8) -> String {
    let ahead = |minutes: i32| {
        let zone = FixedOffset::east_opt(minutes * 60).unwrap();
        moment.with_timezone(&zone)
    };
    match spelling {
        0 | 1 => moment.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string(),
        2 => moment.format("%Y-%m-%dT%H:%M:%S%.fZ").to_string(),
        3 => ahead(120).format("%Y-%m-%dT%H:%M:%S%.f%:z").to_string(),
        4 => ahead(-330).format("%Y-%m-%dT%H:%M:%S%.f%:z").to_string(),
        // A space where `+` was meant.
        5 => ahead(600)
            .format("%Y-%m-%dT%H:%M:%S%.f%:z")
            .to_string()
            .replace('+', " "),
        6 => moment.format("%Y-%m-%dT%H:%M:%S%.f").to_string(),
        _ => moment.format("%Y-%m-%d %H:%M:%S%.f").to_string(),
    }
}

fn exact_text(text: String) -> AskedValue {
    AskedValue {
        means: Meaning::Exactly(Cell::Text(text.clone())),
        text,
    }
}

fn swap_case(text: &str) -> String {
    let swap = |letter: char| match letter {
        'a'..='z' => letter.to_ascii_uppercase(),
        other => other.to_ascii_lowercase(),
    };
    text.chars().map(swap).collect()
}
