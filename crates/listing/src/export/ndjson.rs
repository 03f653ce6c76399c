//! Writes rows as lines of JSON, as in the list (d113).

use super::cells::Cells;
use super::layout::Part;
use crate::render::write_string;

/// Writes a row without the end of its object. A row that is the same as in the list is copied.
pub(super) fn row(
    out: &mut Vec<u8>,
    parts: Option<&[Part<'_>]>,
    row: &[u8],
    label: &mut dyn FnMut(usize, &[u8]) -> String,
) {
    match parts {
        None => out.extend_from_slice(row),
        Some(parts) => object(out, parts, &mut Cells(row), label),
    }
}

fn object(
    out: &mut Vec<u8>,
    parts: &[Part<'_>],
    cells: &mut Cells<'_>,
    label: &mut dyn FnMut(usize, &[u8]) -> String,
) {
    let name = |out: &mut Vec<u8>, name: &str| {
        if out.last() != Some(&b'{') {
            out.push(b',');
        }
        write_string(out, name.as_bytes());
        out.push(b':');
    };
    out.push(b'{');
    for part in parts {
        let cell = cells.next().unwrap_or(b"null");
        match part {
            Part::Value {
                name: of,
                label: at,
                ..
            } => {
                name(out, of);
                out.extend_from_slice(cell);
                if let Some(at) = at {
                    name(out, &format!("{of}.label"));
                    match cell {
                        b"null" => out.extend_from_slice(b"null"),
                        cell => write_string(out, label(*at, cell).as_bytes()),
                    }
                }
            }
            Part::Count { name: of } => {
                name(out, of);
                out.extend_from_slice(b"{\"count\":");
                out.extend_from_slice(cell);
                out.push(b'}');
            }
            Part::One { name: of, parts } => {
                name(out, of);
                let start = out.len();
                object(out, parts, cells, label);
                out.push(b'}');
                if cell != b"true" {
                    out.truncate(start);
                    out.extend_from_slice(b"null");
                }
            }
        }
    }
}
