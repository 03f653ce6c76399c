//! Writes `meta.facets` and `meta.totals` (d98, d103, d104, d107).

use serde_json::{Value, json};

use super::list::{put, put_text};
use crate::execute::{FacetValue, Numbers, ReadFacet};
use crate::plan::{CheckedFacet, CheckedNumbers, CheckedTotal, FacetShows};
use crate::render::bucket_offset;

/// The members of `meta`, each with the comma before it; empty if nothing was requested.
pub(super) fn numbers(asked: &CheckedNumbers<'_>, read: &Numbers) -> Vec<u8> {
    let mut told = Vec::new();
    if !asked.facets.is_empty() {
        let facets = asked.facets.iter().zip(&read.facets);
        let facets: Vec<_> = facets
            .map(|(asked, (_, read))| facet(asked, read.as_ref()))
            .collect();
        put(
            &mut told,
            b",\"facets\":",
            json!(facets).to_string().as_bytes(),
        );
    }
    if !asked.totals.is_empty() {
        told.extend_from_slice(b",\"totals\":");
        totals(&mut told, asked, read.totals.as_deref());
    }
    told
}

fn facet(asked: &CheckedFacet<'_>, read: Option<&ReadFacet>) -> Value {
    let key = asked.key;
    match read {
        None => json!({ "key": key, "values": null, "timedOut": true }),
        Some(ReadFacet::Values {
            values,
            missing,
            others,
            truncated,
        }) => {
            let value = |value: &FacetValue| {
                json!({
                    "value": value.value,
                    "label": value.label,
                    "count": value.count,
                    "selected": value.selected,
                })
            };
            json!({
                "key": key,
                "values": values.iter().map(value).collect::<Vec<_>>(),
                "missing": missing,
                "others": others,
                "truncated": truncated,
            })
        }
        Some(ReadFacet::Range { min, max }) => {
            let end = |text: &String| serde_json::from_str(text).unwrap_or(Value::Null);
            json!({ "key": key, "min": end(min), "max": end(max) })
        }
        Some(ReadFacet::Calendar { buckets, missing }) => {
            let (unit, offset) = match &asked.shows {
                FacetShows::Calendar { options, .. } => {
                    (options.unit.wire(), bucket_offset(options.offset))
                }
                _ => ("", String::new()),
            };
            let values = buckets.iter().map(|(bucket, count)| {
                json!({
                    "value": bucket.value,
                    "from": bucket.from,
                    "to": bucket.to,
                    "count": count,
                })
            });
            json!({
                "key": key,
                "unit": unit,
                "offset": offset,
                "values": values.collect::<Vec<_>>(),
                "missing": missing,
            })
        }
    }
}

/// `{"views":{"sum":12,"avg":"4.000000"}}`
fn totals(told: &mut Vec<u8>, asked: &CheckedNumbers<'_>, read: Option<&[Vec<String>]>) {
    for (at, total) in asked.totals.iter().enumerate() {
        told.push(if at == 0 { b'{' } else { b',' });
        put_text(told, b"", Some(total.name));
        told.push(b':');
        let numbers = read.and_then(|read| read.get(at));
        put_total(told, total, numbers.map(Vec::as_slice));
    }
    told.push(b'}');
}

/// The numbers about one field; null where they took too long.
pub(super) fn put_total(told: &mut Vec<u8>, total: &CheckedTotal<'_>, numbers: Option<&[String]>) {
    told.push(b'{');
    for (at, function) in total.functions.iter().enumerate() {
        told.extend_from_slice(if at == 0 { b"" } else { b"," });
        put_text(told, b"", Some(function.wire()));
        let number = numbers.and_then(|numbers| numbers.get(at));
        put(told, b":", number.map_or("null", String::as_str).as_bytes());
    }
    if numbers.is_none() {
        told.extend_from_slice(b",\"timedOut\":true");
    }
    told.push(b'}');
}
