//! Writes a title in ASCII: the names of components in an OpenAPI document have no other letters.
//!
//! A few letters by hand: the crates for it bring large tables along, and a name that reads badly is one line in a resource.

/// `Größe` is `Groesse`. A letter that has no usual spelling in ASCII is `U` and its number, so that titles in other scripts
/// stay different.
pub(super) fn in_ascii(text: &str) -> String {
    let mut ascii = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_ascii() {
            ascii.push(letter);
        } else if let Some(spelled) = spelled(letter) {
            ascii.push_str(spelled);
        } else if letter.is_alphanumeric() {
            ascii.push_str(&format!("U{:04X}", u32::from(letter)));
        } else {
            // Characters that separate words, or modify the letter before them.
            ascii.push(' ');
        }
    }
    ascii
}

/// How a letter of a European language is usually written without its marks.
fn spelled(letter: char) -> Option<&'static str> {
    Some(match letter {
        'À' | 'Á' | 'Â' | 'Ã' | 'Å' | 'Ă' | 'Ą' => "A",
        'à' | 'á' | 'â' | 'ã' | 'å' | 'ă' | 'ą' => "a",
        'Ä' | 'Æ' => "Ae",
        'ä' | 'æ' => "ae",
        'Ç' | 'Ć' | 'Č' => "C",
        'ç' | 'ć' | 'č' => "c",
        'Ď' | 'Đ' => "D",
        'ď' | 'đ' => "d",
        'È' | 'É' | 'Ê' | 'Ë' | 'Ę' | 'Ě' => "E",
        'è' | 'é' | 'ê' | 'ë' | 'ę' | 'ě' => "e",
        'Ğ' => "G",
        'ğ' => "g",
        'Ì' | 'Í' | 'Î' | 'Ï' | 'İ' => "I",
        'ì' | 'í' | 'î' | 'ï' | 'ı' => "i",
        'Ł' => "L",
        'ł' => "l",
        'Ñ' | 'Ń' | 'Ň' => "N",
        'ñ' | 'ń' | 'ň' => "n",
        'Ò' | 'Ó' | 'Ô' | 'Õ' | 'Ő' => "O",
        'ò' | 'ó' | 'ô' | 'õ' | 'ő' => "o",
        'Ö' | 'Ø' | 'Œ' => "Oe",
        'ö' | 'ø' | 'œ' => "oe",
        'Ř' => "R",
        'ř' => "r",
        'Ś' | 'Ş' | 'Š' | 'Ș' => "S",
        'ś' | 'ş' | 'š' | 'ș' => "s",
        'ß' => "ss",
        'Ţ' | 'Ť' | 'Ț' => "T",
        'ţ' | 'ť' | 'ț' => "t",
        'Ù' | 'Ú' | 'Û' | 'Ů' | 'Ű' => "U",
        'ù' | 'ú' | 'û' | 'ů' | 'ű' => "u",
        'Ü' => "Ue",
        'ü' => "ue",
        'Ý' => "Y",
        'ý' | 'ÿ' => "y",
        'Ź' | 'Ż' | 'Ž' => "Z",
        'ź' | 'ż' | 'ž' => "z",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::describe::names::pascal;

    /// Rule b482.
    #[test]
    fn names_of_components_are_ascii() {
        for (title, wanted) in [
            ("Größe", "Groesse"),
            ("öffentliche straße", "OeffentlicheStrasse"),
            ("Élève", "Eleve"),
            ("œuvre d’art", "OeuvreDArt"),
            ("Zażółć", "Zazolc"),
            ("商品", "U5546U54C1"),
            ("商店", "U5546U5E97"),
            ("٣ items", "U0663Items"),
            ("order items", "OrderItems"),
        ] {
            let name = pascal(title);
            assert_eq!(name, wanted, "{title}");
            let is_allowed = |letter: char| letter.is_ascii_alphanumeric();
            assert!(name.chars().all(is_allowed), "{name}");
        }
    }
}
