//! Finds notes about work that was left for later and would be forgotten.

use super::source::{code, is_word, line_of};
use super::{Complaint, File};

/// Searched in code: in a comment or a string they are only words.
const IN_CODE: &[&str] = &["todo!(", "unimplemented!(", "dbg!(", "#[ignore"];

/// Searched everywhere; taken apart so that this file does not complain about itself.
const ANYWHERE: &[&str] = &[concat!("FIX", "ME"), concat!("XX", "X")];

pub(super) fn check(file: &File) -> Vec<Complaint> {
    let code = code(&file.text);
    let in_code = IN_CODE.iter().flat_map(|mark| whole_words(&code, mark));
    let anywhere = ANYWHERE
        .iter()
        .flat_map(|mark| whole_words(&file.text, mark));
    in_code
        .chain(anywhere)
        .map(|(offset, mark)| {
            let line = line_of(&file.text, offset);
            file.complain(
                line,
                format!("`{mark}` is left over: do it, or say in the docs that it is missing"),
            )
        })
        .collect()
}

fn whole_words<'t>(text: &'t str, mark: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    text.match_indices(mark).filter(move |(at, _)| {
        let joined = |neighbour: Option<char>| neighbour.is_some_and(is_word);
        let before = text[..*at].chars().next_back();
        let after = text[at + mark.len()..].chars().next();
        !(joined(before) || mark.ends_with(is_word) && joined(after))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::texts;
    use super::*;

    #[test]
    fn leftovers_are_found_with_their_line() {
        let text = "fn a() {\n    todo!()\n}\n#[ignore = \"slow\"]\nfn b() { dbg!(1); }\n";
        let found = texts(check(&File::new("a.rs", text)));
        let lines: Vec<_> = found.iter().filter_map(|c| c.split(':').nth(1)).collect();
        assert_eq!(lines, ["2", "5", "4"], "{found:?}");
        let text = format!("// {}: later", ANYWHERE[0]);
        assert_eq!(check(&File::new("a.rs", &text)).len(), 1);
    }

    #[test]
    fn words_that_only_look_like_it_pass() {
        let text = "// todo!() is not allowed\nlet a = \"dbg!(\"; my_todo!(); // pre";
        assert_eq!(
            check(&File::new("a.rs", &format!("{text}{}S", ANYWHERE[1]))).len(),
            0
        );
    }
}
