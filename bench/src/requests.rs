//! Makes the requests that are sent during a measurement.

use std::net::SocketAddr;

use anyhow::Result;

use crate::cursors;

/// The requests; several of each, in rotation, so that no side answers from one warm place.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Requests {
    /// The first twenty pages of the default order, without a count.
    Pages,
    /// The first page of one author's articles, with their count.
    ByAuthor,
    /// The first twenty pages, each article with its author and its comments.
    Populated,
    /// The first page of one author's articles and of those that very many have read, with their count.
    OrGroup,
    /// The first page of the articles of authors from one country, with their count.
    FromCountry,
    /// The first twenty pages, each article with its author, the author's newest articles, and its newest comments.
    Nested,
    /// The first page of the articles that have three words, the best first, with their count.
    Search,
    /// The first page in the order of the authors' names.
    ByAuthorName,
    /// Pages in the middle of that order, by cursor.
    DeepByAuthorName,
    /// The same pages, for a baseline that knows the places.
    PlacesByAuthorName,
    /// One request for the first page, with the exact count of all rows.
    CountOfAll,
    /// The first page by cursor.
    FirstByCursor,
    /// A page deep in the list, by cursor.
    DeepByCursor,
}

impl Requests {
    /// The requests to a service with this many articles.
    pub(crate) async fn targets(self, articles: u64, service: SocketAddr) -> Result<Vec<String>> {
        Ok(match self {
            Self::Pages => pages(""),
            Self::Populated => pages("&populate=author,comments"),
            Self::ByAuthor => by_author(articles),
            Self::OrGroup => or_group(articles),
            Self::FromCountry => from_country(),
            Self::Nested => pages(
                "&populate[author][populate][articles][pagination][limit]=5&populate[comments][pagination][limit]=5",
            ),
            Self::Search => search(),
            Self::ByAuthorName => {
                vec!["/api/articles?sort=author.name&pagination[withCount]=false".to_owned()]
            }
            Self::DeepByAuthorName => {
                cursors::targets(service, articles / 2, "author.name").await?
            }
            Self::PlacesByAuthorName => cursors::places(articles / 2),
            Self::CountOfAll => vec!["/api/articles".to_owned()],
            Self::FirstByCursor => cursors::targets(service, 0, "").await?,
            // Page 36,000 of a million rows, and as deep in proportion in fewer.
            Self::DeepByCursor => cursors::targets(service, articles / 10 * 9, "").await?,
        })
    }
}

/// A little of everything.
pub(crate) fn mixture(articles: u64) -> Vec<String> {
    let mut targets = pages("");
    targets.extend(pages("&populate=author,comments"));
    targets.extend(by_author(articles));
    targets
}

fn pages(more: &str) -> Vec<String> {
    (1..=20)
        .map(|page| {
            format!("/api/articles?pagination[page]={page}&pagination[withCount]=false{more}")
        })
        .collect()
}

fn by_author(articles: u64) -> Vec<String> {
    authors(articles)
        .map(|author| format!("/api/articles?filters[author_id][$eq]={author}"))
        .collect()
}

fn authors(articles: u64) -> impl Iterator<Item = u64> {
    let authors = (articles / 100).max(1);
    // A stride that is prime spreads them over all authors.
    (0..200).map(move |number| 1 + number * 7_919 % authors)
}

/// As many of the one as of the other: of a million articles, four have each number of views.
fn or_group(articles: u64) -> Vec<String> {
    let views = 100_000 - 25_000_000 / articles.max(1_000);
    authors(articles)
        .map(|author| {
            format!(
                "/api/articles?filters[$or][0][author_id][$eq]={author}&filters[$or][1][views][$gte]={views}"
            )
        })
        .collect()
}

fn from_country() -> Vec<String> {
    ["AR", "BR", "DE", "IN", "JP", "NG", "PT", "US"]
        .map(|country| format!("/api/articles?filters[author][country][$eq]={country}"))
        .into()
}

fn search() -> Vec<String> {
    [
        "lighthouse winter museum",
        "sourdough harbour weather",
        "tidal maps drawers",
        "radio keyboards luck",
        "huts balcony patience",
        "lenses planes teachers",
        "email river boring",
        "swimming notebooks spring",
    ]
    .map(|words| {
        format!(
            "/api/articles?search={}&sort=relevance",
            words.replace(' ', "+")
        )
    })
    .into()
}
