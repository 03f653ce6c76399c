//! The decisions' table about the reference service as data, none of which comes from the engine.

/// Which rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Table {
    Articles,
    Authors,
    Comments,
    Tags,
    /// Has no listing: it is only shown with an article.
    Seo,
}

/// What clients may ask of one entity.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) path: &'static str,
    pub(crate) message: &'static str,
    /// Without `id`, which is always there.
    pub(crate) default_fields: &'static [&'static str],
    /// After the default ones in the order of definition.
    pub(crate) further_fields: &'static [&'static str],
    pub(crate) relations: &'static [Relation],
    pub(crate) filters: &'static [Filter],
    pub(crate) sorts: &'static [&'static str],
    pub(crate) default_sort: Sort,
}

#[derive(Debug)]
pub(crate) struct Relation {
    pub(crate) name: &'static str,
    pub(crate) target: Table,
    pub(crate) to_many: bool,
    pub(crate) default: bool,
}

#[derive(Debug)]
pub(crate) struct Filter {
    pub(crate) key: &'static str,
    pub(crate) operators: &'static [&'static str],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sort {
    pub(crate) name: &'static str,
    pub(crate) descending: bool,
}

/// Items of a to-many relation for each parent (contract 2.3 rule 5).
pub(crate) const RELATION_LIMIT: usize = 10;
/// d15
pub(crate) const PAGE_SIZE: u64 = 25;
/// d15
pub(crate) const MAX_PAGE_SIZE: u64 = 100;

impl Table {
    /// Those with an endpoint.
    pub(crate) const LISTED: [Self; 4] =
        [Self::Articles, Self::Authors, Self::Comments, Self::Tags];

    pub(crate) fn listing(self) -> &'static Listing {
        match self {
            Self::Articles => &ARTICLES,
            Self::Authors => &AUTHORS,
            Self::Comments => &COMMENTS,
            Self::Tags => &TAGS,
            Self::Seo => panic!("`seo` has no listing"),
        }
    }

    /// The fields that a relation to this table shows, apart from `id` (d42).
    pub(crate) fn fields_when_related(self) -> &'static [&'static str] {
        match self {
            Self::Seo => &["meta_title", "meta_description"],
            listed => listed.listing().default_fields,
        }
    }
}

const fn one(name: &'static str, target: Table) -> Relation {
    Relation {
        name,
        target,
        to_many: false,
        default: false,
    }
}

const fn many(name: &'static str, target: Table) -> Relation {
    Relation {
        to_many: true,
        ..one(name, target)
    }
}

const fn filter(key: &'static str, operators: &'static [&'static str]) -> Filter {
    Filter { key, operators }
}

static ARTICLES: Listing = Listing {
    path: "/api/articles",
    message: "Articles retrieved.",
    default_fields: &["title", "slug", "is_active", "views", "created_at"],
    further_fields: &[
        "body",
        "rating",
        "author_id",
        "updated_at",
        "comments_count",
    ],
    relations: &[
        one("author", Table::Authors),
        many("comments", Table::Comments),
        many("tags", Table::Tags),
        one("seo", Table::Seo),
    ],
    filters: &[
        filter("id", &["$eq", "$ne", "$in", "$notIn"]),
        filter("title", &["$eq", "$ne", "$contains"]),
        filter("slug", &["$eq", "$in"]),
        filter("is_active", &["$eq"]),
        filter(
            "views",
            &["$eq", "$ne", "$lt", "$lte", "$gt", "$gte", "$between"],
        ),
        filter(
            "rating",
            &[
                "$eq", "$ne", "$lt", "$lte", "$gt", "$gte", "$null", "$notNull",
            ],
        ),
        filter("author_id", &["$eq", "$in", "$null", "$notNull"]),
        filter(
            "created_at",
            &["$eq", "$ne", "$lt", "$lte", "$gt", "$gte", "$between"],
        ),
        filter("author_country", &["$eq", "$in"]),
        filter("body", &["$contains", "$null", "$notNull"]),
    ],
    sorts: &[
        "created_at",
        "id",
        "title",
        "views",
        "rating",
        "comments_count",
        "author.name",
        "seo.meta_title",
    ],
    default_sort: Sort {
        name: "created_at",
        descending: true,
    },
};

static AUTHORS: Listing = Listing {
    path: "/api/authors",
    message: "Authors retrieved.",
    default_fields: &["name", "country"],
    further_fields: &["joined_at"],
    relations: &[many("articles", Table::Articles)],
    filters: &[
        filter("name", &["$eq", "$contains"]),
        filter("country", &["$eq", "$in"]),
    ],
    sorts: &["name", "id", "country"],
    default_sort: Sort {
        name: "name",
        descending: false,
    },
};

static COMMENTS: Listing = Listing {
    path: "/api/comments",
    message: "Comments retrieved.",
    default_fields: &["author_name", "body", "created_at"],
    further_fields: &["article_id", "is_hidden"],
    relations: &[Relation {
        default: true,
        ..one("article", Table::Articles)
    }],
    filters: &[
        filter("article_id", &["$eq", "$in"]),
        filter("author_name", &["$eq", "$contains"]),
        filter("is_hidden", &["$eq"]),
    ],
    sorts: &["id", "created_at"],
    default_sort: Sort {
        name: "id",
        descending: true,
    },
};

static TAGS: Listing = Listing {
    path: "/api/tags",
    message: "Tags retrieved.",
    default_fields: &["name"],
    further_fields: &["articles_count"],
    relations: &[many("articles", Table::Articles)],
    filters: &[filter("name", &["$eq", "$contains"])],
    sorts: &["name"],
    default_sort: Sort {
        name: "name",
        descending: false,
    },
};
