// Where '//' was meant as a division, as in Python, no fix makes a comment of it, wherever it stands.
// RUN: split-file %s %t
// RUN: not %ckc %t/assign.ck --stop-after=check 2>&1 | FileCheck %s --check-prefix=ASSIGN --implicit-check-not=fix:
// RUN: not %ckc %t/block.ck --stop-after=check 2>&1 | FileCheck %s --check-prefix=BLOCK --implicit-check-not=fix:
// RUN: not %ckc %t/call.ck --stop-after=check 2>&1 | FileCheck %s --check-prefix=CALL --implicit-check-not=fix:
// RUN: not %ckc %t/index.ck --stop-after=check 2>&1 | FileCheck %s --check-prefix=INDEX --implicit-check-not=fix:
// RUN: not %ckc %t/comment.ck --stop-after=check 2>&1 | FileCheck %s --check-prefix=COMMENT --implicit-check-not=hint:
//--- assign.ck
kernel k(z: inout i32[4]) {
    z[0] //= 2;
}
// ASSIGN: :2:9: error: expected ';'
// ASSIGN: hint: '//' starts a comment; integers are divided by '/', towards zero.
//--- block.ck
kernel k(z: inout i32[4]) { if (z[0] > 1) { z[1] = z[0] // 2; }
}
// BLOCK: :1:56: error: expected ';'
// BLOCK: hint: '//' starts a comment; integers
//--- call.ck
kernel k(z: inout i32[4]) {
    z[1] = max(z[0] // 2, 3);
    z[2] = 3;
}
// CALL: error: expected ')' or an operator before 'z'
// CALL: hint: '//' starts a comment; integers
//--- index.ck
kernel k(z: inout i32[4]) {
    z[1] = z[z[0] // 2];
    z[2] = 3;
}
// INDEX: error: expected ']' or an operator before 'z'
// INDEX: hint: '//' starts a comment; integers
//--- comment.ck
kernel k(z: inout i32[4]) {
    z[2] = 1 // twice (as above (1);)
    z[3] = max(1, // the first
               2);
}
// COMMENT: :2:13: error: expected ';'
// COMMENT: fix: write ';' here
