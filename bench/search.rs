//! The transposition table and the search: nodes a second at fixed depths.

#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kisolo::eval::{built_in, evaluate};
use kisolo::rules::batch::CpuLevel;
use kisolo::rules::{Isolo, Kisolo, KisoloFree, KisoloFull, Profile, Rules};
use kisolo::search::{Limits, Request, Signals, search};
use kisolo::tt::{Bound, Entry, Table};

fn table(c: &mut Criterion) {
    const KEYS: u64 = 4096;
    let table = Table::new(64).expect("64 MiB are there");
    // Keys spread over the whole table, so that most probes miss the caches.
    let key = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let entry = Entry { value: 1, depth: 1, bound: Bound::Exact, pit: Some(1) };
    let mut group = c.benchmark_group("table");
    group.throughput(Throughput::Elements(KEYS));
    group.bench_function("store", |b| {
        b.iter(|| (0..KEYS).for_each(|n| table.store(key(n), black_box(entry))));
    });
    group.bench_function("probe", |b| {
        b.iter(|| (0..KEYS).filter(|&n| table.probe(key(n)).is_some()).count());
    });
    group.finish();
}

fn nodes<R: Rules>(c: &mut Criterion, depth: u32) {
    let name = if R::PROFILE == Profile::KisoloFree { "startpos1" } else { "startpos" };
    let position = R::PROFILE.start(name).expect("every profile has its start");
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let request = Request::new(position, limits);
    let mut table = Table::new(16).expect("16 MiB are there");
    let mut run = || {
        table.clear();
        search::<R>(&request, &table, &Signals::default(), &mut ()).expect("the game goes on").nodes
    };
    let mut group = c.benchmark_group("search");
    // Fixed limits visit the same nodes in every run.
    group.throughput(Throughput::Elements(run()));
    group.bench_function(format!("{} depth {depth}", R::PROFILE), |b| b.iter(&mut run));
    group.finish();

    let mut group = c.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(1));
    let name = R::PROFILE.name();
    group.bench_function(format!("{name} seeds"), |b| {
        b.iter(|| evaluate::<R>(black_box(&position)));
    });
    if let Some(net) = built_in(R::PROFILE) {
        group.bench_function(format!("{name} network"), |b| {
            b.iter(|| net.evaluate::<R>(black_box(&position)));
        });
        let plain = net.clone().at_level(CpuLevel::Plain);
        group.bench_function(format!("{name} network, plain"), |b| {
            b.iter(|| plain.evaluate::<R>(black_box(&position)));
        });
    }
    // What a node costs besides: one of its turns made.
    let node = R::node(&position);
    let pit = node.legal.into_iter().next();
    if let Some(pit) = pit {
        group.bench_function(format!("{name} one turn"), |b| {
            b.iter(|| R::play(&R::node(black_box(&position)), pit));
        });
    }
    group.finish();
}

fn all(c: &mut Criterion) {
    table(c);
    nodes::<Kisolo>(c, 10);
    nodes::<KisoloFree>(c, 10);
    nodes::<KisoloFull>(c, 14);
    nodes::<Isolo>(c, 8);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = all
}
criterion_main!(benches);
