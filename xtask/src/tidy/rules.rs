//! Matches the rules of `docs/rules.txt` and `docs/decisions` with the tests that name them, and writes `docs/rules.md`.
//!
//! The numbers of a test's rules stand above it: `/// Rules c2_2_r8, d7.`, in JavaScript `// Rule b311.` A rule of the contract is
//! `c`, its section, and `r` a numbered rule, `t` a row of a table or `p` any other sentence; a decision is `d` and its number, or
//! `b` where the project took it by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::source::{code, identifiers, is_word, line_of};
use super::{Complaint, File};

const LIST: &str = "docs/rules.txt";
const PAGE: &str = "docs/rules.md";
const DECISIONS: &str = "docs/decisions/";

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
    complaints.extend(numbered_names(files));
    let own = files.iter().filter(|file| file.path.starts_with(DECISIONS));
    let own = own.flat_map(|file| decisions(file).into_iter().map(move |rule| (file, rule)));
    let own: Vec<_> = own.collect();
    let all = rules.iter().map(|rule| (list, rule));
    for (file, rule) in all.chain(own.iter().map(|(file, rule)| (*file, rule))) {
        if rule.state == State::Now && !tests.iter().any(|test| carries(test, rule.id)) {
            complaints
                .push(file.complain(rule.line, format!("{} has no test: {}", rule.id, rule.text)));
        }
    }
    let mut known: BTreeSet<_> = rules.iter().map(|rule| rule.id).collect();
    for (file, rule) in &own {
        if !known.insert(rule.id) {
            let twice = format!("{} is there twice", rule.id);
            complaints.push(file.complain(rule.line, twice));
        }
    }
    for (name, Test { file, line, ids }) in &tests {
        for id in ids.iter().filter(|id| !known.contains(*id)) {
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

/// The tests with a line above them that names rules.
fn tests(files: &[File]) -> Tests<'_> {
    let mut tests = Tests::new();
    for file in files.iter().filter(|file| file.is("rs") || file.is("mjs")) {
        let mut above = Vec::new();
        for (index, line) in file.text.lines().enumerate() {
            above.extend(numbers(line));
            if above.is_empty() {
                continue;
            }
            if let Some(name) = title(line)
                .or_else(|| function(line))
                .or_else(|| case(line))
            {
                let test = tests.entry(name).or_insert_with(|| Test {
                    file,
                    line: index + 1,
                    ids: BTreeSet::new(),
                });
                test.ids.extend(std::mem::take(&mut above));
            }
        }
    }
    tests
}

/// Names that begin with the number of a rule: they are sentences.
fn numbered_names(files: &[File]) -> Vec<Complaint> {
    let complain = |file: &File, line, name: &str| {
        let message = format!(
            "`{name}` begins with the number of a rule, which stands above a test: `/// Rule {}.`",
            leading_ids(name).join(", ")
        );
        file.complain(line, message)
    };
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.is("mjs")) {
        for (index, line) in file.text.lines().enumerate() {
            if let Some(name) = title(line).filter(|name| !leading_ids(name).is_empty()) {
                complaints.push(complain(file, index + 1, &name));
            }
        }
    }
    for file in files.iter().filter(|file| file.is("rs")) {
        let code = code(&file.text);
        for (offset, word) in identifiers(&code) {
            let ids = leading_ids(word);
            if ids.last().is_some_and(|last| !word.ends_with(last)) {
                complaints.push(complain(file, line_of(&code, offset), word));
            }
        }
    }
    complaints
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

/// The name of a test that a macro makes: it stands alone on its line, or before a colon.
fn case(line: &str) -> Option<String> {
    let line = line.trim();
    let name = line.split_once(": ").map_or(line, |(name, _)| name);
    let is_name = !name.is_empty() && name.chars().all(is_word);
    is_name.then(|| name.to_owned())
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

fn carries((_, test): (&String, &Test<'_>), id: &str) -> bool {
    test.ids.contains(id)
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
    fn a_rule_is_covered_by_any_test_that_names_it() {
        let code = "/// Rules c2_2_r8, d7.\n#[test]\nfn a() {}\ncases! {\n    /// Rule d49.\n    b\n    /// Rule d49.\n    c: 1,\n}";
        let files = tree(code);
        assert_eq!(texts(check(&files)), [""; 0]);
        let page = &files[2].text;
        assert!(page.contains("| d49 | show | `b`<br>`c` |"), "{page}");
    }

    #[test]
    fn a_number_that_nobody_knows_is_a_complaint() {
        let code = "/// Rules c2_2_r8, d7.\n#[test]\nfn told() {}\n/// Rule d99. More.\nfn y() {}\n/// Rule of thumb.\nfn z() {}";
        let files = tree(code);
        assert!(files[2].text.contains("| d7 | told | `told` |"));
        assert_eq!(
            texts(check(&files)),
            ["tests/a.rs:5: `y` tests d99, which neither docs/rules.txt nor docs/decisions/ has"]
        );
        assert_eq!(numbers("    // Rule b311."), ["b311"]);
    }

    #[test]
    fn missing_numbers_and_numbers_in_names_are_complaints() {
        let files = tree("// fn d7_comment\n/// Rule c2_2_r8.\nfn x() {}\nfn d7_y() {}");
        assert_eq!(
            texts(check(&files)),
            [
                "tests/a.rs:4: `d7_y` begins with the number of a rule, which stands above a test: `/// Rule d7.`",
                "docs/rules.txt:3: d7 has no test: told",
            ]
        );
    }

    #[test]
    fn a_decision_of_the_project_is_there_once_and_has_a_test_in_rust_or_javascript() {
        let decisions = "| | question | answer |\n| b1 | null | 400 |\n| b2 | dots | 400 |\n| b3 | keys | 200 |\n| b1 | null | 200 |\n";
        let mut files = tree("/// Rules c2_2_r8, d7, b1.\nfn x() {}\n/// Rule b4.\nfn y() {}");
        files.push(File::new("docs/decisions/text.md", decisions));
        let script = "  // Rules b2, b9.\n  test(\"dots\", async () => {});";
        files.push(File::new("clients/test/a.test.mjs", script));
        let found = texts(check(&files));
        for expected in [
            "docs/decisions/text.md:4: b3 has no test: keys",
            "docs/decisions/text.md:5: b1 is there twice",
            "tests/a.rs:4: `y` tests b4, which neither docs/rules.txt nor docs/decisions/ has",
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
        let mut files = tree("/// Rules c2_2_r8, d7.\nfn a() {}");
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
