//! Puts the requirement of a broken validation rule into words (d57, b107).

use std::borrow::Cow;
use std::fmt::Display;

use garde::i18n::{I18n, InvalidCreditCard, InvalidEmail, InvalidPhoneNumber, InvalidUrl, IpKind};

/// The words for the rules of `garde`. A rule of an application's own has its own.
pub(super) struct Wording;

type Words = Cow<'static, str>;

impl I18n for Wording {
    fn length_lower_than(&self, min: usize) -> Words {
        match min {
            1 => "must not be empty".into(),
            _ => format!("must have a length of at least {min}").into(),
        }
    }

    fn length_greater_than(&self, max: usize) -> Words {
        longest(max).into()
    }

    fn range_lower_than(&self, min: &dyn Display) -> Words {
        format!("must be at least {min}").into()
    }

    fn range_greater_than(&self, max: &dyn Display) -> Words {
        format!("must be at most {max}").into()
    }

    fn credit_card_invalid(&self, _: InvalidCreditCard) -> Words {
        "must be the number of a credit card".into()
    }

    fn pattern_no_match(&self, pattern: &dyn Display) -> Words {
        format!("must match the pattern {pattern}").into()
    }

    fn contains_missing(&self, pattern: &dyn Display) -> Words {
        format!("must contain {pattern}").into()
    }

    fn url_invalid(&self, _: InvalidUrl) -> Words {
        "must be a URL".into()
    }

    fn prefix_missing(&self, pattern: &dyn Display) -> Words {
        format!("must begin with {pattern}").into()
    }

    fn suffix_missing(&self, pattern: &dyn Display) -> Words {
        format!("must end with {pattern}").into()
    }

    fn phone_number_invalid(&self, _: InvalidPhoneNumber) -> Words {
        "must be a phone number".into()
    }

    fn ip_invalid(&self, kind: IpKind) -> Words {
        format!("must be an {kind} address").into()
    }

    fn matches_field_mismatch(&self, field: &dyn Display) -> Words {
        format!("must be the same as {field}").into()
    }

    fn email_invalid(&self, _: InvalidEmail) -> Words {
        "must be an e-mail address".into()
    }

    fn ascii_invalid(&self) -> Words {
        "must have ASCII characters only".into()
    }

    fn alphanumeric_invalid(&self) -> Words {
        "must have letters and digits only".into()
    }

    fn required_not_set(&self) -> Words {
        "must be given".into()
    }
}

/// The message about a text that is too long, whichever rule it breaks.
pub(super) fn longest(max: impl Display) -> String {
    format!("must have a length of at most {max}")
}

/// A message about a field. The words of an application's own rule may be a sentence of any kind.
pub(super) fn message(path: &str, words: &str) -> String {
    if words.starts_with("must ") {
        format!("{path} {words}.")
    } else {
        format!("{path}: {words}.")
    }
}
