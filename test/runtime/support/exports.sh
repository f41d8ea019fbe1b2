#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# exports.sh LIBCKRT - checks that the library exports only ck_*, needs no LLVM, and is small when stripped.
set -u
library=$1
passed=0 failed=0
check() { # name condition-result
  if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $1" >&2; fi
}
foreign=$(nm -D --defined-only "$library" | awk '$2 != "A" && $3 !~ /^ck_.*@@CK_/ {print $3}')
[ -z "$foreign" ]; check "foreign exports: $foreign" $?
internal=$(nm -D --defined-only "$library" | grep -c ' ck_host_\|fault_')
[ "$internal" = 0 ]; check "internal exports: $internal" $?
! ldd "$library" | grep -q 'LLVM\|libckc\|libcuda\\|nvvm'; check "needed libraries" $?
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
strip -o "$stripped" "$library"
[ "$(wc -c < "$stripped")" -lt 614400 ]; check "size $(wc -c < "$stripped")" $?
echo "$passed passed, $failed failed ($(wc -c < "$stripped") bytes stripped)"
[ $failed -eq 0 ]
