#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh PACKAGE FOLDER CC FLAGS - creates a project in FOLDER that finds the package (or build folder)
# PACKAGE with find_package(), builds a library of kernels, and runs it on the host device. After a change
# only what depends on the changed file may be built.
set -eu
package=$1 folder=$2 compiler=$3 flags=$4
here=$(dirname "$(readlink -f "$0")")
rm -rf "$folder"
mkdir -p "$folder"
cp -r "$here"/Inputs/* "$folder"
cd "$folder"
ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
export ASAN_OPTIONS
cmake -G Ninja -S . -B out -DCMAKE_PREFIX_PATH="$package" -DCMAKE_C_COMPILER="$compiler" \
  -DCMAKE_C_FLAGS="$flags" > log
expect() { # expected output of the program, expected runs of ckc in this build
  ninja -C out > log
  got=$(./out/program)
  [ "$got" = "$1" ] || { echo "expected '$1', got '$got'" >&2; exit 1; }
  runs=$(grep -o 'ckc [a-z]*.ck for' log | sort | tr '\n' ' ')
  [ "$runs" = "$2" ] || { echo "expected '$2', made '$runs'" >&2; cat log >&2; exit 1; }
}
expect '8 3' 'ckc double.ck for ckc plain.ck for '
expect '8 3' ''
echo 'const FACTOR: f32 = 4;' > shared/factor.ck
expect '16 3' 'ckc double.ck for '
echo '// a comment, which is no algorithm twice<T>' >> plain.ck
expect '16 3' 'ckc plain.ck for '
# Two headers that would define the same names.
mkdir -p other && cp plain.ck other/dou-ble.ck && cp plain.ck other/dou_ble.ck
sed 's/plain.ck/other\/dou-ble.ck other\/dou_ble.ck/' CMakeLists.txt > other/CMakeLists.txt
cp double.ck main.c other.c other && mkdir other/other && cp other/dou* other/other
cmake -G Ninja -S other -B alike -DCMAKE_PREFIX_PATH="$package" -DCMAKE_C_COMPILER="$compiler" > log 2>&1 \
  && { echo "two headers with the same names are taken" >&2; exit 1; }
grep -q 'two sources are called alike' log
# An instance of a kernel that is in no source file is an error.
sed -i 's/twice<f32>/twise<f32>/' CMakeLists.txt
cmake -S . -B out > log 2>&1 && { echo "an unknown instance is taken" >&2; exit 1; }
grep -q 'no source has a kernel for INSTANCES twise<f32>' log
# Calls of algorithms need nothing but the package.
cmake -G Ninja -S algorithm -B calls -DCMAKE_PREFIX_PATH="$package" -DCMAKE_C_COMPILER="$compiler" \
  -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" > log
ninja -C calls > log
got="$(./calls/sum) $(CK_DEVICE=host ./calls/norm)"
[ "$got" = "4950 30" ] || { echo "expected '4950 30', got '$got'" >&2; exit 1; }
echo passed
