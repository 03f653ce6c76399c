//! Lines find their places in sources of any formatting.

use super::*;

fn module(text: &str) -> String {
    with_module("src/lib.rs", text, "mod account;").unwrap()
}

fn export(text: &str) -> String {
    with_export("src/lib.rs", text, "account", "AccountListing").unwrap()
}

#[test]
fn a_module_stands_with_the_others() {
    for (before, after) in [
        (
            "//! Says what.\n\npub mod a;\npub mod b;\n\nuse x;\n",
            "//! Says what.\n\npub mod a;\npub mod b;\nmod account;\n\nuse x;\n",
        ),
        (
            "//! Says what.\nuse x;\n",
            "//! Says what.\n\nmod account;\n\nuse x;\n",
        ),
        ("", "mod account;\n"),
        ("mod a; // Of a.", "mod a; // Of a.\nmod account;\n"),
        (
            "mod a;\n#[cfg(test)]\nmod tests;\n",
            "mod a;\nmod account;\n#[cfg(test)]\nmod tests;\n",
        ),
    ] {
        assert_eq!(module(before), after);
    }
}

/// Rule b497.
#[test]
fn a_module_is_declared_once_and_after_what_is_about_the_file() {
    for known in [
        "pub mod account;\n",
        "pub(crate) mod account;\n",
        "mod account; // Of an account.\n",
        "mod account {}\n",
        "mod\n    account;\n",
    ] {
        assert_eq!(module(known), known);
    }
    for (before, after) in [
        (
            "#![allow(\n    dead_code,\n)]\nuse x;\n",
            "#![allow(\n    dead_code,\n)]\n\nmod account;\n\nuse x;\n",
        ),
        (
            "// Copyright\n\n#![allow(dead_code)]\n\nuse x;\n",
            "// Copyright\n\n#![allow(dead_code)]\n\nmod account;\n\nuse x;\n",
        ),
        (
            "// Copyright\n\nuse x;\n",
            "// Copyright\n\nmod account;\n\nuse x;\n",
        ),
        ("// Why.\nuse x;\n", "mod account;\n\n// Why.\nuse x;\n"),
        (
            "\u{feff}mod größe;\r\nuse x;\r\n",
            "\u{feff}mod größe;\r\nmod account;\r\nuse x;\r\n",
        ),
    ] {
        assert_eq!(module(before), after);
    }
}

/// Rules b480, b497.
#[test]
fn what_is_handed_on_cannot_be_taken_for_a_crate_and_is_written_once() {
    let once = export("mod account;\n");
    assert_eq!(
        once,
        "mod account;\n\npub use self::account::AccountListing;\n"
    );
    for known in [
        once.as_str(),
        "pub use account::AccountListing;\n",
        "pub use account::{Account, AccountListing};\n",
        "pub(crate) use self::account::{\n    AccountListing,\n};\n",
        "pub use {account::AccountListing, x::Y};\n",
        "pub use account::*;\n",
    ] {
        assert_eq!(export(known), known);
    }
    assert_eq!(
        export("mod account;\npub use self::article::{\n    Article,\n    B,\n};\nuse x;\n"),
        "mod account;\npub use self::article::{\n    Article,\n    B,\n};\n\
         pub use self::account::AccountListing;\nuse x;\n"
    );
    let other = "pub use my_account::AccountListing as Mine;\n";
    assert!(export(other).ends_with("pub use self::account::AccountListing;\n"));
}

/// Rule b497.
#[test]
fn a_call_is_written_before_the_one_end_that_is_not_of_a_test() {
    let add = |text: &str| before_end("f", text, ".crud::<A>()");
    for (before, after) in [
        (
            "fn f() {\n\tApi::new(\"/api\")\n\t\t.finish()\n}\n",
            "fn f() {\n\tApi::new(\"/api\")\n\t\t.crud::<A>()\n\t\t.finish()\n}\n",
        ),
        (
            "fn f() {\n    Api::new(\"/api\").build(s)\n}\n",
            "fn f() {\n    Api::new(\"/api\")\n        .crud::<A>()\n        .build(s)\n}\n",
        ),
        (
            "fn f() {\r\n    a\r\n        .build(s)\r\n}\r\n",
            "fn f() {\r\n    a\r\n        .crud::<A>()\r\n        .build(s)\r\n}\r\n",
        ),
    ] {
        assert_eq!(add(before).unwrap(), after);
    }
    let text = "fn f() {\n    a\n        .build(s)\n}\n// x.build(s)\n/// y.build(s)\n\
                #[cfg(test)]\nmod tests {\n    fn g() {\n        b.build(s)\n    }\n}\n";
    let added = add(text).unwrap();
    assert!(added.starts_with("fn f() {\n    a\n        .crud::<A>()\n        .build(s)\n"));
    assert_eq!(added.matches(".crud").count(), 1);
    let two = "fn f() {\n    a.build(s)\n}\nfn g() {\n    b.build(s)\n}\n";
    for (text, problem) in [
        (two, "write `.crud::<A>()` before the right one by hand"),
        ("fn f() {}", "has no `.build(…)`"),
        ("fn f() {", "add `.crud::<A>()` by hand"),
    ] {
        let error = add(text).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

/// Rule b497.
#[test]
fn a_call_is_found_in_any_formatting_and_not_in_a_comment() {
    let text = "fn f() {\n    a.crud::<\n        A\n    >()\n    .b() // .crud::<B>()\n}\n";
    assert!(calls(text, ".crud::<A>()"));
    assert!(!calls(text, ".crud::<B>()"));
    let replaced = with_call_replaced(text, ".crud::<A>()", ".read::<A>()");
    assert!(replaced.unwrap().contains("a.read::<A>()\n    .b()"));
}

/// Rule b497.
#[test]
fn what_cannot_be_read_or_would_break_is_added_by_hand() {
    for text in ["mod {", "mod a; /* mod b;\n*/\n"] {
        let error = with_module("src/lib.rs", text, "mod account;");
        let error = error.unwrap_err().to_string();
        let remedy = "src/lib.rs cannot be changed; add `mod account;` by hand";
        assert!(error.starts_with(remedy), "{error}");
    }
}

/// Rule b560.
#[test]
fn an_enumeration_is_read_by_the_values_of_the_database() {
    let read = |text: &str| with_deserialize("src/entity/enums.rs", text, "Mood");
    let derives = ["DeriveActiveEnum", "DeriveActiveEnum, serde::Deserialize"];
    let [before, after] = derives.map(|derive| format!("#[derive(EnumIter, {derive})]"));
    for (values, named) in [
        (
            "\r\npub enum Mood {\r\n    #[sea_orm(string_value = \"so so\")]\r\n    SoSo,\r\n}\r\n",
            "\r\npub enum Mood {\r\n    #[sea_orm(string_value = \"so so\")]\r\n    \
             #[serde(rename = \"so so\")]\r\n    SoSo,\r\n}\r\n",
        ),
        (
            "enum Mood { #[sea_orm(string_value = \"a\")] A, #[sea_orm(num_value = 1)] B }",
            "enum Mood { #[sea_orm(string_value = \"a\")] #[serde(rename = \"a\")] A, #[sea_orm(num_value = 1)] B }",
        ),
        // What is written as JSON has its names.
        (
            "#[derive(Serialize)]\nenum Mood {\n    #[sea_orm(string_value = \"a\")]\n    #[serde(rename = \"b\")]\n    A,\n}\n",
            "#[derive(Serialize)]\nenum Mood {\n    #[sea_orm(string_value = \"a\")]\n    #[serde(rename = \"b\")]\n    A,\n}\n",
        ),
    ] {
        let text = read(&format!("{before}{values}")).unwrap();
        assert_eq!(text, format!("{after}{named}"));
        assert_eq!(read(&text).unwrap(), text);
    }
    for known in [
        "#[derive(DeriveActiveEnum, Deserialize)]\nenum Mood {}\n",
        "#[derive(DeriveActiveEnum)]\nenum Mood {}\nimpl<'de> Deserialize<'de> for Mood {}\n",
    ] {
        assert_eq!(read(known).unwrap(), known);
    }
    for text in ["enum Mood {", "enum Mood {}\n", "// enum Mood {}\n"] {
        let error = read(text).unwrap_err().to_string();
        let remedy = "add `#[derive(serde::Deserialize)] pub enum Mood` by hand";
        assert!(error.contains(remedy), "{error}");
    }
}
