//! Writes the body of a list response into one buffer.

use std::io::Write;
use std::ops::Range;

use super::asked::PAGE_SIZE;

const START: &[u8] = br#"{"message":"Articles retrieved.","data":["#;
const META: &[u8] = br#","meta":{"code":200,"message":"Articles retrieved.","data":"#;

/// An answer that is being written.
pub(super) struct Body {
    pub(super) bytes: Vec<u8>,
    rows: u64,
}

/// Where counting stops, as the service does it.
const MOST_COUNTED: u64 = 10_000;

/// What is known of the rows that are not on the page.
pub(super) enum Rest {
    More(bool),
    Total(u64),
}

/// One applied filter.
pub(super) struct Applied<'a> {
    pub(super) key: &'a str,
    pub(super) value: &'a str,
    pub(super) label: &'a str,
    pub(super) operator: &'a str,
    /// Where it stands, unless that is at the top.
    pub(super) path: Option<&'a str>,
}

/// One populated relation to many rows, by its path.
pub(super) struct Shown {
    pub(super) path: &'static str,
    pub(super) limit: usize,
    pub(super) truncated: bool,
}

impl Body {
    pub(super) fn new() -> Self {
        let mut bytes = Vec::with_capacity(16 * 1024);
        bytes.extend_from_slice(START);
        Self { bytes, rows: 0 }
    }

    /// A row by itself, after these bytes.
    pub(super) fn line(bytes: Vec<u8>) -> Self {
        Self { bytes, rows: 0 }
    }

    /// Whether one more row is shown.
    pub(super) fn has_room(&self) -> bool {
        self.rows < PAGE_SIZE
    }

    /// Writes an article, without its closing brace.
    pub(super) fn article(
        &mut self,
        id: i64,
        title: &str,
        slug: &str,
        is_active: bool,
        views: i32,
    ) -> &mut Vec<u8> {
        if self.rows > 0 {
            self.bytes.push(b',');
        }
        self.rows += 1;
        let out = &mut self.bytes;
        out.extend_from_slice(b"{\"id\":");
        integer(out, id);
        out.extend_from_slice(b",\"title\":");
        text(out, title);
        out.extend_from_slice(b",\"slug\":");
        text(out, slug);
        out.extend_from_slice(if is_active {
            b",\"is_active\":true,\"views\":"
        } else {
            b",\"is_active\":false,\"views\":"
        });
        integer(out, views);
        out.extend_from_slice(b",\"created_at\":");
        out
    }

    pub(super) fn finish(
        self,
        page: u64,
        filters: &[Applied<'_>],
        rest: &Rest,
        relations: &[Shown],
    ) -> Vec<u8> {
        let mut out = self.bytes;
        out.push(b']');
        let items: Range<usize> = START.len() - 1..out.len();
        out.reserve(items.len() + 512);
        out.extend_from_slice(META);
        out.extend_from_within(items);
        out.extend_from_slice(b",\"filters\":[");
        for (at, filter) in filters.iter().enumerate() {
            out.extend_from_slice(if at == 0 { b"{\"key\":" } else { b",{\"key\":" });
            text(&mut out, filter.key);
            out.extend_from_slice(b",\"value\":");
            text(&mut out, filter.value);
            out.extend_from_slice(b",\"label\":");
            text(&mut out, filter.label);
            out.extend_from_slice(b",\"operator\":");
            text(&mut out, filter.operator);
            if let Some(path) = filter.path {
                out.extend_from_slice(b",\"path\":");
                text(&mut out, path);
            }
            out.push(b'}');
        }
        out.extend_from_slice(b"],\"pagination\":{\"page\":");
        integer(&mut out, page);
        out.extend_from_slice(b",\"pageSize\":");
        integer(&mut out, PAGE_SIZE);
        match rest {
            Rest::More(more) => {
                out.extend_from_slice(b",\"hasMore\":");
                out.extend_from_slice(if *more { b"true" } else { b"false" });
            }
            Rest::Total(total) => {
                let shown = MOST_COUNTED.min(*total);
                out.extend_from_slice(b",\"pageCount\":");
                integer(&mut out, shown.div_ceil(PAGE_SIZE));
                out.extend_from_slice(b",\"total\":");
                integer(&mut out, shown);
                if *total > MOST_COUNTED {
                    out.extend_from_slice(b",\"totalIsExact\":false,\"hasMore\":true");
                }
            }
        }
        out.push(b'}');
        for (at, shown) in relations.iter().enumerate() {
            let start = if at == 0 { ",\"relations\":{" } else { "," };
            // Writing to a vector cannot fail.
            let _ = write!(
                out,
                "{start}\"{}\":{{\"limit\":{},\"truncated\":{}}}",
                shown.path, shown.limit, shown.truncated
            );
        }
        out.extend_from_slice(if relations.is_empty() { b"}}" } else { b"}}}" });
        out
    }
}

pub(super) fn integer(out: &mut Vec<u8>, value: impl itoa::Integer) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

pub(super) fn text(out: &mut Vec<u8>, value: &str) {
    // Writing to a vector cannot fail.
    let _ = serde_json::to_writer(out, value);
}

/// A moment in microseconds since 1970, as `2023-01-02T03:04:05.000006Z`, in quotes.
pub(super) fn moment(out: &mut Vec<u8>, microseconds: i64) {
    let days = microseconds.div_euclid(86_400_000_000);
    let of_day = microseconds.rem_euclid(86_400_000_000);
    let (year, month, day) = civil(days);
    let (seconds, fraction) = (of_day / 1_000_000, of_day % 1_000_000);
    let mut form = *b"\"0000-00-00T00:00:00.000000Z\"";
    digits(&mut form[1..5], year);
    digits(&mut form[6..8], month);
    digits(&mut form[9..11], day);
    digits(&mut form[12..14], seconds / 3_600);
    digits(&mut form[15..17], seconds / 60 % 60);
    digits(&mut form[18..20], seconds % 60);
    digits(&mut form[21..27], fraction);
    out.extend_from_slice(&form);
}

fn digits(form: &mut [u8], mut value: i64) {
    for place in form.iter_mut().rev() {
        // One digit always fits.
        *place = b'0' + u8::try_from(value % 10).unwrap_or_default();
        value /= 10;
    }
}

/// Year, month and day of a number of days since 1970, by Hinnant's well-known method.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_six_digits_and_a_z() {
        let written = |microseconds| {
            let mut out = Vec::new();
            moment(&mut out, microseconds);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written(0), "\"1970-01-01T00:00:00.000000Z\"");
        assert_eq!(written(-1), "\"1969-12-31T23:59:59.999999Z\"");
        assert_eq!(
            written(1_709_164_800_000_007),
            "\"2024-02-29T00:00:00.000007Z\""
        );
    }
}
