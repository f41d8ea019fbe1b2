#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""huge.py - runs device-wide algorithms on more than 2^31 and 2^32 elements, and checks each result.

    huge.py [--ckc=PATH] [--sizes=2**31+5,2**32+9] [--device=cuda:0] [--backend=libnvvm]
            [--filter=TEXT]

Inputs are computed where they are read (count, tabulate), and results stay in scratch memory. Kernels
compare each element with a formula, independently of the library, and count those that differ. So
neither the host nor a file holds an array. A case takes up to 9 bytes an element; what takes more
than --memory=GiB (72) is left out.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(HERE)]

# pylint: disable=wrong-import-position
import heads

COMMON = """\
// The triangular number i (i + 1) / 2 modulo 2^64.
fn triangle(i: u64) -> u64 = (i & 1) == 0 ? (i / 2) * (i + 1) : ((i + 1) / 2) * i;
fn mixed(i: u64) -> u64 {
    let z = (i ^ i >> 30) * 0xBF58476D1CE4E5B9;
    return z ^ z >> 27;
}
fn clear(bad: out u64[]) { if (grid.thread_rank == 0) bad[0] = 0; }
fn compare<I: type, F: fn>(it: I, f: F, bad: inout u64[]) {
    var wrong = 0u64;
    for (i in grid.stride(it.len)) wrong += u64(it[i] != f(i));
    if (wrong > 0) atomic.add(bad[0], wrong);
}
// The number of elements that are not f of their places.
algorithm differ<I: type, F: fn>(it: I, f: F) -> u64 {
    scratch result bad: u64[1];
    launch clear(block = 32, grid = 1, bad);
    launch compare(block = 256, grid = resident, it, f, bad);
    return bad[0];
}
fn add<I: type>(it: I, sum: inout u64[]) {
    var s = 0u64;
    for (i in grid.stride(it.len)) s += it[i];
    atomic.add(sum[0], s);
}
// The sum of all elements.
algorithm total<I: type>(it: I) -> u64 {
    scratch result sum: u64[1];
    launch clear(block = 32, grid = 1, sum);
    launch add(block = 256, grid = resident, it, sum);
    return sum[0];
}
"""
# Bytes an element; an algorithm of n elements; its result, as an expression of n (0: nothing differs).
CASES = [
    (0, "reduce_sum", "-> u64 = reduce(count<u64>().take(n), +, 0u64);", "n // 2 * (n - 1) if n % 2 == 0 else (n - 1) // 2 * n"),
    (0, "reduce_last", "-> u64 = reduce(count<u64>().take(n), |a, b| b, 0u64);", "n - 1"),
    (1, "reduce_span", """-> u64 {
    scratch x: u8[n];
    generate(x, |i| u8(i % 251));
    return reduce(x.map(|v| u64(v)), +, 0u64);
}""", "n // 251 * 31375 + (n % 251) * (n % 251 - 1) // 2"),
    (0, "argmax_last", "-> u64 { let (v, i) = argmax(count<u64>().take(n)); return i; }", "n - 1"),
    (1, "argmin_span", """-> u64 {
    scratch x: u8[n];
    generate(x, |i| i == n - 3 ? 1u8 : 2);
    let (v, i) = argmin(x);
    return i;
}""", "n - 3"),
    (4, "scan_iterator", """-> u64 {
    scratch y: u32[n];
    inclusive_scan(count<u32>().take(n), y, +);
    return differ(y, |i| u32(triangle(i)));
}""", "0"),
    (4, "scan_in_place", """-> u64 {
    scratch y: u32[n];
    generate(y, |i| u32(i));
    exclusive_scan(y, y, +, 7);
    return differ(y, |i| u32(i == 0 ? 7 : triangle(i - 1) + 7));
}""", "0"),
    (8, "scan_last", """-> u64 {
    scratch y: u64[n];
    inclusive_scan(count<u64>().take(n), y, |a, b| b % 1000 == 0 ? b : a);
    return differ(y, |i| i / 1000 * 1000);
}""", "0"),
    (2, "transform_bytes", """-> u64 {
    scratch x: u8[n + 1];
    scratch y: u8[n];
    generate(x, |i| u8(i));
    transform(x[1..n + 1], y, |v| v ^ 1);
    return differ(y, |i| u8(i + 1) ^ 1);
}""", "0"),
    (2, "difference", """-> u64 {
    scratch x: u8[n];
    scratch y: u8[n];
    generate(x, |i| u8(triangle(i)));
    adjacent_difference(x, y, -);
    return differ(y, |i| u8(i));
}""", "0"),
    (1, "histogram_bytes", """-> u64 {
    scratch x: u8[n];
    scratch counts: u64[256];
    generate(x, |i| u8(i));
    histogram(x, counts, 0, 256);
    return differ(counts, |b| (n + 255 - b) / 256);
}""", "0"),
    (1, "histogram_one_bin", """-> u64 {
    scratch x: u8[n];
    scratch counts: u64[256];
    fill(x, 7u8);
    histogram(x, counts, 0, 256);
    return differ(counts, |b| b == 7 ? n : 0);
}""", "0"),
    (0, "histogram_words", """-> u64 {
    scratch counts: u64[2048];
    histogram(count<u64>().take(n).map(|i| u32(i) & 2047), counts, 0u32, 2048u32);
    return differ(counts, |b| (n + 2047 - b) / 2048);
}""", "0"),
    (2, "select_bytes", """-> u64 {
    scratch x: u8[n];
    scratch y: u8[n];
    generate(x, |i| u8(i % 251));
    let k = select(x, |v| v != 250, y);
    return differ(y.take(k), |i| u8(i % 250));
}""", "0"),
    (0, "select_count", "-> u64 = select(count<u64>().take(n), |i| i % 3 == 0, discard<u64>());", "(n + 2) // 3"),
    (3, "select_places", """-> u64 {
    scratch y: u64[n / 3 + 1];
    let k = select(count<u64>().take(n), |i| i % 3 == 0, y);
    return differ(y.take(k), |i| 3 * i);
}""", "0"),
    (1, "select_all_in_place", """-> u64 {
    scratch x: u8[n];
    generate(x, |i| u8(i % 251));
    let k = select(x, |v| v != 7, x);
    return differ(x.take(k), |i| u8(i % 250 + (i % 250 >= 7 ? 1 : 0)));
}""", "0"),
    (3, "partition_three", """-> u64 {
    scratch a: u8[n];
    scratch b: u8[n];
    scratch c: u8[n];
    let (p, q) = partition(count<u64>().take(n), |i| i % 4 == 0, |i| i % 4 == 1, a.map_store(|i| u8(i / 4)), b.map_store(|i| u8(i / 4)), c.map_store(|i| u8(i / 2)));
    let x = differ(a.take(p), |i| u8(i));
    let y = differ(b.take(q), |i| u8(i));
    let z = differ(c.take((n + 1) / 4 + n / 4), |i| u8(i | 1));
    return x + y + z + (p + q) * 100;
}""", "((n + 3) // 4 + (n + 2) // 4) * 100"),
    (1, "unique_runs", """-> u64 {
    scratch y: u32[n / 5 + 1];
    let k = unique(count<u64>().take(n).map(|i| u32(i / 5)), y);
    return differ(y.take(k), |i| u32(i)) + k * 100;
}""", "(n + 4) // 5 * 100"),
    (3, "run_lengths", """-> u64 {
    scratch y: u32[n / 5 + 1];
    scratch len: u64[n / 5 + 1];
    let k = run_length_encode(count<u64>().take(n).map(|i| u32(i / 5)), y, len);
    return differ(len.take(k), |i| min(n - 5 * i, 5));
}""", "0"),
    (1, "run_of_all", """-> u64 {
    scratch x: u8[n];
    scratch y: u8[2];
    scratch len: u64[2];
    fill(x, 9u8);
    let k = run_length_encode(x, y, len);
    return differ(len.take(k), |i| n) + k * 100;
}""", "100"),
    (1, "totals_of_keys", """-> u64 {
    scratch keys: u32[n / 1000 + 1];
    scratch sums: u32[n / 1000 + 1];
    let k = reduce_by_key(count<u64>().take(n).map(|i| u32(i / 1000)), constant(1u32), +, keys, sums);
    return differ(sums.take(k), |i| u32(min(n - 1000 * i, 1000)));
}""", "0"),
    (1, "total_of_one_key", """-> u64 {
    scratch x: u8[n];
    scratch keys: u8[1];
    scratch sums: u64[1];
    fill(x, 3u8);
    let k = reduce_by_key(x, x.map(|v| u64(v)), +, keys, sums);
    return differ(sums.take(k), |i| 3 * n) + k * 100;
}""", "100"),
    (4, "scan_of_keys", """-> u64 {
    scratch y: u32[n];
    inclusive_scan_by_key(count<u64>().take(n).map(|i| u32(i / 100000)), constant(1u32), y, +);
    return differ(y, |i| u32(i % 100000 + 1));
}""", "0"),
    (2, "radix_sort_bytes", """-> u64 {
    scratch x: u8[n];
    generate(x, |i| u8(i * 167));
    radix_sort(x);
    scratch counts: u64[256];
    scratch ends: u64[257];
    histogram(count<u64>().take(n).map(|i| u8(i * 167)), counts, 0, 256);
    exclusive_scan(counts, ends, +, 0u64);
    return differ(x, |i| u8(upper_bound(ends.take(256), i) - 1));
}""", "0"),
    (9, "radix_sort_words", """-> u64 {
    scratch x: u32[n];
    generate(x, |i| u32(i * 2654435761));
    radix_sort(x);
    let before = total(count<u64>().take(n).map(|i| mixed(u64(u32(i * 2654435761)))));
    let after = total(x.map(|v| mixed(u64(v))));
    return differ(zip(x.take(n - 1), x.drop(1)), |i| (min(x[i], x[i + 1]), max(x[i], x[i + 1]))) + u64(before != after);
}""", "0"),
    (3, "merge_sort_bytes", """-> u64 {
    scratch x: u8[n];
    generate(x, |i| u8(255 - i * 256 / n));
    merge_sort(x, <);
    return differ(x, |i| u8(255 - (n - 1 - i) * 256 / n));
}""", "0"),
    (0, "top_ten", """-> u64 {
    scratch y: u64[10];
    top_k(count<u64>().take(n), y);
    return differ(y, |i| n - 1 - i);
}""", "0"),
    (0, "few_segments", """-> u64 {
    scratch y: u64[3];
    segmented_reduce(count<u64>().take(n), tabulate(|s| s == 3 ? n : s * (n / 2)).take(3), y, +, 0u64);
    return differ(y.take(2), |s| s == 0 ? triangle(n / 2 - 1) : triangle(n / 2 * 2 - 1) - triangle(n / 2 - 1));
}""", "0"),
    (1, "many_segments", """-> u64 {
    scratch y: u8[n];
    segmented_reduce(count<u64>().take(n).map(|i| u8(i)), tabulate(|s| s).take(n + 1), y, +, 1u8);
    return differ(y, |s| u8(s + 1));
}""", "0"),
    (2, "copy_of_one", """-> u64 {
    scratch x: u8[n];
    scratch y: u8[n];
    generate(x, |i| u8(i));
    batched_copy(x, constant(0u64), constant(n).take(1), y, constant(0u64));
    return differ(y, |i| u8(i));
}""", "0"),
    (0, "find_late", "-> u64 = find_if(count<u64>().take(n), |i| i == n - 2);", "n - 2"),
    (1, "find_none", "-> u64 { scratch x: u8[n]; fill(x, 5u8); return find_if(x, |v| v == 6); }", "n"),
    (0, "differ_late", "-> u64 = mismatch(count<u64>().take(n), count<u64>().take(n).map(|i| i == n - 1 ? 0 : i));",
     "n - 1"),
    (8, "merge_halves", """-> u64 {
    scratch y: u64[n];
    merge(count<u64>().take((n + 1) / 2).map(|i| 2 * i), count<u64>().take(n / 2).map(|i| 2 * i + 1), y, <);
    return differ(y, |i| i);
}""", "0"),
    (0, "union_count", """-> u64 =
    set_union(count<u64>().take((n + 1) / 2).map(|i| 2 * i), count<u64>().take(n / 2).map(|i| 2 * i + 1), discard<u64>(), <);""",
     "n"),
    (0, "intersection_count", """-> u64 =
    set_intersection(count<u64>().take(n), count<u64>().take(n).map(|i| i + 5), discard<u64>(), <);""", "n - 5"),
    (1, "bounds", """-> u64 {
    scratch x: u8[n];
    scratch y: u64[2];
    generate(x, |i| i < n - 3 ? 4u8 : 6);
    transform(constant(5u8).take(1), y.take(1), |v| lower_bound(x, v));
    transform(constant(4u8).take(1), y.drop(1), |v| lower_bound(x, v));
    return differ(y, |i| i == 0 ? n - 3 : 0);
}""", "0"),
]


def text(size, args):
    """The file with the cases that fit into memory, and how many do not."""
    lines, left = [COMMON], 0
    for bytes_each, name, body, result in CASES:
        if args.filter not in name:
            continue
        if bytes_each * size > args.memory << 30:
            left += 1
            continue
        lines += [f"algorithm {name}(n: u64) {body}", f"// CALL: {name}(n={size})", f"// EXPECT: result = {result}"]
    return "\n".join(lines) + "\n", left


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ckc", help="that of the build or package without it")
    parser.add_argument("--sizes", default="2**31+5,2**32+9", help="numbers of elements")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--backend", action="append", help="libnvvm or nvptx; both without it")
    parser.add_argument("--memory", type=int, default=72, help="GiB that a case may take")
    parser.add_argument("--filter", default="", metavar="TEXT", help="cases with this text in their name")
    parser.add_argument("--timeout", type=int, default=120, help="seconds for one call")
    args = parser.parse_args()
    if not re.fullmatch(r"[0-9+*,-]+", args.sizes):
        sys.exit(f"--sizes={args.sizes} has other characters than digits, + * - and commas")
    status = 0
    for size in args.sizes.split(","):
        words, left = text(eval(size), args)  # pylint: disable=eval-used
        with tempfile.NamedTemporaryFile("w", suffix=".ck", prefix="huge-") as file:
            file.write(words)
            file.flush()
            command = [args.ckc or heads.find_ckc(), "test", file.name, "--verbose", f"--device={args.device}",
                       f"--timeout={args.timeout}"]
            if args.device != "host":
                command.append("--backend=" + ",".join(args.backend or ["libnvvm", "nvptx"]))
            print(f"{size} elements" + (f"; {left} cases take too much memory" if left else ""), flush=True)
            status |= subprocess.run(command, check=False).returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
