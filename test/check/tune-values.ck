// A tuning parameter has the first of its values, the one of a table's row, or what -D gives it.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
// CHECK: {"name": "ITEMS", "value": "4", "values": ["4", "8", "16"], "from": "default"},
// CHECK: {"name": "SHIFT", "value": "-1", "values": ["-1", "1"], "from": "default"},
// CHECK: {"name": "SCALE", "value": "0.5", "values": ["0.5", "2.25"], "from": "default"},
// CHECK: {"name": "IS_WIDE", "value": "false", "values": ["false", "true"], "from": "default"}
// RUN: sh -c "printf '# ckc tuning 1\n\n# of a GPU\nk, sm_90, *, ITEMS = 8 # fast\n*, *, *, SHIFT = 1\n' > %t/a.tune"
// RUN: sh -c "printf 'k, sm_90, *, SCALE = 2.25\nk, sm_90, *, IS_WIDE = true\n' >> %t/a.tune"
// RUN: sh -c "printf 'k, sm_90, 2^10..2^12, ITEMS = 16\n' >> %t/a.tune"
// RUN: %ckc %s --emit=manifest --target=sm_90a --tuning=%t/a.tune | FileCheck %s --check-prefix=TABLE
// TABLE: "name": "ITEMS", "value": "8"{{.*}}"from": "{{.*}}a.tune"
// TABLE: "name": "SHIFT", "value": "1"
// TABLE: "name": "SCALE", "value": "2.25"
// TABLE: "name": "IS_WIDE", "value": "true"
// RUN: %ckc %s --emit=manifest --target=sm_80 --tuning=%t/a.tune | FileCheck %s --check-prefix=OTHER
// OTHER: "name": "ITEMS", "value": "4"
// OTHER: "name": "SHIFT", "value": "1"
// RUN: %ckc %s --emit=manifest --target=sm_90 --tuning=%t/a.tune --size=2^11 | FileCheck %s --check-prefix=SIZE
// SIZE: "name": "ITEMS", "value": "16"
// RUN: %ckc %s --emit=manifest --target=sm_90 --tuning=%t/a.tune --size=4097 | FileCheck %s --check-prefix=TABLE
// RUN: %ckc %s --emit=manifest --target=sm_90 --tuning=%t/a.tune -D ITEMS=5 | FileCheck %s --check-prefix=GIVEN
// GIVEN-NOT: "name": "ITEMS"
const ITEMS: u32 = tune(4, 8, 16);
const SHIFT: i32 = tune(-1, 1);
const SCALE = tune(1.0 / 2, 2.25);
const IS_WIDE = tune(false, true);
kernel k(x: out f32[1]) launch(block = 1, grid = 1)
{
    x[0] = f32(ITEMS) * SCALE + f32(SHIFT) + (IS_WIDE ? 1.0 : 0.0);
}
