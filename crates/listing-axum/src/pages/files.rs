//! The files of the explorer, which are embedded in the program.

use std::sync::LazyLock;

use twox_hash::XxHash3_128;

/// A file and its name.
pub(super) struct File {
    pub(super) name: &'static str,
    pub(super) content_type: &'static str,
    pub(super) text: &'static str,
}

pub(super) const HTML: &str = "text/html; charset=utf-8";
pub(super) const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const DRAWING: &str = "image/svg+xml";

macro_rules! files {
    ($($content_type:ident: $($name:literal)+;)+) => {
        &[$($(File {
            name: $name,
            content_type: $content_type,
            text: include_str!(concat!("explorer/", $name)),
        },)+)+]
    };
}

/// Everything but the page itself.
pub(super) const FILES: &[File] = files! {
    STYLE: "style.css" "parts.css" "numbers.css" "builder.css" "dialogs.css" "many.css" "opened.css";
    DRAWING: "icon.svg";
    SCRIPT: "app.js" "asked.js" "builder.js" "bulk.js" "calendar.js" "cards.js" "cell.js" "chart.js" "chips.js" "choose.js" "columns.js"
        "conflict.js" "counting.js" "defaults.js" "description.js" "dialog.js" "element.js" "explorer.js" "exporting.js" "facets.js"
        "field.js" "filters.js" "findlist.js" "form.js" "grouping.js" "groups.js" "history.js" "icons.js" "keys.js" "labels.js" "links.js" "looks.js"
        "lookup.js" "members.js" "nearest.js" "notices.js" "numbers.js" "order.js" "pages.js" "panel.js" "picked.js" "popover.js"
        "problems.js" "querybar.js" "raw.js" "record.js" "related.js" "relatedblock.js" "request.js" "results.js" "service.js" "shown.js"
        "sidebar.js" "signin.js" "slider.js" "snippets.js" "sorting.js" "style.js" "table.js" "text.js" "theme.js" "toolbar.js" "totals.js"
        "totalspanel.js" "undisturbed.js" "units.js" "value.js" "views.js";
};

/// The page, with places in braces for addresses.
const PAGE: &str = include_str!("explorer/index.html");

/// A hash of the files. It is a part of their addresses, so that browsers can cache them indefinitely.
pub(super) static VERSION: LazyLock<String> = LazyLock::new(|| {
    let all: String = FILES.iter().map(|file| file.text).collect();
    format!("{:032x}", XxHash3_128::oneshot(all.as_bytes()))
});

/// The page at the address `explorer`, for the description at `describe`. `docs` is the address of the API reference, if there is
/// one.
pub(super) fn page(explorer: &str, describe: &str, docs: Option<&str>, sign_in: bool) -> String {
    let assets = format!("{explorer}/_/{}", *VERSION);
    // The page lists the modules, so that browsers fetch them in parallel.
    let modules: String = needed_at_first()
        .iter()
        .map(|name| format!("<link rel=\"modulepreload\" href=\"{assets}/{name}\">\n"))
        .collect();
    PAGE.replace("{modules}", &modules)
        .replace("{assets}", &assets)
        .replace("{explorer}", explorer)
        .replace("{describe}", &escaped(describe))
        .replace("{docs}", &escaped(docs.unwrap_or_default()))
        .replace("{sign-in}", if sign_in { "yes" } else { "no" })
}

/// The modules that `app.js` imports, directly or indirectly. Panels and forms are fetched when they are opened.
fn needed_at_first() -> Vec<&'static str> {
    let mut needed = vec!["app.js"];
    let mut at = 0;
    while let Some(name) = needed.get(at).copied() {
        let file = FILES.iter().find(|file| file.name == name);
        for import in file.into_iter().flat_map(|file| imports(file.text)) {
            if !needed.contains(&import) {
                needed.push(import);
            }
        }
        at += 1;
    }
    needed
}

/// The modules that a module names in its `import … from "./module.js";`.
fn imports(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter_map(|line| line.strip_suffix("\";")?.rsplit_once(" from \"./"))
        .map(|(_, name)| name)
}

/// Text as the value of an attribute or between elements.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> Vec<String> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/pages/explorer");
        let entries = std::fs::read_dir(folder).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "index.html")
            .collect()
    }

    #[test]
    fn every_file_of_the_folder_is_served() {
        let mut found = folder();
        let mut served: Vec<_> = FILES.iter().map(|file| file.name.to_owned()).collect();
        found.sort();
        served.sort();
        assert_eq!(served, found);
    }

    /// Rule b312.
    #[test]
    fn modules_import_only_files_that_are_served() {
        for file in FILES.iter().filter(|file| file.content_type == SCRIPT) {
            let later = file
                .text
                .split("import(\"./")
                .skip(1)
                .filter_map(|rest| rest.split_once("\")"))
                .map(|(name, _)| name);
            for name in imports(file.text).chain(later) {
                let served = FILES.iter().any(|other| other.name == name);
                assert!(served, "{} imports {name}", file.name);
            }
        }
        let first = needed_at_first();
        assert!(first.contains(&"text.js"), "{first:?}");
        assert!(!first.contains(&"record.js"), "{first:?}");
    }

    /// Rule b313.
    #[test]
    fn nothing_writes_markup_or_runs_text() {
        let forbidden = [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "srcdoc",
            "setHTMLUnsafe",
            "parseFromString",
        ];
        for file in FILES {
            for word in forbidden {
                assert!(!file.text.contains(word), "{} has {word}", file.name);
            }
        }
        for attribute in [" onclick=", " onload=", " style=", "<style", "javascript:"] {
            assert!(!PAGE.contains(attribute), "{attribute}");
        }
    }

    #[test]
    fn files_are_short_and_say_what_they_are_for() {
        for file in FILES.iter().filter(|file| file.content_type != DRAWING) {
            let first = file.text.lines().next().unwrap();
            let sentence = first.trim_start_matches("//").trim_start_matches("/*");
            let sentence = sentence.trim_end_matches("*/").trim();
            assert!(sentence.ends_with('.'), "{}: {first}", file.name);
            assert!(file.text.lines().count() <= 450, "{}", file.name);
        }
    }

    #[test]
    fn addresses_cannot_leave_their_attributes() {
        let page = page(
            "/explorer",
            "/api\"><script>alert(1)</script>/_describe",
            Some("/docs"),
            true,
        );
        assert!(!page.contains("<script>alert"));
        assert!(page.contains("&quot;&gt;&lt;script&gt;"));
        assert!(!page.contains('{'), "{page}");
    }
}
