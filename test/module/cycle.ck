// Files that import each other are an error that shows the chain.
// RUN: not %ckc %S/Inputs/cycle_a.ck --target=host 2>&1 | FileCheck %s
// CHECK: cycle_b.ck:1:1: error: these files import each other: {{.*}}cycle_a.ck -> {{.*}}cycle_b.ck -> {{.*}}cycle_a.ck [import_cycle]
// CHECK: cycle_a.ck:1:1: note: '{{.*}}cycle_b.ck' is imported here
// CHECK: hint: Put what both need into a third file.
