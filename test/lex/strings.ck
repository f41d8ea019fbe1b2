// A text is one token, escapes and all.
// RUN: %ckc %s --emit=tokens | FileCheck %s
"a b" "" "\"" "\\" "\x41\n" "é"
// CHECK: a text "a b"
// CHECK-NEXT: {{[0-9:]+}} a text ""
// CHECK-NEXT: {{[0-9:]+}} a text "\""
// CHECK-NEXT: {{[0-9:]+}} a text "\\"
// CHECK-NEXT: {{[0-9:]+}} a text "\x41\n"
// CHECK-NEXT: {{[0-9:]+}} a text "é"
