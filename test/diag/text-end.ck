// What is printed has no '\0': the driver would end there.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32) launch(block = 1, grid = 1)
{
    print("a\0b {}", n);
    assert(n > 0, "a\0b");
    static_assert(true, "a\0b");
}
// CHECK: text-end.ck:[[#@LINE-4]]:11: error: a '\0' is where a text ends for 'print' [text_end]
// CHECK: text-end.ck:[[#@LINE-4]]:19: error: a '\0' is where a text ends for 'assert' [text_end]
// CHECK-NOT: error:
