// ckc run compiles the instance that it is to launch, and no other: not those that are exported.
// REQUIRES: ckc
// RUN: %ckc run %s 'count<2>' --device=host --print=x | FileCheck %s
// RUN: sh -c '%ckc %s --target=host -o %t.o; test $? = 1' 2>&1 | FileCheck --check-prefix=ALL %s
// RUN: sh -c '%ckc run %s "count<9>" --device=host; test $? = 1' 2>&1 | FileCheck --check-prefix=NINE %s
// CHECK: x = [2, 2]
// ALL: error: {{.*}}fewer than 8
// ALL: in 'count<16>'
// ALL-NOT: 'count<9>'
// NINE: error: {{.*}}fewer than 8
// NINE: in 'count<9>'
// NINE-NOT: 'count<16>'
kernel count<const N: u32 = 32>(x: out u32[N]) launch(block = N, grid = 1)
{
    static_assert(N < 8, "fewer than 8");
    x[thread.rank] = N;
}
export count<16>;
