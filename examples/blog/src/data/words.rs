//! Makes up titles, paragraphs and names in plain English.

use super::draw::Draw;

const TOPICS: &[&str] = &[
    "sourdough bread",
    "night trains",
    "small databases",
    "balcony gardens",
    "winter cycling",
    "old maps",
    "release notes",
    "river swimming",
    "mechanical keyboards",
    "bird counts",
    "field recordings",
    "city trees",
    "lighthouse keepers",
    "pocket notebooks",
    "mountain huts",
    "open data",
    "second-hand lenses",
    "harbour towns",
    "slow email",
    "kitchen chemistry",
    "error messages",
    "tidal power",
    "paper planes",
    "community radio",
];

/// Before and after the topic.
const TITLES: &[(&str, &str)] = &[
    ("A field guide to ", ""),
    ("What ", " taught me"),
    ("Life with ", ", one year on"),
    ("The quiet case for ", ""),
    ("Ten questions about ", ""),
    ("A beginner's notebook: ", ""),
    ("Why I still care about ", ""),
    ("Before you start with ", ""),
    ("The hidden cost of ", ""),
    ("A week of ", ""),
    ("Letters about ", ""),
    ("Mistakes I made with ", ""),
];

const SENTENCES: &[(&str, &str)] = &[
    ("Nobody warns you how much patience ", " can ask for."),
    (
        "I started with ",
        " because a friend talked of nothing else.",
    ),
    (
        "Most of what is written about ",
        " skips the first boring hour.",
    ),
    ("After a month of ", " the small details begin to matter."),
    ("There is a museum two towns over that is all about ", "."),
    ("My notes on ", " fill three drawers by now."),
    (
        "If you remember one thing about ",
        ", let it be this: begin small.",
    ),
    (
        "The best teachers of ",
        " are people who have failed in public.",
    ),
    (
        "In the end ",
        " came down to weather, luck and a good list.",
    ),
    ("A reader asked about ", ", and the answer is yes: do try."),
    ("What surprised me about ", " was the quiet."),
    ("Every spring the same argument about ", " starts again."),
];

const REMARKS: &[&str] = &[
    "Thank you, this is just what I was looking for.",
    "I tried it last weekend and it works.",
    "The second paragraph made me laugh.",
    "Could you say more about the tools you use?",
    "I disagree, but politely.",
    "My grandmother did it the same way.",
    "There is a typo in the third line.",
    "Saved for the next holiday.",
    "It took me three tries, then it was easy.",
    "Please write a follow-up.",
    "We had the opposite experience in the north.",
    "Does this also hold in winter?",
];

const FIRST_NAMES: &[&str] = &[
    "Ada", "Bruno", "Chiara", "Deniz", "Emeka", "Freya", "Goran", "Hana", "Ivo", "Joana", "Kenji",
    "Leila", "Mateus", "Nadia", "Oskar", "Priya", "Quentin", "Rosa", "Sören", "Tomás", "Uma",
    "Viktor", "Wanda", "Yusuf", "Zoë",
];

const LAST_NAMES: &[&str] = &[
    "Almeida",
    "Berg",
    "Cohen",
    "Duarte",
    "Eriksen",
    "Fontaine",
    "García",
    "Haddad",
    "Ito",
    "Jansen",
    "Kowalska",
    "Lindqvist",
    "Mbeki",
    "Novák",
    "Okafor",
    "Petrenko",
    "Quiroga",
    "Rossi",
    "Schäfer",
    "Tanaka",
    "Urban",
    "Vasquez",
    "Weiß",
    "Yılmaz",
];

/// The thirty tags.
pub(super) const TAGS: &[&str] = &[
    "baking",
    "birds",
    "books",
    "café",
    "cities",
    "coffee",
    "craft",
    "cycling",
    "data",
    "design",
    "energy",
    "essays",
    "forests",
    "gardens",
    "history",
    "how-to",
    "interviews",
    "keyboards",
    "maps",
    "mountains",
    "notes",
    "photography",
    "radio",
    "rivers",
    "science",
    "sea",
    "software",
    "trains",
    "travel",
    "winter",
];

/// A headline, such as "What old maps taught me".
pub(super) fn title(draw: &mut Draw) -> String {
    let (before, after) = draw.pick(TITLES);
    format!("{before}{}{after}", draw.pick(TOPICS))
}

/// Two to four different sentences about one topic.
pub(super) fn paragraph(draw: &mut Draw) -> String {
    let topic = draw.pick(TOPICS);
    let first = usize::try_from(draw.below(1_000)).unwrap_or_default();
    let mut text = String::new();
    for step in 0..usize::try_from(2 + draw.below(3)).unwrap_or_default() {
        // Steps of five round a list of twelve do not come back to the same place soon.
        let (before, after) = SENTENCES[(first + 5 * step) % SENTENCES.len()];
        if step > 0 {
            text.push(' ');
        }
        text.extend([before, topic, after]);
    }
    text
}

/// What a reader says in a comment.
pub(super) fn remark(draw: &mut Draw) -> &'static str {
    draw.pick(REMARKS)
}

/// A first and a last name.
pub(super) fn full_name(draw: &mut Draw) -> String {
    format!("{} {}", draw.pick(FIRST_NAMES), draw.pick(LAST_NAMES))
}

/// The slug of `title`: ASCII letters and digits in lower case, separated by hyphens; may be empty.
pub(super) fn slug(title: &str) -> String {
    let mut slug = String::with_capacity(title.len());
    for character in title.chars() {
        if character.is_ascii_alphanumeric() {
            slug.push(character.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_keeps_ascii_letters_and_digits() {
        assert_eq!(slug("100% wool, 0% regret"), "100-wool-0-regret");
        assert_eq!(slug("__init__"), "init");
        assert_eq!(slug("日本"), "");
    }

    #[test]
    fn there_are_thirty_different_tags() {
        let different: std::collections::BTreeSet<_> = TAGS.iter().collect();
        assert_eq!(different.len(), 30);
    }
}
