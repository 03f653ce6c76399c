//! Parses any text as a query string, which must never panic nor yield more than was sent.
#![no_main]

use libfuzzer_sys::fuzz_target;
use listing::Bounds;
use listing::request::parse_query;

fuzz_target!(|query: &str| {
    let bounds = Bounds::default();
    match parse_query(query, &bounds) {
        Ok(request) => {
            // Reading is a function of the text alone.
            assert_eq!(parse_query(query, &bounds).as_ref(), Ok(&request));
        }
        Err(error) => {
            let complaint = error.complaint();
            assert!(!complaint.message.contains('\0'));
            assert!(complaint.parameter.chars().count() <= 200);
            assert!(complaint.token.chars().count() <= 81);
        }
    }
});
