// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// moe.ck - the gate of a mixture of experts (Shazeer et al., Outrageously Large Neural Networks, 2017; softmax over the
// chosen experts, as in Jiang et al., Mixtral of Experts, 2024): the 8 of 64 experts with a token's greatest logits, and
// their softmax. A warp processes a token. Each lane has two logits, sorted. 8 times, the warp finds the
// greatest of all lanes' first logits; the lowest lane that has it notes the round, and moves its second logit
// forward. Finally each lane knows the positions of its experts among the 8, and writes them there.
// FOR: tokens in 1, 8, 59
// CALL: moe_gate(tokens=tokens, logits=rand:tokens x 64:5:-9..9)
// EXPECT: expert = sum(where(sum(logits[:, None, :] > logits[:, :, None], axis=2)[:, :, None] == arange(8), arange(64)[:, None], 0), axis=1)
// EXPECT: weight = exp(-sort(-logits)[:, :8]) / sum(exp(-sort(-logits)[:, :8]), axis=1, keepdims=True)
// TOLERANCE: 1e-5
// FOR: values in 1, 2, 7, 20
// NAME: of equal logits the one of the lower expert comes first
// CALL: moe_gate(tokens=100, logits=(arange(100)[:, None] * 7 + arange(64) * 37 + arange(64) ** 2) % values - 3)
// EXPECT: expert = sum(where(sum((logits[:, None, :] > logits[:, :, None]) | (logits[:, None, :] == logits[:, :, None]) & (arange(64) < arange(64)[:, None]), axis=2)[:, :, None] == arange(8), arange(64)[:, None], 0), axis=1)
// EXPECT: weight = exp(-sort(-logits)[:, :8]) / sum(exp(-sort(-logits)[:, :8]), axis=1, keepdims=True)
// TOLERANCE: 1e-5
// BENCH: moe_gate(tokens=2**20, logits=rand:2**20 x 64) bytes = 4 * 64 * tokens + 8 * 8 * tokens

const EXPERTS: u32 = 64;
const CHOSEN: u32 = 8;
const WARPS: u32 = 8;

// Maps floats to unsigned numbers above 0 of the same order, with -0 as 0; and back.
fn ordered(x: f32) -> u32
{
    let bits = bit_cast<u32>(x + 0);
    return bits ^ (bit_cast<i32>(bits) < 0 ? ~0u32 : 0x80000000);
}
fn float_of(key: u32) -> f32 = bit_cast<f32>(key ^ (bit_cast<i32>(key) < 0 ? 0x80000000 : ~0u32));

kernel moe_gate(tokens: u32, logits: in f32[tokens, EXPERTS], expert: out u32[tokens, CHOSEN], weight: out f32[tokens, CHOSEN])
    launch(block = 32 * WARPS, grid = ceil_div(tokens, WARPS))
{
    let token = block.id.x * WARPS + warp.rank;
    if (token >= tokens) return;
    let pair = logits.load<2>(token, 2 * warp.lane);
    let is_turned = pair.y > pair.x;
    let (greater, lesser) = is_turned ? (pair.y, pair.x) : (pair.x, pair.y);
    var (front, next) = (ordered(greater), ordered(lesser));
    var (first_round, last_round) = (CHOSEN, CHOSEN);   // in which one of this lane's logits was the greatest
    var best = 0u32;
    let lower_lanes = (1u32 << warp.lane) - 1;
    unroll for (round in 0..CHOSEN) {
        let greatest = warp.max(front);
        if (round == 0) best = greatest;
        let lanes = warp.ballot(front == greatest);
        if (front == greatest && (lanes & lower_lanes) == 0) {
            first_round = min(first_round, round);
            last_round = round;
            (front, next) = (next, 0);
        }
    }
    let of_greater = first_round < CHOSEN ? fast_exp(greater - float_of(best)) : 0;
    let of_lesser = last_round != first_round ? fast_exp(lesser - float_of(best)) : 0;
    let scale = fast_divide(1, warp.sum(of_greater + of_lesser));
    let at = 2 * warp.lane + u32(is_turned);
    if (first_round < CHOSEN) (expert[token, first_round], weight[token, first_round]) = (at, of_greater * scale);
    if (last_round != first_round) (expert[token, last_round], weight[token, last_round]) = (at ^ 1, of_lesser * scale);
}
