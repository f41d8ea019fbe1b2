// `type` is a word of the language before a name and `=`, and a constraint elsewhere.
// RUN: %ckc %s --dump=parse --stop-after=parse | FileCheck %s
type Key = u32[4];
enum Mode: u8 { a, b = 4, }
fn f<T: type>(type: u32) {}
// CHECK:      alias Key
// CHECK-NEXT:   index
// CHECK:      enumeration Mode
// CHECK-NEXT:   a name u8
// CHECK-NEXT:   enumerator a
// CHECK-NEXT:   enumerator b
// CHECK-NEXT:     a int 4
// CHECK:      type_param T
// CHECK:      param type
