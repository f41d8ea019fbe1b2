// A word in front of the name of scratch memory is one of two.
// RUN: not %ckc %s --stop-after=parse 2>&1 | FileCheck %s
algorithm q() { scratch often t: u64[4]; }
// CHECK: [[@LINE-1]]:25: error: scratch memory can be 'persistent' or 'result', not 'often' [scratch_word]
