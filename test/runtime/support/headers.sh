#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# headers.sh INCLUDE - checks that every public header compiles on its own without warnings, as C99, C11
# and C++17, with gcc; with clang all of them together, and each on its own only in continuous integration.
set -u
include=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0
cat > "$folder/use.c" <<'C'
#include "ck/ck.h"
int use(ck_stream_t *stream, ck_kernel_t *kernel, ck_buffer_t *buffer);
int use(ck_stream_t *stream, ck_kernel_t *kernel, ck_buffer_t *buffer)
{
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L)
  return ck_launch(stream, &config, kernel) != CK_OK ||
         ck_launch(stream, NULL, kernel, 1, 2.0f, 3ul, (char)4, buffer, (const ck_buffer_t *)buffer,
                   ck_span(buffer, 0, 3)) != CK_OK;
#else
  ck_arg_t args[2];
  args[0] = ck_i32(1);
  args[1] = ck_whole(buffer);
  return ck_launch_args(stream, &config, kernel, args, 2) != CK_OK;
#endif
}
C
check() { # compiler standard language file
  if "$1" "-std=$2" -x "$3" -Wall -Wextra -Wpedantic -Werror -I "$include" -fsyntax-only "$4"; then
    passed=$((passed + 1))
  else
    echo "failed: $1 -std=$2 $4" >&2
    failed=$((failed + 1))
  fi
}
# The compiler refuses a pointer type that can't be a kernel argument.
refuse() { # compiler standard language type
  printf '#include "ck/ck.h"\nck_arg_t use(%s);\nck_arg_t use(%s) { return ck_arg(x); }\n' "$4" "$4" \
    > "$folder/pointer.txt"
  if "$1" "-std=$2" -x "$3" -I "$include" -fsyntax-only "$folder/pointer.txt" 2> "$folder/log"; then
    echo "failed: $1 -std=$2 takes '$4' for an argument" >&2
    failed=$((failed + 1))
  else
    grep -qE "deleted|compatible with any" "$folder/log" && passed=$((passed + 1)) || {
      cat "$folder/log" >&2
      failed=$((failed + 1))
    }
  fi
}
for header in "$include"/ck/*.h; do
  printf '#include "ck/%s"\nextern int nothing;\n' "$(basename "$header")" \
    > "$folder/$(basename "$header" .h)_alone.c"
done
for cc in gcc clang-14 clang; do
  command -v $cc > /dev/null || continue
  files="$folder/*.c"
  [ $cc = gcc ] || [ -n "${CI-}" ] || files=$folder/use.c
  for file in $files; do
    check $cc c99 c "$file"
    check $cc c11 c "$file"
    check $cc c++17 c++ "$file"
  done
done
for type in "double *x" "const void *x" "ck_stream_t *x" "void (*x)(void)"; do
  refuse gcc c11 c "$type"
  refuse gcc c++17 c++ "$type"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
