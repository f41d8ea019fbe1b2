#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""softmax_torch.py - a CK kernel as a custom operator of PyTorch, with its gradient, under torch.compile.

    softmax_torch.py       on the GPU, or on the CPU without one
"""
import os
import sys

import torch

for folder in ("../../build/python", "../../python"):
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import cokernel as ck  # noqa: E402
import cokernel.torch  # noqa: E402, F401

m = ck.compile("""
kernel softmax(rows: u32, n: u32, x: in f32[rows, n], y: out f32[rows, n]) launch(block = 256, grid = rows)
{
    let row = block.id.x;
    var m = -inf<f32>;
    for (i in block.stride(n)) m = max(m, x[row, i]);
    m = block.reduce(m, max);
    var s = 0.0;
    for (i in block.stride(n)) s += exp(x[row, i] - m);
    s = block.reduce(s, +);
    for (i in block.stride(n)) y[row, i] = exp(x[row, i] - m) / s;
}
// dx = y * (dy - the sum of y * dy in the row)
kernel gradient(rows: u32, n: u32, y: in f32[rows, n], dy: in f32[rows, n], dx: out f32[rows, n])
    launch(block = 256, grid = rows)
{
    let row = block.id.x;
    var s = 0.0;
    for (i in block.stride(n)) s += y[row, i] * dy[row, i];
    s = block.reduce(s, +);
    for (i in block.stride(n)) dx[row, i] = y[row, i] * (dy[row, i] - s);
}
""", name="softmax_torch.ck")

softmax = ck.torch.operator("example::softmax", m.softmax)
gradient = ck.torch.operator("example::softmax_gradient", m.gradient)
softmax.register_autograd(
    lambda ctx, dy: gradient(ctx.saved_tensors[0], dy.contiguous()),
    setup_context=lambda ctx, inputs, output: ctx.save_for_backward(output))


def main():
    device = "cuda" if torch.cuda.is_available() and ck.device_count() else "cpu"
    x = torch.randn(64, 1000, device=device, requires_grad=True)
    target = torch.randint(1000, (64,), device=device)

    def loss(x):
        return -softmax(x).log().gather(1, target[:, None]).mean()

    compiled = torch.compile(loss, backend="aot_eager", fullgraph=True)
    compiled(x).backward()
    mine, x.grad = x.grad, None
    want = torch.nn.functional.cross_entropy(x, target)
    want.backward()
    is_right = torch.allclose(compiled(x), want, atol=1e-5) and \
        torch.allclose(mine, x.grad, atol=1e-6)
    print(f"softmax and its gradient on {device}: {'right' if is_right else 'WRONG'}")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
