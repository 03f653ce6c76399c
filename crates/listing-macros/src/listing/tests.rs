//! The mistakes that are likeliest, each with the sentence that the compiler says at the word.

use quote::quote;
use syn::parse_quote;

/// What the derive says of a model with these attributes and fields.
fn refused(attributes: proc_macro2::TokenStream, fields: proc_macro2::TokenStream) -> String {
    let model = parse_quote! {
        #attributes
        pub struct Model {
            #[sea_orm(primary_key)]
            pub id: i64,
            #fields
            pub created_at: DateTimeUtc,
            pub deleted_at: Option<DateTimeUtc>,
            #[sea_orm(belongs_to, from = "author_id", to = "id")]
            pub author: BelongsTo<super::author::Entity>,
        }
    };
    match super::expand(&model) {
        Ok(_) => "nothing".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Rule b701.
#[test]
fn a_mistake_at_a_column_is_told_with_the_nearest_word() {
    for (field, said) in [
        (
            quote!(#[listing(defualt)] pub title: String,),
            "`defualt` is not a word for a column; did you mean `default`?",
        ),
        (
            quote!(#[listing(filter(equals))] pub title: String,),
            "`equals` is not an operator; did you mean `equality`?",
        ),
        (
            quote!(#[listing(filter(contain))] pub title: String,),
            "`contain` is not an operator; did you mean `contains`?",
        ),
        (
            quote!(#[listing(filter)] pub title: String,),
            "say which operators clients may use, by their names in requests without `$`: `filter(eq, contains)`",
        ),
        (
            quote!(#[listing(filter(eq, label([("a", "b")])))] pub title: String,),
            "`label` is not a method of `Filter`; did you mean `labels`?",
        ),
        (
            quote!(#[listing(filter(jsn("city", text)))] pub data: Json,),
            "`jsn` is not a method of `Filter`; did you mean `json`?",
        ),
        (
            quote!(#[listing(filter(json("city", txt)))] pub data: Json,),
            "`txt` is not a kind of value inside JSON; did you mean `text`?",
        ),
        (
            quote!(#[listing(filter(json("city", text, equal)))] pub data: Json,),
            "`equal` is not an operator; did you mean `equality`?",
        ),
        (
            quote!(#[listing(filter(json("tags", array)))] pub data: Json,),
            "say what is in the array: `array(text)`",
        ),
        (
            quote!(#[listing(filter(json("city")))] pub data: Json,),
            "say what is there, too: `json(\"address.city\", text)`",
        ),
        (
            quote!(#[listing(filter(json(city, text)))] pub data: Json,),
            "`json` begins with a text: `json(\"address.city\", text)`",
        ),
        (
            quote!(#[listing(sort(null_last))] pub title: String,),
            "`null_last` is not a method of `Sort`; did you mean `nulls_last`?",
        ),
        (
            quote!(#[listing(populate)] pub title: String,),
            "`populate` is a word for a relation, and this is a column; its words are `default`, `field`, `filter`, `sort`, `search`, `facet`, `total`, `write`, `alias`",
        ),
        (
            quote!(#[listing(default, field)] pub title: String,),
            "`default` is a `field` already; remove one of the two words",
        ),
        (
            quote!(#[listing(sort, sort)] pub title: String,),
            "`sort` is said twice",
        ),
        (
            quote!(#[listing(write(trimmed))] pub title: String,),
            "`trimmed` is not a word for what clients write; did you mean `trim`?",
        ),
        (
            quote!(#[garde(length(max = 3))] pub title: String,),
            "these rules are for what clients send, and the column has no word `write`",
        ),
        (
            quote!(#[listing(write(required))] pub body: Option<String>,),
            "a column that can be null is never required",
        ),
        (
            quote!(#[sea_orm(ignore)] #[listing(default)] pub title: String,),
            "SeaORM ignores this field: it is not a column",
        ),
    ] {
        assert_eq!(refused(quote!(), field), said);
    }
}

/// Rule b701.
#[test]
fn a_mistake_at_a_relation_is_told_with_the_nearest_word() {
    for (field, said) in [
        (
            quote!(#[listing(search)] #[sea_orm(has_many)] pub tags: HasMany<super::tag::Entity>,),
            "`search` is a word for a column, and this is a relation; its words are `default`, `populate`, `filter`, `count`, `sort`, `facet`, `write`, `alias`",
        ),
        (
            quote!(#[listing(populate(limits(3)))] #[sea_orm(has_many)] pub tags: HasMany<super::tag::Entity>,),
            "`limits` is not a method of `Populate`; did you mean `limit`?",
        ),
        (
            quote!(#[listing(sort(name))] #[sea_orm(has_many)] pub tags: HasMany<super::tag::Entity>,),
            "a row has many of these: only a relation that leads to one row can be sorted by",
        ),
        (
            quote!(#[listing(filter(countabel))] #[sea_orm(has_many)] pub tags: HasMany<super::tag::Entity>,),
            "`countabel` is not a word for a filter through a relation; did you mean `countable`?",
        ),
        (
            quote!(#[listing(count(filter))] #[sea_orm(has_many)] pub tags: HasMany<super::tag::Entity>,),
            "say which operators clients may use, by their names in requests without `$`: `filter(eq, contains)`",
        ),
        (
            quote!(#[listing(count(fliter(eq)))] #[sea_orm(has_many)] pub tags: HasMany<super::tag::Entity>,),
            "`fliter` is not a word for a count; did you mean `filter`?",
        ),
        (
            quote!(#[listing(filter(eq))] #[sea_orm(has_many)] pub tags: HasMany<super::tag::Entity>,),
            "`eq` is not a word for a filter through a relation; expected one of `only`, `alias`, `countable`",
        ),
    ] {
        assert_eq!(refused(quote!(), field), said);
    }
}

/// Rule b701.
#[test]
fn a_mistake_at_the_struct_is_told_with_the_nearest_word() {
    for (attribute, said) in [
        (
            quote!(#[listing(populat(author))]),
            "`populat` is not a word for a model; did you mean `populate`?",
        ),
        (
            quote!(#[listing(populate(autor))]),
            "`autor` is not a relation of this model; did you mean `author`?",
        ),
        (
            quote!(#[listing(populate())]),
            "say which: `populate(..)` takes one name or several",
        ),
        (
            quote!(#[listing(search(titel))]),
            "`titel` is not a column of this model; did you mean `title`?",
        ),
        (
            quote!(#[listing(sort = "created:desc")]),
            "`created` is not a column of this model; did you mean `created_at`?",
        ),
        (
            quote!(#[listing(sort = "created_at:down")]),
            "`down` is not a direction; expected one of `asc`, `desc`",
        ),
        (
            quote!(#[listing(sort = "autor.name")]),
            "`autor` is not a relation of this model; did you mean `author`?",
        ),
        (
            quote!(#[listing(filter(compute("length", eq)))]),
            "`compute` is not a word for a filter of a model; did you mean `computed`?",
        ),
        (
            quote!(#[listing(filter(computed(length, eq)))]),
            "`computed` begins with a text: `computed(\"reading_time\", comparisons)`",
        ),
        (
            quote!(#[listing(soft_delete = deleted)]),
            "`deleted` is not a column of this model; did you mean `deleted_at`?",
        ),
        (
            quote!(#[listing(soft_delete = created_at)]),
            "`created_at` marks rows as deleted, so it has to be an `Option`: null where a row is not deleted",
        ),
        (
            quote!(#[listing(scope)]),
            "`scope` takes a value: `scope = ..`",
        ),
        (
            quote!(#[listing(before_store = owned)]),
            "`before_store` is for an entity that is served; say who may do what, too: `authorize = ..`",
        ),
        (
            quote!(#[listing(authorize = all, before_store = owned)]),
            "`before_store` is for records that clients write, and no column has the word `write`",
        ),
    ] {
        assert_eq!(refused(attribute, quote!(pub title: String,)), said);
    }
}
