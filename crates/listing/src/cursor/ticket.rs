//! A ticket: the right to read one address once more, for a short time, sealed so that an address can carry it (d118).

use super::Seal;
use crate::vocabulary::CursorKey;

/// The request that a ticket contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// The path and the query string that it is for.
    pub path: String,
    /// The header by which the caller is known, if there is one.
    pub authorization: Option<Vec<u8>>,
    /// Until when, in seconds since 1970.
    pub until: u64,
    /// The positions of the database that the caller has seen, as in the header; empty if there are none.
    pub positions: String,
}

/// Nothing else that is sealed with the same key begins like this.
const MARK: &str = "ticket";

/// As it is sealed.
type Parts = (String, String, Option<Vec<u8>>, u64, String);

impl Ticket {
    /// As text for an address.
    #[must_use]
    pub fn seal(self, key: &CursorKey) -> String {
        let parts: Parts = (
            MARK.to_owned(),
            self.path,
            self.authorization,
            self.until,
            self.positions,
        );
        // Text and bytes in memory can always be written.
        let bytes = postcard::to_allocvec(&parts).unwrap_or_default();
        Seal::new(key).seal(&bytes)
    }

    /// The sealed content; `None` if it was not made with this key, or has expired.
    #[must_use]
    pub fn open(text: &str, key: &CursorKey, now: u64) -> Option<Self> {
        let bytes = Seal::new(key).open(text)?;
        let (mark, path, authorization, until, positions): Parts =
            postcard::from_bytes(&bytes).ok()?;
        (mark == MARK && now < until).then_some(Self {
            path,
            authorization,
            until,
            positions,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule d118.
    #[test]
    fn a_ticket_is_for_its_time_and_for_its_key() {
        let key = |text| CursorKey::new(text).unwrap();
        let ours = key("a key that is long enough");
        let ticket = Ticket {
            path: "/api/articles.csv?sort=id".to_owned(),
            authorization: Some(b"Bearer secret".to_vec()),
            until: 60,
            positions: "pg.1.1.1".to_owned(),
        };
        let sealed = ticket.clone().seal(&ours);
        assert!(!sealed.contains("secret"));
        assert_eq!(Ticket::open(&sealed, &ours, 59), Some(ticket));
        assert_eq!(Ticket::open(&sealed, &ours, 60), None);
        assert_eq!(
            Ticket::open(&sealed, &key("another key, just as long"), 0),
            None
        );
        assert_eq!(Ticket::open("x", &ours, 0), None);
        // A cursor is not a ticket.
        let cursor = Seal::new(&ours).seal(b"cursor");
        assert_eq!(Ticket::open(&cursor, &ours, 0), None);
    }
}
