//! Cursors that are malformed, somebody else's, or from another list (b90–b93).

use listing::CursorKey;
use listing_tests::{Service, on_each_database};

use crate::walk::cursor;

async fn first(service: &Service, query: &str) -> String {
    let path = format!("/api/articles?{query}&pagination[cursor]=&pagination[pageSize]=3");
    let reply = service.get(&path).await.ok();
    cursor(&reply, "nextCursor").unwrap()
}

async fn refused(service: &Service, query: &str, token: &str) -> String {
    let path = format!("/api/articles?{query}&pagination[cursor]={token}");
    let reply = service.get(&path).await;
    let error = reply.error(400);
    assert_eq!(error["details"]["parameter"], "pagination[cursor]");
    reply.error_code(400)
}

/// Rule b92.
#[test]
fn what_is_no_cursor_is_400() {
    on_each_database(async |service| {
        let token = first(service, "sort=title").await;
        let mut forged = token.clone().into_bytes();
        forged[30] = if forged[30] == b'x' { b'y' } else { b'x' };
        let forged = String::from_utf8(forged).unwrap();
        // Another version.
        let old = format!("Ag{}", &token[2..]);
        for wrong in [
            "x",
            "1",
            "null",
            "0",
            "%20",
            "AQ",
            "AA",
            "%F0%9F%8D%B0",
            "====",
            "eyJpZCI6MX0",
            &token[1..],
            &token[..token.len() - 1],
            &format!("{token}A"),
            &format!("{token}="),
            &format!("{token}%00")[..token.len()].replace('A', "!"),
            &"A".repeat(20_000),
            &forged,
            &old,
        ] {
            if wrong == token {
                continue;
            }
            assert_eq!(
                refused(service, "sort=title", wrong).await,
                "bad_cursor",
                "{wrong}"
            );
        }
        // As it was given, it is right.
        let path = format!("/api/articles?sort=title&pagination[cursor]={token}");
        let _ = service.get(&path).await.ok();
    });
}

/// Rule b93.
#[test]
fn a_cursor_of_another_list_is_400() {
    on_each_database(async |service| {
        let query = "sort=views:desc&filters[views][$gt]=5";
        let token = first(service, query).await;
        for other in [
            "sort=views&filters[views][$gt]=5",
            "sort=views:desc,title&filters[views][$gt]=5",
            "sort=title:desc&filters[views][$gt]=5",
            "filters[views][$gt]=5",
            "sort=views:desc&filters[views][$gt]=6",
            "sort=views:desc&filters[views][$gte]=5",
            "sort=views:desc&filters[views][$gt]=5&filters[is_active][$eq]=true",
            "sort=views:desc",
        ] {
            assert_eq!(
                refused(service, other, &token).await,
                "cursor_mismatch",
                "{other}"
            );
        }
        let path = format!(
            "/api/authors?sort=id:desc&pagination[cursor]={}",
            first(service, "sort=id:desc").await
        );
        assert_eq!(service.get(&path).await.error_code(400), "cursor_mismatch");
        // What does not change the list may be different, and the same filter can be spelled differently.
        for same in [
            "sort[0]=views:DESC&filters[views][$gt]=005&fields=rating&populate=author",
            "sort=views:desc,nothing&filters[views][$gt]=5&pagination[pageSize]=2",
        ] {
            let path = format!("/api/articles?{same}&pagination[cursor]={token}");
            let _ = service.get(&path).await.ok();
        }
    });
}

/// Rules b91, b92.
#[test]
fn a_cursor_is_good_wherever_its_key_is() {
    on_each_database(async |service| {
        let with_key = |key: &str| {
            let key = CursorKey::new(key).unwrap();
            service.with_settings(|settings| settings.cursor_key = key)
        };
        let (one, two) = (with_key("the same long key"), with_key("the same long key"));
        let other = with_key("another long key!");
        let token = first(&one, "sort=title").await;
        let path = format!("/api/articles?sort=title&pagination[cursor]={token}");
        assert_eq!(two.get(&path).await.ids(), one.get(&path).await.ids());
        assert_eq!(refused(&other, "sort=title", &token).await, "bad_cursor");
        assert_eq!(refused(service, "sort=title", &token).await, "bad_cursor");
        // The same place has the same cursor, so that the same request has the same bytes.
        assert_eq!(first(&two, "sort=title").await, token);
    });
}

/// Rule b91.
#[test]
fn a_cursor_does_not_show_what_it_holds() {
    on_each_database(async |service| {
        // The title of the last row is in the cursor, and it is not shown.
        let path = "/api/articles?sort=title&fields=id&pagination[cursor]=&pagination[pageSize]=3";
        let reply = service.get(path).await.ok();
        let token = cursor(&reply, "nextCursor").unwrap();
        let titles = service
            .get("/api/articles?sort=title&pagination[pageSize]=3")
            .await;
        let title = titles.column("title")[2].as_str().unwrap().to_owned();
        // Base64 shows a text at three different offsets; none of them is there, nor the text itself.
        use base64_of::windows;
        for shown in windows(&title) {
            assert!(!token.contains(&shown), "{shown} in {token}");
        }
        assert!(!reply.text().contains(&title));
    });
}

/// What a text looks like inside of base64.
mod base64_of {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    pub(super) fn windows(text: &str) -> Vec<String> {
        let bytes = text.as_bytes();
        (0..3)
            .map(|skip| {
                let whole = bytes[skip.min(bytes.len())..].chunks_exact(3);
                whole
                    .take(4)
                    .flat_map(|three| {
                        let bits = u32::from(three[0]) << 16
                            | u32::from(three[1]) << 8
                            | u32::from(three[2]);
                        [18, 12, 6, 0]
                            .map(|shift| char::from(ALPHABET[(bits >> shift & 63) as usize]))
                    })
                    .collect()
            })
            .collect()
    }
}

#[test]
fn a_cursor_cannot_stand_with_a_page() {
    on_each_database(async |service| {
        for other in ["[page]=1", "[start]=0", "[limit]=5"] {
            let path = format!("/api/articles?pagination[cursor]=&pagination{other}");
            let reply = service.get(&path).await;
            assert_eq!(reply.error_code(400), "cursor_with_page", "{path}");
        }
    });
}
