//! In which form SQLite keeps the values of a column: its types do not tell.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use chrono::{DateTime, SubsecRound, Utc};

/// The form in which SQLite keeps the values of a column (b611). Other databases have a type for each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// As SeaORM writes them. They are compared as they are, so that an index can serve.
    #[default]
    Ours,
    /// UUIDs as text, in small letters and with hyphens.
    UuidText,
    /// Moments as text of one shape, other than SeaORM's.
    Moments(MomentText),
    /// In several forms: they are compared by their meaning, which no index can serve.
    Several,
}

/// The shape of a moment in UTC as text. Texts of one shape are in the order of their moments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MomentText {
    /// Whether a `T` stands between day and time, and not a space.
    pub has_t: bool,
    /// How many digits the fraction of a second has, at most six.
    pub digits: u8,
    /// The end of the text.
    pub zone: ZoneText,
}

/// How UTC is written at the end of a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZoneText {
    /// It is not.
    None,
    /// `Z`
    Z,
    /// `+00:00`
    Offset,
}

impl ZoneText {
    const ALL: [Self; 3] = [Self::None, Self::Z, Self::Offset];

    /// Its text.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Z => "Z",
            Self::Offset => "+00:00",
        }
    }
}

impl MomentText {
    const MOST_DIGITS: u8 = 6;

    /// The shape of SeaORM's moments without a fraction.
    #[must_use]
    pub const fn ours(is_zoned: bool) -> Self {
        let zone = if is_zoned {
            ZoneText::Offset
        } else {
            ZoneText::None
        };
        Self {
            has_t: is_zoned,
            digits: 0,
            zone,
        }
    }

    /// The shape of a text; `None` if it is not a moment in UTC.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let is_like = |text: &str, shape: &str| {
            text.len() == shape.len()
                && text.bytes().zip(shape.bytes()).all(|(byte, wanted)| {
                    byte == wanted || (wanted == b'0' && byte.is_ascii_digit())
                })
        };
        let (day, rest) = text.split_at_checked(10)?;
        let (between, rest) = rest.split_at_checked(1)?;
        let (time, rest) = rest.split_at_checked(8)?;
        if !is_like(day, "0000-00-00") || !is_like(time, "00:00:00") {
            return None;
        }
        let has_t = match between {
            "T" => true,
            " " => false,
            _ => return None,
        };
        let zone = ZoneText::ALL.into_iter().rev();
        let (zone, fraction) = zone
            .filter_map(|zone| Some((zone, rest.strip_suffix(zone.text())?)))
            .next()?;
        let digits = match fraction.strip_prefix('.') {
            None if fraction.is_empty() => 0,
            Some(digits) if !digits.is_empty() && digits.bytes().all(|d| d.is_ascii_digit()) => {
                u8::try_from(digits.len()).ok()?
            }
            _ => return None,
        };
        (digits <= Self::MOST_DIGITS).then_some(Self {
            has_t,
            digits,
            zone,
        })
    }

    /// The pattern that a text of this shape matches with `GLOB`.
    #[must_use]
    pub fn pattern(self) -> String {
        let fraction = match self.digits {
            0 => String::new(),
            digits => format!(".{}", "?".repeat(usize::from(digits))),
        };
        let between = if self.has_t { 'T' } else { ' ' };
        let zone = self.zone.text();
        format!("????-??-??{between}??:??:??{fraction}{zone}")
    }

    /// The last moment of this shape that is not after the one given.
    #[must_use]
    pub fn at_or_before(self, moment: DateTime<Utc>) -> DateTime<Utc> {
        moment.trunc_subsecs(u16::from(self.digits))
    }

    /// The text of the moment, without the digits for which there is no place.
    #[must_use]
    pub fn write(self, moment: DateTime<Utc>) -> String {
        let between = if self.has_t { 'T' } else { ' ' };
        let mut text = moment
            .format(&format!("%Y-%m-%d{between}%H:%M:%S"))
            .to_string();
        if self.digits > 0 {
            let digits = format!("{:06}", moment.timestamp_subsec_micros());
            text.push('.');
            text.push_str(&digits[..usize::from(self.digits.min(Self::MOST_DIGITS))]);
        }
        text.push_str(self.zone.text());
        text
    }
}

impl Form {
    const SEVERAL: u8 = 1;
    const UUID_TEXT: u8 = 2;
    const MOMENTS: u8 = 3;

    fn number(self) -> u8 {
        match self {
            Self::Ours => 0,
            Self::Several => Self::SEVERAL,
            Self::UuidText => Self::UUID_TEXT,
            Self::Moments(text) => {
                let zone = match text.zone {
                    ZoneText::None => 0,
                    ZoneText::Z => 1,
                    ZoneText::Offset => 2,
                };
                Self::MOMENTS + u8::from(text.has_t) + 2 * (zone + 3 * text.digits)
            }
        }
    }

    fn of_number(number: u8) -> Self {
        match number {
            0 => Self::Ours,
            Self::SEVERAL => Self::Several,
            Self::UUID_TEXT => Self::UuidText,
            number => {
                let rest = number - Self::MOMENTS;
                let zone = usize::from(rest / 2 % 3);
                Self::Moments(MomentText {
                    has_t: rest % 2 == 1,
                    digits: rest / 6,
                    zone: ZoneText::ALL[zone],
                })
            }
        }
    }
}

/// The form of a column, which is found out when there is a database. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct FormCell(Arc<AtomicU8>);

impl FormCell {
    /// The form that was found; SeaORM's before that.
    #[must_use]
    pub fn get(&self) -> Form {
        Form::of_number(self.0.load(Ordering::Relaxed))
    }

    /// Stores the form that was found.
    pub(crate) fn set(&self, form: Form) {
        self.0.store(form.number(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_comes_out_of_its_cell_as_it_was() {
        let cell = FormCell::default();
        assert_eq!(cell.get(), Form::Ours);
        let mut forms = vec![Form::Ours, Form::UuidText, Form::Several];
        for has_t in [false, true] {
            for digits in 0..=MomentText::MOST_DIGITS {
                let of = |zone| MomentText {
                    has_t,
                    digits,
                    zone,
                };
                forms.extend(ZoneText::ALL.map(|zone| Form::Moments(of(zone))));
            }
        }
        for form in forms {
            cell.set(form);
            assert_eq!(cell.get(), form);
        }
    }

    #[test]
    fn a_moment_is_written_in_the_shape_that_its_text_has() {
        let moment = DateTime::from_timestamp_micros(1_704_164_645_123_456).unwrap();
        for (text, pattern) in [
            ("2024-01-02 03:04:05", "????-??-?? ??:??:??"),
            ("2024-01-02T03:04:05Z", "????-??-??T??:??:??Z"),
            ("2024-01-02T03:04:05.123Z", "????-??-??T??:??:??.???Z"),
            ("2024-01-02 03:04:05.123456", "????-??-?? ??:??:??.??????"),
            ("2024-01-02T03:04:05+00:00", "????-??-??T??:??:??+00:00"),
        ] {
            let shape = MomentText::of(text).unwrap();
            assert_eq!(shape.write(moment), text);
            assert_eq!(shape.pattern(), pattern);
        }
        for other in [
            "2024-01-02",
            "2024-01-02T03:04",
            "2024-01-02T03:04:05+02:00",
            "2024-01-02T03:04:05.Z",
            "2024-01-02T03:04:05.1234567Z",
            "2024-01-02x03:04:05",
            "2024-01-0é 03:04:05",
            "",
        ] {
            assert_eq!(MomentText::of(other), None, "{other}");
        }
    }
}
