// A number that the type holds only as infinity is an error; 'inf' and what is worked out are none.
// RUN: split-file %s %t
// RUN: not %ckc %t/typed.ck --target=host --stop-after=check 2>&1 | FileCheck %s --check-prefix=TYPED
// RUN: not %ckc %t/text.ck --target=host --stop-after=check 2>&1 | FileCheck %s --check-prefix=TEXT
//--- typed.ck
fn f() {
    let a: f32 = 1e39;
    let b: f16 = -1e9;
    let c = 3e38 * 10;
    let d: f64 = 1e39;
    let e: f32 = inf;
    let g = 3e38f32 * 10;
    let h = f32(1e39);
}
// TYPED: :2:18: error: 1e+39 does not fit in 'f32' [constant_range]
// TYPED: :3:18: error: -1e+09 does not fit in 'f16' [constant_range]
// TYPED: :4:13: error: 3e+39 does not fit in 'f32' [constant_range]
// TYPED-NOT: error:
//--- text.ck
const A = 1e400;
const B = 1e39f32;
const C = 1e-400;
// TEXT: :1:11: error: 1e400 does not fit in 'f64' [constant_range]
// TEXT: :2:11: error: 1e39f32 does not fit in 'f32' [constant_range]
// TEXT-NOT: error:
