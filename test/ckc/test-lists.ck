// Lists in EXPECT lines are made by loops and conditions, joined and repeated, as Python makes them.
// RUN: %ckc test --device=host %s | FileCheck %s
// CHECK: {{^}}16 passed, 0 failed{{$}}
kernel k<const N: u32>(x: in i64[N], y: out i64[N]) launch(block = 32, grid = 1)
{
    if (thread.x < N) y[thread.x] = x[thread.x];
}
// CALL: k<4>(x=[0, 1, 4, 9])
// EXPECT: y = [i * i for i in range(4)]
// CALL: k<6>(x=[0, 1, 2, 0, 1, 2])
// EXPECT: y = [i for i in range(3)] * 2
// CALL: k<3>(x=[0, 0, 2])
// EXPECT: y = [i * j for i in range(3) if i for j in range(i)]
// CALL: k<3>(x=[0, 0, 3])
// EXPECT: y = [sum(j for j in range(i)) if i > 1 else 0 for i in [0, 1, 3]]
// CALL: k<5>(x=[1, 2, 7, 7, 7])
// EXPECT: y = [1, 2] + [7] * 3
// CALL: k<5>(x=[3, 1, 2, 3, 4])
// EXPECT: y = [3, *arange(1, 5)]
// CALL: k<5>(x=[1, 5, 9, 0, 2])
// EXPECT: y = concatenate([np.sort(x[i:i + 3]) for i in range(0, 5, 3)])
// CALL: k<4>(x=[10, 20, 30, 40])
// EXPECT: y = [x[9 * i] if -1 < i < 1 else 10 * (i + 1) for i in range(4)]
// CALL: k<2>(x=[2, 4])
// EXPECT: y = array([1, 2]) * 2
// CALL: k<2>(x=[-2, 12])
// EXPECT: y = [a - b for a, b in [[1, 3], [20, 8]]]
// CALL: k<4>(x=[3, 0, 2, 1])
// EXPECT: y = argsort([5, 9, 7, 1], kind='stable')
// CALL: k<3>(x=[5, 0, 1])
// EXPECT: y = [0 or 5, 5 and 0, not 0]
// CALL: k<3>(x=[0x7fffffffffffffff, 1, 3552074529])
// EXPECT: y = [(2**64 - 1) // 2, (2**64 - 1) % 2, pow(3, 1000, 2**32)]
// CALL: k<2>(x=[0x7ffffffffffffff0, -1])
// EXPECT: y = [0xfffffffffffffff0 & 2**63 - 1, ~0 | 5]
// CALL: k<3>(x=[8, 5, 2])
// EXPECT: y = range(8, 0, -3)
// CALL: k<4>(x=[5, 6, 6, 7])
// EXPECT: y = [[a + b for b in range(2)] for a in [5, 6]]
