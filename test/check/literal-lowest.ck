// The lowest value of a type is a minus and a number that does not fit alone.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const A = -128i8;
const B = - -128i8;
const C = 128i8;
const D = -127i8;
// CHECK:      :5:11: error: 128 does not fit in 'i8' [constant_range]
// CHECK-NOT: error:
