//! The boards beside the byte-loop baseline: turns, nodes, perft, playouts,
//! hashing.

#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kisolo::board::{Pit, Position};
use kisolo::rules::batch::{CpuLevel, Lockstep, perft_batched, playouts};
use kisolo::rules::{Isolo, Kisolo, KisoloFree, KisoloFull, Outcome, Profile, make, perft, unmake};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

mod baseline;

use baseline::{Board, Plain};

/// Positions of all stages of random games.
fn positions<R: Lockstep>(count: usize) -> Vec<Position> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = start::<R>();
        loop {
            let node = R::node(&position);
            if rng.random_range(0..8) == 0 {
                found.push(position);
            }
            let choice = rng.random_range(0..node.legal.len());
            let Some(pit) = node.legal.into_iter().nth(choice) else { break };
            let turn = R::play(&node, pit);
            if turn.outcome != Outcome::Ongoing {
                break;
            }
            position = turn.after;
        }
    }
    found.truncate(count);
    found
}

fn start<R: Lockstep>() -> Position {
    let name = if R::PROFILE == Profile::KisoloFree { "startpos1" } else { "startpos" };
    R::PROFILE.start(name).expect("every profile has its start")
}

fn board(position: &Position) -> Board {
    Board {
        own: position.own.counts(),
        enemy: position.enemy.counts(),
        own_initial: position.first.contains(position.side),
        enemy_initial: position.first.contains(position.side.other()),
    }
}

fn turns<R: Lockstep, P: Plain>(c: &mut Criterion) {
    let positions = positions::<R>(400);
    let boards: Vec<Board> = positions.iter().map(board).collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let tasks: Vec<(Position, Board, Pit)> = positions
        .iter()
        .zip(&boards)
        .map(|(position, board)| {
            let legal = R::node(position).legal;
            let choice = rng.random_range(0..legal.len());
            (*position, *board, legal.into_iter().nth(choice).expect("games go on"))
        })
        .collect();
    let count: usize = positions.iter().map(|p| R::node(p).legal.len()).sum();

    let mut group = c.benchmark_group(format!("{}/turn", R::PROFILE));
    group.throughput(Throughput::Elements(tasks.len() as u64));
    group.bench_function("baseline", |b| {
        b.iter(|| {
            for (_, board, pit) in &tasks {
                let mut board = *board;
                black_box(P::play(&mut board, pit.index()));
                black_box(board);
            }
        });
    });
    group.bench_function("single", |b| {
        b.iter(|| {
            for (position, _, pit) in &tasks {
                black_box(R::play(&R::node(position), *pit));
            }
        });
    });
    group.bench_function("make and unmake", |b| {
        b.iter(|| {
            for (position, _, pit) in &tasks {
                let mut position = *position;
                let (turn, undo) = make::<R>(&mut position, *pit);
                black_box((turn, &position));
                unmake(&mut position, undo);
                black_box(position);
            }
        });
    });
    group.finish();

    let mut group = c.benchmark_group(format!("{}/node", R::PROFILE));
    group.throughput(Throughput::Elements(count as u64));
    group.bench_function("baseline", |b| {
        b.iter(|| {
            for board in &boards {
                let mut pits = [0; 16];
                let count = P::legal(board, &mut pits);
                for &pit in &pits[..count] {
                    let mut next = *board;
                    black_box(P::play(&mut next, pit));
                    black_box(next);
                }
            }
        });
    });
    group.bench_function("single", |b| {
        b.iter(|| {
            for position in &positions {
                let node = R::node(position);
                for pit in node.legal {
                    black_box(R::play(&node, pit));
                }
            }
        });
    });
    group.finish();
}

fn sequences<R: Lockstep, P: Plain>(c: &mut Criterion, depth: u32) {
    let position = start::<R>();
    let mut group = c.benchmark_group(format!("{}/perft {depth}", R::PROFILE));
    group.throughput(Throughput::Elements(perft::<R>(&position, depth)));
    group.bench_function("baseline", |b| {
        let board = board(&position);
        b.iter(|| baseline::perft::<P>(black_box(&board), depth));
    });
    group.bench_function("single", |b| {
        b.iter(|| perft::<R>(black_box(&position), depth));
    });
    for &level in CpuLevel::available() {
        group.bench_function(format!("batch {level:?}"), |b| {
            b.iter(|| perft_batched::<R>(level, black_box(&position), depth));
        });
    }
    group.finish();
}

fn games<R: Lockstep, P: Plain>(c: &mut Criterion) {
    const GAMES: u64 = 4096;
    let position = start::<R>();
    let mut group = c.benchmark_group(format!("{}/playouts", R::PROFILE));
    group.throughput(Throughput::Elements(GAMES));
    group.bench_function("baseline", |b| {
        let board = board(&position);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        b.iter(|| (0..GAMES).filter(|_| baseline::playout::<P>(&board, || rng.next_u64())).count());
    });
    for &level in CpuLevel::available() {
        group.bench_function(format!("batch {level:?}"), |b| {
            b.iter(|| playouts::<R>(level, black_box(&[position]), GAMES, 500, 3));
        });
    }
    group.finish();
}

fn hashing(c: &mut Criterion) {
    let positions = positions::<Kisolo>(400);
    let mut group = c.benchmark_group("hash");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("position", |b| {
        b.iter(|| positions.iter().fold(0, |all, position| all ^ black_box(position).hash()));
    });
    group.finish();
}

fn all(c: &mut Criterion) {
    turns::<Kisolo, baseline::Kisolo>(c);
    turns::<KisoloFree, baseline::Resow<false>>(c);
    turns::<KisoloFull, baseline::Resow<true>>(c);
    turns::<Isolo, baseline::Isolo>(c);
    sequences::<Kisolo, baseline::Kisolo>(c, 6);
    sequences::<KisoloFree, baseline::Resow<false>>(c, 8);
    sequences::<KisoloFull, baseline::Resow<true>>(c, 9);
    sequences::<Isolo, baseline::Isolo>(c, 5);
    games::<Kisolo, baseline::Kisolo>(c);
    games::<KisoloFree, baseline::Resow<false>>(c);
    games::<KisoloFull, baseline::Resow<true>>(c);
    games::<Isolo, baseline::Isolo>(c);
    hashing(c);
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
