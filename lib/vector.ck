// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector.ck - functions of vectors: select, sum, dot, any, all. Functions of scalars also take
// vectors, component by component; the compiler derives these forms for the whole library.

// a if m, otherwise b; both are evaluated.
fn select<T: type>(m: bool, a: T, b: T) -> T = m ? a : b;

// The sum in pairs: ((x + y) + (z + w)).
fn sum<T: number>(v: vec<T, 2>) -> T = v[0] + v[1];
fn sum<T: number>(v: vec<T, 3>) -> T = (v[0] + v[1]) + v[2];
fn sum<T: number>(v: vec<T, 4>) -> T = (v[0] + v[1]) + (v[2] + v[3]);
fn sum<T: number>(v: vec<T, 8>) -> T = ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
fn sum<T: number>(v: vec<T, 16>) -> T = (((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]))) + (((v[8] + v[9]) + (v[10] + v[11])) + ((v[12] + v[13]) + (v[14] + v[15])));

// The sum of a[i] * b[i], in the same order.
fn dot<T: number, const N: u32>(a: vec<T, N>, b: vec<T, N>) -> T = sum(a * b);

fn any(v: vec<bool, 2>) -> bool = v[0] | v[1];
fn any(v: vec<bool, 3>) -> bool = (v[0] | v[1]) | v[2];
fn any(v: vec<bool, 4>) -> bool = (v[0] | v[1]) | (v[2] | v[3]);
fn any(v: vec<bool, 8>) -> bool = ((v[0] | v[1]) | (v[2] | v[3])) | ((v[4] | v[5]) | (v[6] | v[7]));
fn any(v: vec<bool, 16>) -> bool = (((v[0] | v[1]) | (v[2] | v[3])) | ((v[4] | v[5]) | (v[6] | v[7]))) | (((v[8] | v[9]) | (v[10] | v[11])) | ((v[12] | v[13]) | (v[14] | v[15])));
fn all(v: vec<bool, 2>) -> bool = v[0] & v[1];
fn all(v: vec<bool, 3>) -> bool = (v[0] & v[1]) & v[2];
fn all(v: vec<bool, 4>) -> bool = (v[0] & v[1]) & (v[2] & v[3]);
fn all(v: vec<bool, 8>) -> bool = ((v[0] & v[1]) & (v[2] & v[3])) & ((v[4] & v[5]) & (v[6] & v[7]));
fn all(v: vec<bool, 16>) -> bool = (((v[0] & v[1]) & (v[2] & v[3])) & ((v[4] & v[5]) & (v[6] & v[7]))) & (((v[8] & v[9]) & (v[10] & v[11])) & ((v[12] & v[13]) & (v[14] & v[15])));
