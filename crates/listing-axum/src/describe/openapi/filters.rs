//! The schemas of filters, in a query string and as JSON with groups and relations.

use listing::describe::{Filter, Operator, RelatedFilter, RelationKind, Takes};

use super::model::{Parameter, Schema};
use super::values::{Place, value};

/// The operand of each operator.
pub(super) struct Operators<'d>(pub(super) &'d [Operator]);

impl Operators<'_> {
    fn find(&self, name: &str) -> Option<&Operator> {
        self.0.iter().find(|operator| operator.name == name)
    }

    /// The operand of a filter's operator.
    fn operand(&self, filter: &Filter, operator: &str, place: Place) -> Schema {
        let one = || value(&filter.value, place);
        match self.find(operator).map(|operator| filter.takes(operator)) {
            Some(Takes::Text) => Schema::of("string"),
            Some(Takes::Boolean) => Schema::of("boolean"),
            Some(Takes::List) => Schema::array(one()),
            Some(Takes::Range) => Schema {
                min_items: Some(2),
                max_items: Some(2),
                ..Schema::array(one())
            },
            Some(Takes::Value) | None => one(),
        }
    }

    /// `filters[views][$gte]`, one for each operator of each filter.
    pub(super) fn parameters(&self, filters: &[Filter]) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for filter in filters {
            for operator in &filter.operators {
                let mut schema = self.operand(filter, operator, Place::Query);
                let default = filter.default.as_ref();
                let default = default.filter(|default| default.operator == *operator);
                schema.default = default.and_then(|default| default.value.clone());
                parameters.push(Parameter {
                    name: format!("filters{}[{operator}]", filter.brackets()),
                    place: "query",
                    description: Some(described(filter, self.find(operator))),
                    schema,
                    ..Parameter::default()
                });
            }
        }
        parameters
    }

    /// The filters of a listing as an object.
    pub(super) fn object(
        &self,
        name: &str,
        filters: &[Filter],
        related: &[(&RelatedFilter, String)],
    ) -> Schema {
        let own = self.own(&filters.iter().collect::<Vec<_>>(), 0);
        let related = related.iter();
        let related =
            related.map(|(related, target)| (related.name.clone(), self.through(related, target)));
        let many = || Schema {
            min_items: Some(1),
            ..Schema::array(Schema::reference(name))
        };
        let groups = [
            ("$and".to_owned(), many()),
            ("$or".to_owned(), many()),
            ("$not".to_owned(), Schema::reference(name)),
        ];
        Schema::object(own.into_iter().chain(related).chain(groups), &[])
            .described("Conditions, which must all hold. Groups can stand in one another.")
    }

    /// The filters at one depth of brackets: filters themselves, and objects of filters inside JSON columns.
    fn own(&self, filters: &[&Filter], depth: usize) -> Vec<(String, Schema)> {
        let mut own: Vec<(String, Schema)> = Vec::new();
        for filter in filters {
            let name = &filter.steps()[depth];
            if own.iter().any(|(known, _)| known == name) {
                continue;
            }
            let same = filters.iter().filter(|other| other.steps()[depth] == *name);
            let (here, inside): (Vec<_>, Vec<_>) =
                same.partition(|filter| filter.steps().len() == depth + 1);
            let here = here.into_iter().map(|filter| self.filter(filter));
            let inside = (!inside.is_empty()).then(|| {
                let object = Schema::object(self.own(&inside, depth + 1), &[]);
                object.described("Conditions on what is inside, which must all hold.")
            });
            let mut either: Vec<_> = here.chain(inside).collect();
            own.push((
                name.clone(),
                match either.len() {
                    1 => either.remove(0),
                    _ => Schema::any_of(either),
                },
            ));
        }
        own
    }

    /// An object of operators, as in a query string.
    pub(super) fn by_operator(&self, filter: &Filter) -> Schema {
        self.operands(filter, Place::Query)
    }

    fn operands(&self, filter: &Filter, place: Place) -> Schema {
        let operators = filter.operators.iter();
        let operators =
            operators.map(|operator| (operator.clone(), self.operand(filter, operator, place)));
        Schema {
            min_properties: Some(1),
            ..Schema::object(operators, &[])
        }
    }

    /// An object of operators, or a value, which is short for `$eq`.
    fn filter(&self, filter: &Filter) -> Schema {
        let object = self.operands(filter, Place::Body);
        match filter.operators.iter().any(|operator| operator == "$eq") {
            true => Schema::any_of(vec![value(&filter.value, Place::Body), object]),
            false => object,
        }
    }

    /// The operators of a relation itself: whether there is a related record, and those of its id, if it has one (d145).
    pub(super) fn of_relation(
        &self,
        related: &RelatedFilter,
        place: Place,
    ) -> Vec<(String, Schema)> {
        const OF_IDS: [&str; 4] = ["$eq", "$ne", "$in", "$notIn"];
        let existence = related.operators.iter();
        let existence = existence.map(|name| (name.clone(), Schema::of("boolean")));
        let by_id = related
            .id
            .iter()
            .flat_map(|id| OF_IDS.map(|name| (name.to_owned(), self.operand(id, name, place))));
        existence.chain(by_id).collect()
    }

    /// A filter through a relation: the related filters themselves, or quantified, or whether there is a related record, or
    /// its id.
    fn through(&self, related: &RelatedFilter, target: &str) -> Schema {
        let inside = || Schema::reference(target);
        let quantified = related
            .quantifiers
            .iter()
            .map(|name| (name.clone(), inside()));
        let own = self.of_relation(related, Place::Body);
        let special = related.id.iter().chain(&related.count);
        let special = special.map(|filter| (filter.name.clone(), self.filter(filter)));
        let outside = Schema {
            min_properties: Some(1),
            ..Schema::object(quantified.chain(own).chain(special), &[])
        };
        let description = match related.kind {
            RelationKind::ToOne => "Conditions on the related record.",
            RelationKind::ToMany => {
                "Conditions on the related records: some of them must meet these, unless `$none` or `$every` stands around."
            }
        };
        let by_id = related.id.as_ref();
        let by_id = by_id.map(|id| value(&id.value, Place::Body));
        let either = [inside(), outside].into_iter().chain(by_id);
        Schema::any_of(either.collect()).described(description)
    }
}

fn described(filter: &Filter, operator: Option<&Operator>) -> String {
    let (title, takes) = match operator {
        Some(operator) => (operator.title.as_str(), filter.takes(operator)),
        None => ("is", Takes::Value),
    };
    let ending = match takes {
        Takes::Value | Takes::Text => " this",
        Takes::List => " these",
        Takes::Range => " these two",
        Takes::Boolean => " (`true`), or the opposite (`false`)",
    };
    let mut text = format!("Where `{}` {title}{ending}.", filter.name);
    let labelled = filter
        .options
        .iter()
        .filter(|option| option.value != option.label.as_str());
    let labels: Vec<_> = labelled
        .map(|option| format!("`{}` is {}", option.value, option.label))
        .collect();
    if !labels.is_empty() {
        text.push_str(&format!(" {}.", labels.join(", ")));
    }
    if filter
        .default
        .as_ref()
        .is_some_and(|default| default.computed)
    {
        text.push_str(" Without a filter on this key, a default that depends on the caller holds.");
    }
    text
}
