#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh PACKAGE - from start to the first result: a program with an ahead-of-time kernel by libckrt, and the same by the
# driver alone, in turn, processes as a whole. Says as well which libraries libckrt's loads. Needs a GPU, gcc and cuda.h.
set -eu
package=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cuda=${CUDA_HOME:-/usr/local/cuda}
ckc=$package/bin/ckc
"$ckc" "$here/../../scale.ck" --emit=header --target=sm_90 --instance='scale<f32>' -o "$work/scale.ck.h"
kernel=$("$ckc" "$here/../../scale.ck" --emit=ptx --target=sm_90 --instance='scale<f32>' -o - | sed -n 's/.*\.entry \([A-Za-z0-9_$]*\).*/\1/p')
gcc -O2 -Wno-unused-function -I"$work" -I"$package/include" "$here/ckrt.c" -L"$package/lib" -Wl,-rpath,"$package/lib" -lckrt -o "$work/ckrt"
gcc -O2 -Wno-unused-function -DKERNEL="\"$kernel\"" -I"$work" -I"$package/include" -I"$cuda/include" "$here/driver.c" \
  -l:libcuda.so.1 -lckrt -L"$package/lib" -Wl,--as-needed -Wl,-rpath,"$package/lib" -o "$work/driver"
LD_DEBUG=files LD_DEBUG_OUTPUT=$work/files "$work/ckrt"
echo "libraries that ckrt loads: $(sed -n 's/.*calling init: .*\/\([^/]*\)$/\1/p' "$work"/files.* | sort -u | tr '\n' ' ')"
if grep -q 'LLVM\|libckc\|nvvm\|nvrtc\|nvJitLink' "$work"/files.*; then echo "a compiler is loaded"; exit 1; fi
python3 - "$work" <<'P'
import statistics, subprocess, sys, time
times = {"driver": [], "ckrt": []}
for turn in range(23):
    for name, list_ in times.items():
        start = time.perf_counter()
        subprocess.run([f"{sys.argv[1]}/{name}"], check=True)
        if turn >= 2: list_.append(time.perf_counter() - start)
driver, ckrt = (statistics.median(list_) for list_ in times.values())
print(f"driver {driver * 1e3:.1f} ms, ckrt {ckrt * 1e3:.1f} ms, {ckrt / driver:.3f}")
P
