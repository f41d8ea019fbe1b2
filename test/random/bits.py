# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bits.py - CK functions that convert values to u64, which generated kernels store and serve.c
hashes.

Every NaN becomes 1, since its bits are not defined.
"""
BITS = """\
fn bits_of(x: bool) -> u64 = u64(x);
fn bits_of<T: int>(x: T) -> u64 = u64(x);
fn bits_of(x: f16) -> u64 = x != x ? 1 : u64(bit_cast<u16>(x));
fn bits_of(x: bf16) -> u64 = x != x ? 1 : u64(bit_cast<u16>(x));
fn bits_of(x: f32) -> u64 = x != x ? 1 : u64(bit_cast<u32>(x));
fn bits_of(x: f64) -> u64 = x != x ? 1 : bit_cast<u64>(x);
fn mixed(h: u64, v: u64) -> u64 = rotate_left(h, 7) * 0x9E3779B97F4A7C15 + v;
"""
