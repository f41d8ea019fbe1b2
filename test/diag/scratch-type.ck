// Scratch memory is an array.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k() { scratch t: f32; scratch s: f32[]; }
// CHECK: [[@LINE-1]]:25: error: scratch memory is an array: scratch t: T[n]; [scratch_type]
// CHECK: [[@LINE-2]]:41: error: scratch memory is an array: scratch s: T[n]; [scratch_type]
