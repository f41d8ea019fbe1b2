#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# install.sh BUILD FOLDER CC - installs the build in FOLDER, moves that to another name, and looks at it as a
# user would: its binaries, the ABI of its libraries, a program by pkg-config, a project by CMake
# (run.sh), the manual page, and completions.
set -euo pipefail
build=$1 folder=$2 compiler=$3
here=$(dirname "$(readlink -f "$0")")
rm -rf "$folder" "$folder.moved"
cmake --install "$build" --prefix "$folder" --strip >/dev/null
mv "$folder" "$folder.moved"
folder=$folder.moved
"$here/../../.ci/check_binaries" "$folder"
"${CK_PYTHON:-python3}" "$here/../abi/abi.py" "$folder" "$compiler" "$here/../abi/0.1.txt"

mkdir "$folder/program"
cat >"$folder/program/main.c" <<'END'
#include <ck/algorithm.h>
#include <ck/ck.h>
#include <ck/compile.h>
#include <stdio.h>
int main(void) { return printf("%s %d\n", ck_version(), ck_launch_algorithm && ck_compile) < 0; }
END
export PKG_CONFIG_PATH=$folder/lib/pkgconfig
# shellcheck disable=SC2046
"$compiler" -Wall -Werror -Wno-address "$folder/program/main.c" $(pkg-config --cflags --libs ckalg ckc) -o "$folder/program/main"
[[ $(LD_LIBRARY_PATH=$folder/lib "$folder/program/main") == "0.1 1" ]]
readelf -d "$folder/program/main" | grep -q 'NEEDED.*\[libckrt.so.0\]'
"$here/run.sh" "$folder" "$folder/cmake" "$compiler" ""

for file in man/man1/ckc.1 bash-completion/completions/ckc zsh/site-functions/_ckc \
  fish/vendor_completions.d/ckc.fish; do
  grep -q -e '-emit\|l emit' "$folder/share/$file"
done
rm -rf "$folder"
echo passed
