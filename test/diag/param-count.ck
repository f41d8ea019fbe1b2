// A function has at most 64 parameters.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a0: i32, a1: i32, a2: i32, a3: i32, a4: i32, a5: i32, a6: i32, a7: i32, a8: i32, a9: i32,
    a10: i32, a11: i32, a12: i32, a13: i32, a14: i32, a15: i32, a16: i32, a17: i32, a18: i32,
    a19: i32, a20: i32, a21: i32, a22: i32, a23: i32, a24: i32, a25: i32, a26: i32, a27: i32,
    a28: i32, a29: i32, a30: i32, a31: i32, a32: i32, a33: i32, a34: i32, a35: i32, a36: i32,
    a37: i32, a38: i32, a39: i32, a40: i32, a41: i32, a42: i32, a43: i32, a44: i32, a45: i32,
    a46: i32, a47: i32, a48: i32, a49: i32, a50: i32, a51: i32, a52: i32, a53: i32, a54: i32,
    a55: i32, a56: i32, a57: i32, a58: i32, a59: i32, a60: i32, a61: i32, a62: i32, a63: i32,
    a64: i32) {}
// CHECK: error: 'f' has 65 parameters, 64 are the most [param_count]
