//! Times the stages that need no database, for requests of three sizes.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use listing_bench::stages::{DIALECTS, listings, parse, requests, write_sql};

fn stages(criterion: &mut Criterion) {
    let listings = match listings() {
        Ok(listings) => listings,
        Err(error) => panic!("{error}"),
    };
    let mut group = criterion.benchmark_group("parse");
    for (name, query) in requests() {
        group.bench_with_input(BenchmarkId::from_parameter(name), &query, |bench, query| {
            bench.iter(|| parse(&listings, black_box(query)));
        });
    }
    group.finish();
    for (dialect_name, dialect) in DIALECTS {
        let mut group =
            criterion.benchmark_group(format!("check, plan and SQL for {dialect_name}"));
        for (name, query) in requests() {
            let request = parse(&listings, &query);
            group.bench_with_input(
                BenchmarkId::from_parameter(name),
                &request,
                |bench, request| {
                    bench.iter(|| write_sql(black_box(request), dialect));
                },
            );
        }
        group.finish();
    }
}

criterion_group!(benches, stages);
criterion_main!(benches);
