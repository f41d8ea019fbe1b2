# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch_test.py - tensors of PyTorch as arguments, and kernels as its custom operators, on the CPU; on a GPU
too if there is one. Exits with 77 without PyTorch.
"""
import sys
import unittest

try:
    import torch
except ImportError:
    print("PyTorch is not installed")
    sys.exit(77)

import cokernel as ck
import cokernel.torch  # noqa: F401

m = ck.compile("""
kernel softmax<T: float = f32>(rows: u32, n: u32, x: in T[rows, n], y: out T[rows, n]) launch(block = 128, grid = rows)
{
    let row = block.id.x;
    var m = -inf<f32>;
    for (i in block.stride(n)) m = max(m, f32(x[row, i]));
    m = block.reduce(m, max);
    var s = 0.0;
    for (i in block.stride(n)) s += exp(f32(x[row, i]) - m);
    s = block.reduce(s, +);
    for (i in block.stride(n)) y[row, i] = T(exp(f32(x[row, i]) - m) / s);
}
export softmax<f32>, softmax<bf16>;
kernel backward(rows: u32, n: u32, y: in f32[rows, n], dy: in f32[rows, n], dx: out f32[rows, n]) launch(block = 128, grid = rows)
{
    let row = block.id.x;
    var s = 0.0;
    for (i in block.stride(n)) s += y[row, i] * dy[row, i];
    s = block.reduce(s, +);
    for (i in block.stride(n)) dx[row, i] = y[row, i] * (dy[row, i] - s);
}
kernel add(n: u64, a: f32, x: in f32[n], y: inout f32[n]) launch(block = 256, grid = ceil_div(n, 256))
{ if (grid.thread_rank < n) y[grid.thread_rank] += a * x[grid.thread_rank]; }
kernel pair(n: u64, x: in f32[2 * n], even: out f32[n], odd: out f32[n]) launch(block = 256, grid = ceil_div(n, 256))
{ let i = grid.thread_rank; if (i < n) { even[i] = x[2 * i]; odd[i] = x[2 * i + 1]; } }
algorithm total(x: in f32[]) -> f32 = reduce(x, +, 0.0f32);
""")
softmax = ck.torch.operator("cokernel_test::softmax", m.softmax)
backward = ck.torch.operator("cokernel_test::backward", m.backward)
add = ck.torch.operator("cokernel_test::add", m.add)
pair = ck.torch.operator("cokernel_test::pair", m.pair)
total = ck.torch.operator("cokernel_test::total", m.total)
softmax.register_autograd(lambda ctx, dy: backward(ctx.saved_tensors[0], dy.contiguous()),
                          setup_context=lambda ctx, inputs, output: ctx.save_for_backward(output))
DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() and ck.device_count() else [])


class Torch(unittest.TestCase):
    def each(self):
        for device in DEVICES:
            with self.subTest(device=device):
                yield device

    def test_tensors(self):
        for device in self.each():
            x, y = torch.arange(8.0, device=device), torch.ones(8, device=device)
            m.add(a=2, x=x, y=y)
            self.assertTrue(torch.equal(y, 2 * x + 1))
            with self.assertRaisesRegex(ck.ArgumentError, "argument 3 'x': .* stride of 2"):
                m.add(a=2, x=torch.ones(16, device=device)[::2], y=y)
            with self.assertRaisesRegex(ck.ArgumentError, "got an array of float64"):
                m.add(a=2, x=x.double(), y=y)
            self.assertEqual(float(m.total(x=x)), 28)

    def test_bfloat(self):
        for device in self.each():
            x = torch.randn(4, 100, device=device)
            for dtype, near in ((torch.float32, 1e-5), (torch.bfloat16, 1e-2)):
                y = softmax(x.to(dtype))
                self.assertEqual(y.dtype, dtype)
                torch.testing.assert_close(y.float(), x.to(dtype).float().softmax(1), rtol=near,
                                           atol=near)

    def test_operators(self):
        for device in self.each():
            x, y = torch.arange(8.0, device=device), torch.ones(8, device=device)
            self.assertIsNone(add(2.0, x, y))
            self.assertTrue(torch.equal(y, 2 * x + 1))
            even, odd = pair(x)
            self.assertEqual((even.tolist(), odd.tolist()), ([0, 2, 4, 6], [1, 3, 5, 7]))
            self.assertEqual(total(x).item(), 28)
            self.assertTrue(torch.equal(torch.ops.cokernel_test.softmax(x[None]), softmax(x[None])))

    def test_autograd(self):
        for device in self.each():
            x = torch.randn(3, 50, device=device, requires_grad=True)
            weights = torch.randn(3, 50, device=device)
            (softmax(x) * weights).sum().backward()
            mine, x.grad = x.grad, None
            (x.softmax(1) * weights).sum().backward()
            torch.testing.assert_close(mine, x.grad)

    def test_opcheck(self):
        for device in self.each():
            for op, args in ((softmax, (torch.randn(3, 5, device=device),)),
                             (add, (2.0, torch.ones(4, device=device), torch.ones(4, device=device))),
                             (pair, (torch.ones(4, device=device),))):
                torch.library.opcheck(op, args)

    def test_compile(self):
        for device in self.each():
            torch._dynamo.reset()
            compiled = torch.compile(lambda x: softmax(2 * x) + 1, backend="aot_eager", fullgraph=True)
            for n in (7, 9, 11):
                x = torch.randn(3, n, device=device)
                torch.testing.assert_close(compiled(x), (2 * x).softmax(1) + 1)

    def test_cuda_graph(self):
        if "cuda" not in DEVICES:
            self.skipTest("no GPU")
        x, y = torch.ones(8, device="cuda"), torch.ones(8, device="cuda")
        m.add(a=1, x=x, y=y)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            m.add(a=1, x=x, y=y)
            z = softmax(y[None])
        graph.replay()
        graph.replay()
        torch.cuda.synchronize()
        self.assertEqual(y[0].item(), 4)
        self.assertAlmostEqual(z[0, 0].item(), 0.125)


if __name__ == "__main__":
    unittest.main()
