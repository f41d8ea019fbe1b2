// Products of vectors of bytes are made one by one: of a vector LLVM leaves zeros undefined.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas-verify < %t.ptx %}
// RUN: %ckc %s --no-repair=byte_product --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
kernel k(s: i8, at: in u32[2], y: out i8[2, 3]) launch(block = 2, grid = 1) {
    let t = thread.rank;
    var v = i8x16(i8x8(s), i8x8(s, 95, 0, 0, 0, 0, s, 0) * i8x8(s, 21, 0, s, 0, s, 0, 0));
    v[at[t] % 16] = 9;
    y[t, 0] = v[13];
    y[t, 1] = v[14];
    y[t, 2] = v[15];
}
// CHECK: mov.{{[ub]}}16 [[ZERO:%rs[0-9]+]], 0;
// CHECK-DAG: st.local.u8 [{{.*}}+13], [[ZERO]];
// CHECK-DAG: st.local.v2.u8 [{{.*}}+14], {[[ZERO]], [[ZERO]]};
// Component 13 is not stored.
// WITHOUT: st.local.v2.u8 [{{.*}}+14]
// WITHOUT-NOT: st.local.u8 [{{.*}}+13]
