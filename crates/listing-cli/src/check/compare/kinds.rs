//! Tests which kinds of a database may be used for those of an entity.

use super::agree;

/// Rule b128.
#[test]
fn a_kind_agrees_with_itself_and_with_what_stands_for_it() {
    for (declared, found) in [
        ("integer", "integer"),
        ("enum", "text"),
        ("json", "text"),
        ("uuid", "text"),
        ("uuid", "binary"),
        ("boolean", "integer"),
        ("decimal", "float"),
    ] {
        assert!(agree(declared, found), "{declared} as {found}");
    }
    for (declared, found) in [
        ("integer", "text"),
        ("integer", "boolean"),
        ("text", "json"),
        ("text", "uuid"),
        ("binary", "uuid"),
        ("float", "decimal"),
    ] {
        assert!(!agree(declared, found), "{declared} as {found}");
    }
}
