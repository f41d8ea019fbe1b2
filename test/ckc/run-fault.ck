// A kernel that stops the program ends with 1, and the message has its place.
// REQUIRES: ckc
// RUN: sh -c '%ckc run %s k x=zeros:1 --device=host; test $? = 1' 2>&1 | FileCheck %s
// RUN: sh -c '%ckc run %s k x=ones:1 --device=host; test $? = 1' 2>&1 | FileCheck --check-prefix=TRAP %s
// CHECK-NOT: CUDA
// CHECK: error: {{.*}}run-fault.ck:[[@LINE+6]]: k: block: [0,0,0], thread: [0,0,0] Assertion `one is needed` failed.
// CHECK-NOT: {{.}}
// TRAP-NOT: CUDA
// TRAP: error: {{.*}}run-fault.ck:[[@LINE+4]]: k: block: [0,0,0], thread: [0,0,0] trap
// TRAP-NOT: {{.}}
kernel k(x: in f32[1]) launch(block = 1, grid = 1) {
    assert(x[0] == 1, "one is needed");
    trap();
}
