//! Parses any bytes as a JSON body, which must never panic nor yield more than was sent.
#![no_main]

use libfuzzer_sys::fuzz_target;
use listing::Bounds;
use listing::request::parse_json;

fuzz_target!(|body: &[u8]| {
    let bounds = Bounds::default();
    match parse_json(body, &bounds) {
        Ok(request) => {
            assert!(std::str::from_utf8(body).is_ok());
            assert_eq!(parse_json(body, &bounds).as_ref(), Ok(&request));
        }
        Err(error) => {
            let complaint = error.complaint();
            assert!(!complaint.message.contains('\0'));
            assert!(complaint.token.chars().count() <= 81);
        }
    }
});
