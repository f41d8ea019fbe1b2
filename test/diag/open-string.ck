// A text ends on its line; what stood behind it there is not missed.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s --implicit-check-not=error:
kernel k(y: out u32[]) {
    print("abc);
    y[0] = 1;
    y[1] = ;
}
// CHECK: open-string.ck:4:11: error: the string that starts here does not end on its line [open_string]
// CHECK: open-string.ck:6:12: error:
kernel other() { let a = "abc;
}
// CHECK: open-string.ck:10:26: error: the string that starts here does not end on its line [open_string]
