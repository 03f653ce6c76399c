//! The same listing twice, by words at columns and by functions: what is verified from both is the same.

use listing::describe::{self, Audience};
use listing::{Dialect, HasListing, Listings, Settings};
use serde_json::Value;

/// Whose rows a caller sees.
struct Owner(i64);

mod author {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
    #[sea_orm(table_name = "authors")]
    #[listing(sort = "name")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        #[listing(default, filter(eq))]
        pub name: String,
        pub email: String,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Has no listing: what is shown of it is named.
mod cover {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "covers")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub picture: String,
        pub painter: String,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

macro_rules! note {
    () => {
        #[allow(dead_code, reason = "SeaORM writes more than is used here")]
        pub mod note {
            use sea_orm::entity::prelude::*;

            #[sea_orm::model]
            #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
            #[sea_orm(table_name = "notes")]
            pub struct Model {
                #[sea_orm(primary_key)]
                pub id: i64,
                pub page_id: i64,
                #[listing(default, filter(eq))]
                pub text: String,
                pub written_at: DateTimeUtc,
                #[sea_orm(belongs_to, from = "page_id", to = "id")]
                pub page: BelongsTo<super::page::Entity>,
            }

            impl ActiveModelBehavior for ActiveModel {}
        }
    };
}

mod words {
    note!();

    pub mod page {
        use listing::prelude::*;
        use listing::{CountMode, Names, Plans};
        use sea_orm::entity::prelude::*;
        use sea_orm::sea_query::Query;

        use super::super::{Owner, author};

        #[sea_orm::model]
        #[derive(Clone, Debug, PartialEq, DeriveEntityModel, listing::Listing)]
        #[sea_orm(table_name = "pages")]
        #[listing(
            populate(author),
            search(full_text(title, body), language("english"), relevance),
            soft_delete = deleted_at,
            sort = "pinned:desc,author.name,one",
            show(title, owner_id),
            numeric_timestamps(created_at),
            fields = with_one,
            relations = |relations| relations,
            filters = with_long,
            filter(computed("one", comparisons)),
            sorts = |sorts| sorts.add("two"),
            scope = own,
            trashed = |context| context.get::<Owner>().is_some(),
            count = CountMode::Capped(50),
            exact_count = false,
            plans = Plans::ForEachRequest,
            names = Names::AsDefined,
            paging = Paging::new().page_size(7).max_page_size(9),
            has_key = true
        )]
        pub struct Model {
            #[sea_orm(primary_key)]
            #[listing(filter(for_keys), sort)]
            pub id: i64,
            #[listing(
                default,
                sort,
                filter(
                    eq,
                    ne,
                    lt,
                    lte,
                    gt,
                    gte,
                    contains,
                    in,
                    notIn,
                    null,
                    notNull,
                    between,
                    startsWith,
                    endsWith,
                    startsWithi,
                    endsWithi,
                    eqi,
                    nei,
                    notContains
                )
            )]
            pub title: String,
            #[listing(field, filter(text, equality, nulls))]
            pub body: Option<String>,
            #[listing(
                default(as_text),
                alias = "owner",
                filter(comparisons),
                sort(nulls_first)
            )]
            pub owner_id: Option<i64>,
            #[listing(filter(for_numbers, alias("read")), sort(nulls_last, alias("read")))]
            pub views: Option<i32>,
            #[listing(default, filter(for_booleans, default_value(true), labels([("true", "Pinned")])), sort)]
            pub pinned: bool,
            #[listing(filter(for_text))]
            pub r#type: String,
            #[listing(field(alias("written")), filter(for_times))]
            pub created_at: DateTimeUtc,
            pub deleted_at: Option<DateTimeUtc>,
            #[listing(filter(eq, labels_from(author::Column::Name), default_from(|owner: &Owner| owner.0)))]
            pub author_id: i64,
            pub cover_id: Option<i64>,
            #[sea_orm(column_type = "JsonBinary")]
            #[listing(filter(
                notNull,
                json("address.city", text),
                json("beds", integer, comparisons),
                json("area", decimal, eq, labels([("1.5", "Small")])),
                json("open", boolean),
                json("tags", array(text), for_arrays),
            ))]
            pub data: Json,
            pub secret: String,
            #[sea_orm(belongs_to, from = "author_id", to = "id")]
            #[listing(filter)]
            pub author: BelongsTo<super::super::author::Entity>,
            #[sea_orm(belongs_to, from = "cover_id", to = "id")]
            #[listing(
                default,
                populate(only(picture, painter)),
                filter(only(picture)),
                sort(picture, painter)
            )]
            pub cover: BelongsTo<Option<super::super::cover::Entity>>,
            #[sea_orm(has_many)]
            #[listing(
                alias = "remarks",
                populate(limit(3), order_by("written_at:desc,id")),
                filter(countable),
                count(default, sort, filter(comparisons))
            )]
            pub notes: HasMany<super::note::Entity>,
        }

        impl ActiveModelBehavior for ActiveModel {}

        fn with_one(fields: Fields<Entity>) -> Fields<Entity> {
            fields
                .add(Field::computed(|| Query::select().expr(1).take(), "one").kind(Kind::Integer))
                .add(Field::computed(|| Query::select().expr(2).take(), "two").kind(Kind::Integer))
        }

        fn with_long(mut filters: Vec<Filter<Entity>>) -> Vec<Filter<Entity>> {
            let long = Filter::make("long").allowed_operators(FilterOperator::Equal);
            filters.push(long.custom_query(|_, _, _| Column::Views.gte(1)));
            filters
        }

        fn own(context: &Context) -> Scope {
            match context.get::<Owner>() {
                Some(owner) => Scope::rows(Column::OwnerId.eq(owner.0)),
                None => Scope::rows(Column::OwnerId.is_null()),
            }
        }
    }
}

mod functions;

/// What listings that were verified say of a page, in every way that there is to look at it.
fn verified<P, N>() -> Vec<String>
where
    P: HasListing + listing::NamedRelations,
    N: HasListing + listing::NamedRelations,
{
    let listings = Listings::builder(Settings::default())
        .add::<P>()
        .add::<N>()
        .add::<author::Entity>()
        .build()
        .unwrap();
    let page = listings.of::<P>().unwrap();
    let mut said = Vec::new();
    for mut listing in listings.describe() {
        listing.listing = String::new();
        said.push(serde_json::to_string_pretty(&listing).unwrap());
    }
    let name = |whitelist: &listing::whitelist::Whitelist| whitelist.table_name().to_owned();
    let described = describe::listing(&listings, page, &name, Audience::Developers);
    said.push(serde_json::to_string_pretty(&described).unwrap());
    for query in [
        "",
        "fields=*&populate=author,cover,remarks",
        "fields=title,owner,written,notes_count,one&sort=owner:desc,read,cover.picture",
        "search=tea&sort=relevance,notes_count:desc",
        "filters[remarks][text][$eq]=a&filters[cover][picture][$eq]=b&filters[author][name][$eq]=c",
        "filters[long][$eq]=x&filters[pinned][$eq]=false&filters[read][$between][]=1&filters[read][$between][]=2",
        "filters[data][address][city]=a&filters[data][beds][$gt]=1&filters[data][tags][$contains]=b",
        "filters[remarks][$count][$gte]=2&filters[notes_count]=1&filters[one][$lt]=3",
        "filters[written_at][$lt]=2024-01-01T00:00:00Z",
        "filters[created_at][$lt]=2024-01-01T00:00:00Z&pagination[pageSize]=99",
    ] {
        for dialect in [Dialect::Postgres, Dialect::Mysql, Dialect::Sqlite] {
            said.push(match listings.explain(page, query, dialect) {
                Ok(mut explained) => {
                    explained.listing = String::new();
                    explained.to_string()
                }
                Err(error) => error.to_string(),
            });
        }
    }
    said
}

/// Rules b700, b1083.
#[test]
fn words_at_columns_and_functions_make_the_same_whitelist() {
    let words = verified::<words::page::Entity, words::note::Entity>();
    let functions = verified::<functions::page::Entity, functions::note::Entity>();
    assert_eq!(words.len(), functions.len());
    for (words, functions) in words.iter().zip(&functions) {
        pretty_compare(words, functions);
    }
}

fn pretty_compare(words: &str, functions: &str) {
    for (words, functions) in words.lines().zip(functions.lines()) {
        assert_eq!(words, functions);
    }
    assert_eq!(words, functions);
}

/// Rule b700.
#[test]
fn a_column_without_a_word_is_out_of_reach() {
    let said = verified::<words::page::Entity, words::note::Entity>();
    let described: Value = serde_json::from_str(&said[0]).unwrap();
    for part in ["fields", "filters", "sorts"] {
        let text = described[part].to_string();
        assert!(
            !text.contains("secret") && !text.contains("email"),
            "{text}"
        );
    }
}
