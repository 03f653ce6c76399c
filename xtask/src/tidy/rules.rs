//! Matches the rules of `docs/rules.txt` and `docs/decisions.md` with the names of all tests and writes `docs/rules.md`.
//!
//! The numbers of a test's rules stand above it (`/// Rules c2_2_r8, d7.`, in JavaScript `// Rule b311.`); older tests carry them
//! in their names (`c2_2_r8_d7_unknown_field_is_ignored`). A rule of the contract is `c`, its section, and `r` a numbered rule, `t` a row of a table or `p` any other sentence;
//! a decision is `d` and its number, or `b` where the project took it by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::source::{code, identifiers, is_word, line_of};
use super::{Complaint, File};

const LIST: &str = "docs/rules.txt";
const PAGE: &str = "docs/rules.md";
const DECISIONS: &str = "docs/decisions.md";

struct Rule<'t> {
    line: usize,
    id: &'t str,
    text: &'t str,
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// Must have a test.
    Now,
    /// Belongs to work that has not been done yet.
    Later,
    /// The contract leaves it open; the rule that decides it is named in the text and has the test.
    Open,
}

/// Tests by their names.
type Tests<'t> = BTreeMap<String, Test<'t>>;

/// The place where a test is first found, and the rules that it names.
struct Test<'t> {
    file: &'t File,
    line: usize,
    ids: BTreeSet<&'t str>,
}

pub(super) fn write_page(root: &Path, files: &[File]) -> Result<()> {
    let list = find(files, LIST).with_context(|| format!("{LIST} is missing"))?;
    let (rules, _) = parse(list);
    fs::write(root.join(PAGE), page(&rules, &tests(files)))?;
    Ok(())
}

pub(super) fn check(files: &[File]) -> Vec<Complaint> {
    let Some(list) = find(files, LIST) else {
        return Vec::new();
    };
    let (rules, mut complaints) = parse(list);
    let tests = tests(files);
    let own = find(files, DECISIONS);
    let decisions = own.map(decisions).unwrap_or_default();
    for (file, rule) in rules.iter().map(|rule| (list, rule)).chain(
        own.into_iter()
            .flat_map(|file| decisions.iter().map(move |rule| (file, rule))),
    ) {
        if rule.state == State::Now && !tests.iter().any(|test| carries(test, rule.id)) {
            complaints
                .push(file.complain(rule.line, format!("{} has no test: {}", rule.id, rule.text)));
        }
    }
    let mut known: BTreeSet<_> = rules.iter().map(|rule| rule.id).collect();
    for rule in &decisions {
        if !known.insert(rule.id) {
            let twice = format!("{} is there twice", rule.id);
            complaints.extend(own.map(|file| file.complain(rule.line, twice)));
        }
    }
    for (name, Test { file, line, ids }) in &tests {
        let in_name = leading_ids(name).into_iter();
        let ids = in_name.chain(ids.iter().copied());
        for id in ids.filter(|id| !known.contains(id)) {
            complaints.push(file.complain(
                *line,
                format!("`{name}` tests {id}, which neither {LIST} nor {DECISIONS} has"),
            ));
        }
    }
    if find(files, PAGE).is_none_or(|file| file.text != page(&rules, &tests)) {
        let message = format!("{PAGE} is out of date: run `cargo xtask tidy --write`");
        complaints.push(list.complain(1, message));
    }
    complaints
}

fn find<'f>(files: &'f [File], path: &str) -> Option<&'f File> {
    files.iter().find(|file| file.path == path)
}

/// One rule a line: id, text and state, separated by tabs; `#` starts a comment.
fn parse(list: &File) -> (Vec<Rule<'_>>, Vec<Complaint>) {
    let (mut rules, mut complaints) = (Vec::<Rule<'_>>::new(), Vec::new());
    let lines = list.text.lines().enumerate();
    for (index, text) in lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#')) {
        let line = index + 1;
        let columns: Vec<_> = text.split('\t').collect();
        let &[id, text, state] = columns.as_slice() else {
            complaints.push(list.complain(line, "not three columns separated by tabs"));
            continue;
        };
        let state = match state {
            "now" => State::Now,
            "later" => State::Later,
            "open" => State::Open,
            other => {
                complaints
                    .push(list.complain(line, format!("`{other}` is not one of now, later, open")));
                continue;
            }
        };
        if leading_ids(id) != [id] {
            complaints.push(list.complain(line, format!("`{id}` is not the number of a rule")));
        }
        if rules.iter().any(|rule| rule.id == id) {
            complaints.push(list.complain(line, format!("{id} is there twice")));
        }
        rules.push(Rule {
            line,
            id,
            text,
            state,
        });
    }
    (rules, complaints)
}

/// The rows of tables that begin with the number of a decision.
fn decisions(file: &File) -> Vec<Rule<'_>> {
    let rows = file.text.lines().enumerate();
    let rows = rows.filter_map(|(index, row)| {
        let mut cells = row.strip_prefix("| ")?.split(" | ");
        let (id, text) = (cells.next()?, cells.next()?);
        (leading_ids(id) == [id]).then_some(Rule {
            line: index + 1,
            id,
            text,
            state: State::Now,
        })
    });
    rows.collect()
}

/// The tests whose names begin with a number, and those with a line above them that names one.
fn tests(files: &[File]) -> Tests<'_> {
    let mut tests = Tests::new();
    let mut add = |name: String, file, line, ids: Vec<_>| {
        let test = tests.entry(name).or_insert_with(|| Test {
            file,
            line,
            ids: BTreeSet::new(),
        });
        test.ids.extend(ids);
    };
    for file in files.iter().filter(|file| file.is("mjs")) {
        for (index, line) in file.text.lines().enumerate() {
            if let Some(name) = title(line).filter(|name| !leading_ids(name).is_empty()) {
                add(name, file, index + 1, Vec::new());
            }
        }
    }
    // Every identifier that begins with a number and goes on is a test, whether it stands after `fn` or is handed to a macro
    // that makes tests of it. Modules are not.
    for file in files.iter().filter(|file| file.is("rs")) {
        let code = code(&file.text);
        let mut before = "";
        for (offset, word) in identifiers(&code) {
            let ids = leading_ids(word);
            let is_test = ids.last().is_some_and(|last| !word.ends_with(last));
            if is_test && before != "mod" {
                add(word.to_owned(), file, line_of(&code, offset), Vec::new());
            }
            before = word;
        }
    }
    for file in files.iter().filter(|file| file.is("rs") || file.is("mjs")) {
        let mut above = Vec::new();
        for (index, line) in file.text.lines().enumerate() {
            above.extend(numbers(line));
            if let Some(name) = title(line).or_else(|| function(line)) {
                let ids = std::mem::take(&mut above);
                if !ids.is_empty() {
                    add(name, file, index + 1, ids);
                }
            }
        }
    }
    tests
}

/// The numbers of a line that says which rules the test below it is about: `/// Rules d16, d18.`
fn numbers(line: &str) -> Vec<&str> {
    let line = line.trim_start().trim_start_matches('/').trim_start();
    let list = line
        .strip_prefix("Rule ")
        .or_else(|| line.strip_prefix("Rules "));
    let Some((list, _)) = list.and_then(|list| list.split_once('.')) else {
        return Vec::new();
    };
    let ids: Vec<_> = list.split(", ").collect();
    match ids.iter().all(|id| leading_ids(id) == [*id]) {
        true => ids,
        false => Vec::new(),
    }
}

/// The title of a test in JavaScript, as a name: `test("b311 …`.
fn title(line: &str) -> Option<String> {
    let title = line
        .trim_start()
        .strip_prefix("test(\"")?
        .split('"')
        .next()?;
    Some(title.replace(|c: char| !c.is_alphanumeric(), "_"))
}

/// The name of the function that begins on a line.
fn function(line: &str) -> Option<String> {
    let line = line.trim_start().trim_start_matches("pub ");
    let line = line.trim_start_matches("async ").strip_prefix("fn ")?;
    Some(line.split(|c| !is_word(c)).next()?.to_owned())
}

/// The numbers that a name begins with: `d16_d18_a_page` has `d16` and `d18`.
fn leading_ids(name: &str) -> Vec<&str> {
    let mut ids = Vec::new();
    let mut rest = name;
    while let Some(length) = id_length(rest) {
        ids.push(&rest[..length]);
        rest = rest[length..].trim_start_matches('_');
    }
    ids
}

fn id_length(name: &str) -> Option<usize> {
    let numbered = |part: &str, letters: &str| {
        let number = part.strip_prefix(|c| letters.contains(c));
        number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    let parts: Vec<_> = name.splitn(4, '_').collect();
    let taken = match parts.as_slice() {
        [d, ..] if numbered(d, "bd") => 1,
        [c, rule, ..] if numbered(c, "c") && numbered(rule, "rtp") => 2,
        [c, section, rule, ..]
            if numbered(c, "c")
                && section.bytes().all(|b| b.is_ascii_digit())
                && numbered(rule, "rtp") =>
        {
            3
        }
        _ => return None,
    };
    Some(parts[..taken].iter().map(|part| part.len()).sum::<usize>() + taken - 1)
}

fn carries((name, test): (&String, &Test<'_>), id: &str) -> bool {
    test.ids.contains(id) || format!("_{name}_").contains(&format!("_{id}_"))
}

fn page(rules: &[Rule<'_>], tests: &Tests<'_>) -> String {
    let mut page = String::from(
        "# Rules and their tests\n\n\
         Generated by `cargo xtask tidy --write` from [the list of rules](rules.txt) and the tests; do not edit.\n\
         A rule of the contract is `c`, its section, and `r` a numbered rule, `t` a row of a table or `p` any other\n\
         sentence. A decision is `d` and its number. Those of [the project itself](decisions.md) (`b`) have tests, too.\n\n\
         | rule | what it says | tests |\n|---|---|---|\n",
    );
    for Rule {
        id, text, state, ..
    } in rules
    {
        let names = tests.iter().filter(|test| carries(*test, id));
        let names: Vec<_> = names.map(|(name, _)| format!("`{name}`")).collect();
        let tests = match (names.is_empty(), state) {
            (false, _) => names.join("<br>"),
            (true, State::Now) => "**none yet**".to_owned(),
            (true, State::Later) => "later".to_owned(),
            (true, State::Open) => "–".to_owned(),
        };
        let _ = writeln!(page, "| {id} | {} | {tests} |", text.replace('|', "\\|"));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::super::tests::texts;
    use super::*;

    const RULES: &str = "# comment\nc2_2_r8\tunknown fields\tnow\nd7\ttold\tnow\nd49\tshow\tlater\nc7_p1\td53 decides\topen\n";

    fn tree(code: &str) -> Vec<File> {
        let mut files = vec![File::new(LIST, RULES), File::new("tests/a.rs", code)];
        let (rules, _) = parse(&files[0]);
        let page = page(&rules, &super::tests(&files));
        files.push(File::new(PAGE, &page));
        files
    }

    #[test]
    fn numbers_are_read_from_names() {
        assert_eq!(leading_ids("d16_d18_a_page"), ["d16", "d18"]);
        assert_eq!(leading_ids("c2_2_r8_d7_unknown"), ["c2_2_r8", "d7"]);
        assert_eq!(leading_ids("c7_t1_c4_1_t12_x"), ["c7_t1", "c4_1_t12"]);
        assert_eq!(leading_ids("b331_b2_slow"), ["b331", "b2"]);
        for name in ["c2_2", "d", "b", "do_it", "c_r1", "cr1_2", "d1x_y", "data"] {
            assert_eq!(leading_ids(name), [""; 0], "{name}");
        }
    }

    #[test]
    fn a_rule_is_covered_by_any_test_that_carries_it() {
        let files = tree("#[test] fn c2_2_r8_d7_a() {}\nsuite! { d49_b => 1 }");
        assert_eq!(texts(check(&files)), [""; 0]);
        assert!(
            files[2].text.contains("| d49 | show | `d49_b` |"),
            "{}",
            files[2].text
        );
    }

    #[test]
    fn numbers_may_stand_above_a_test() {
        let code = "/// Rules c2_2_r8, d7.\n#[test]\nfn told() {}\n/// Rule d99. More.\nfn y() {}\n/// Rule of thumb.\nfn z() {}";
        let files = tree(code);
        assert!(files[2].text.contains("| d7 | told | `told` |"));
        assert_eq!(
            texts(check(&files)),
            ["tests/a.rs:5: `y` tests d99, which neither docs/rules.txt nor docs/decisions.md has"]
        );
        assert_eq!(numbers("    // Rule b311."), ["b311"]);
    }

    #[test]
    fn missing_and_unknown_numbers_are_complaints() {
        let files = tree("mod d7_told;\n// fn d7_comment\nfn c2_2_r8_x() {}\nfn d99_y() {}");
        assert_eq!(
            texts(check(&files)),
            [
                "docs/rules.txt:3: d7 has no test: told",
                "tests/a.rs:4: `d99_y` tests d99, which neither docs/rules.txt nor docs/decisions.md has",
            ]
        );
    }

    #[test]
    fn a_decision_of_the_project_is_there_once_and_has_a_test_in_rust_or_javascript() {
        let decisions = "| | question | answer |\n| b1 | null | 400 |\n| b2 | dots | 400 |\n| b3 | keys | 200 |\n| b1 | null | 200 |\n";
        let mut files = tree("fn c2_2_r8_d7_b1_x() {}\nfn b4_y() {}");
        files.push(File::new(DECISIONS, decisions));
        let script = "  test(\"b2, b9: dots\", async () => {});";
        files.push(File::new("clients/test/a.test.mjs", script));
        let found = texts(check(&files));
        for expected in [
            "docs/decisions.md:4: b3 has no test: keys",
            "docs/decisions.md:5: b1 is there twice",
            "tests/a.rs:2: `b4_y` tests b4, which neither docs/rules.txt nor docs/decisions.md has",
        ] {
            assert!(found.iter().any(|one| one == expected), "{found:#?}");
        }
        assert!(
            !found
                .iter()
                .any(|one| one.contains("b2 has") || one.contains("b1 has"))
        );
    }

    #[test]
    fn an_old_page_is_a_complaint() {
        let mut files = tree("fn c2_2_r8_d7_a() {}");
        files[2].text.push('x');
        assert!(check(&files)[0].message.contains("out of date"));
    }

    #[test]
    fn a_broken_list_is_a_complaint() {
        let list = File::new(LIST, "d1\ttext\td2\nd1\ta\tnow\nd1\tb\tnow\nx\ty\tnow\nz\n");
        let (rules, complaints) = parse(&list);
        assert_eq!((rules.len(), complaints.len()), (3, 4));
    }
}
