// RUN: %run-test %s
// A sum with determinism = gpu_to_gpu has the same bits on every device, wherever the elements lie and
// whatever they are made of; the numbers below are those of the host.
algorithm bits(n: u64, x: in f32[n]) -> u32 = bit_cast<u32>(reduce(x, +, 0.0, determinism = gpu_to_gpu));
algorithm bits64(n: u64, x: in f64[n]) -> u64 =
    bit_cast<u64>(reduce(x, |a, b| a + b, 0.5, determinism = gpu_to_gpu)) >> 12;
algorithm later(n: u64, x: in f32[n + 1]) -> u32 =
    bit_cast<u32>(reduce(x[1..n + 1], +, 0.0, determinism = gpu_to_gpu));
algorithm squares(n: u64, x: in f32[n]) -> u32 =
    bit_cast<u32>(reduce(x.map(|v| v * v), +, 0.0, determinism = gpu_to_gpu));
algorithm some(n: u64, x: in f32[n], y: out f32[n]) -> u32 {
    let k = select(x, |v| v > 0, y);
    return bit_cast<u32>(reduce(y.take(k), +, 0.0, determinism = gpu_to_gpu));
}
algorithm least(n: u64, x: in i32[n]) -> i32 = reduce(x, min, 9, determinism = gpu_to_gpu);
algorithm any(n: u64, x: in f32[n]) -> f32 = reduce(x, +, 0.0, determinism = not_guaranteed);
// FOR: n in 0, 5, 8193, 300000
// CALL: bits(x=rand:n)
// EXPECT: result = 0 if n == 0 else [1062001180, 1094861490, 1119549659][(n > 5) * 1 + (n > 8193)]
// FOR: n in 5, 8193, 300000
// CALL: later(n=n, x=rand:n+1)
// EXPECT: result = [1073619740, 1094618448, 1119643898][(n > 5) * 1 + (n > 8193)]
// FOR: n in 1, 8193, 300000
// CALL: squares(x=rand:n)
// EXPECT: result = [1052169884, 1160510232, 1203968082][(n > 1) * 1 + (n > 8193)]
// FOR: n in 2048, 8193, 300000
// CALL: bits64(x=rand:n)
// EXPECT: result = [1126359674748893, 1128736891387713, 1131912927546290][(n > 2048) * 1 + (n > 8193)]
// FOR: n in 5, 20000, 600000
// CALL: some(x=rand:n)
// EXPECT: result = [1070050161, 1167930442, 1209182531][(n > 5) * 1 + (n > 20000)]
// FOR: n in 1, 300000
// CALL: least(x=rand:n)
// EXPECT: result = min(9, min(x))
// FOR: n in 0, 100
// CALL: any(x=rand:n:1:0..9)
// EXPECT: result = sum(x)
