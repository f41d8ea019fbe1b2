/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/args.h - the macros behind ck_launch() in C: they apply ck_arg() to each of up to 32
 * arguments.
 *
 * C has no variadic templates, so ck_launch(stream, config, kernel, a, b) counts its arguments and
 * picks the macro for that count. The argument list starts with the kernel so that it is never
 * empty, which C11 would not allow. For k, a, b:
 *
 *   CK_COUNT_(k, a, b)  is  2
 *   CK_ARGS_(k, a, b)   is  ck_whole(NULL), ck_arg(a), ck_arg(b)
 *
 * The first element only stands for the kernel; ck_launch passes the array from its second element
 * on.
 */
#ifndef CK_ARGS_H
#define CK_ARGS_H

/* clang-format off */
#define CK_FIRST_(kernel, ...) kernel
#define CK_PICK_(k, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17,    \
    a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, picked, ...)        \
    picked
#define CK_COUNT_(...) CK_PICK_(__VA_ARGS__, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20,   \
    19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0)
#define CK_ARGS_(...) CK_PICK_(__VA_ARGS__, CK_ARGS_32_, CK_ARGS_31_, CK_ARGS_30_, CK_ARGS_29_,    \
    CK_ARGS_28_, CK_ARGS_27_, CK_ARGS_26_, CK_ARGS_25_, CK_ARGS_24_, CK_ARGS_23_, CK_ARGS_22_,     \
    CK_ARGS_21_, CK_ARGS_20_, CK_ARGS_19_, CK_ARGS_18_, CK_ARGS_17_, CK_ARGS_16_, CK_ARGS_15_,     \
    CK_ARGS_14_, CK_ARGS_13_, CK_ARGS_12_, CK_ARGS_11_, CK_ARGS_10_, CK_ARGS_9_, CK_ARGS_8_,       \
    CK_ARGS_7_, CK_ARGS_6_, CK_ARGS_5_, CK_ARGS_4_, CK_ARGS_3_, CK_ARGS_2_, CK_ARGS_1_,            \
    CK_ARGS_0_, 0)(__VA_ARGS__)

#define CK_ARGS_0_(k)       ck_whole(NULL)
#define CK_ARGS_1_(k, a)    ck_whole(NULL), ck_arg(a)
#define CK_ARGS_2_(k, ...)  ck_whole(NULL), CK_MAP_2_(__VA_ARGS__)
#define CK_ARGS_3_(k, ...)  ck_whole(NULL), CK_MAP_3_(__VA_ARGS__)
#define CK_ARGS_4_(k, ...)  ck_whole(NULL), CK_MAP_4_(__VA_ARGS__)
#define CK_ARGS_5_(k, ...)  ck_whole(NULL), CK_MAP_5_(__VA_ARGS__)
#define CK_ARGS_6_(k, ...)  ck_whole(NULL), CK_MAP_6_(__VA_ARGS__)
#define CK_ARGS_7_(k, ...)  ck_whole(NULL), CK_MAP_7_(__VA_ARGS__)
#define CK_ARGS_8_(k, ...)  ck_whole(NULL), CK_MAP_8_(__VA_ARGS__)
#define CK_ARGS_9_(k, ...)  ck_whole(NULL), CK_MAP_9_(__VA_ARGS__)
#define CK_ARGS_10_(k, ...) ck_whole(NULL), CK_MAP_10_(__VA_ARGS__)
#define CK_ARGS_11_(k, ...) ck_whole(NULL), CK_MAP_11_(__VA_ARGS__)
#define CK_ARGS_12_(k, ...) ck_whole(NULL), CK_MAP_12_(__VA_ARGS__)
#define CK_ARGS_13_(k, ...) ck_whole(NULL), CK_MAP_13_(__VA_ARGS__)
#define CK_ARGS_14_(k, ...) ck_whole(NULL), CK_MAP_14_(__VA_ARGS__)
#define CK_ARGS_15_(k, ...) ck_whole(NULL), CK_MAP_15_(__VA_ARGS__)
#define CK_ARGS_16_(k, ...) ck_whole(NULL), CK_MAP_16_(__VA_ARGS__)
#define CK_ARGS_17_(k, ...) ck_whole(NULL), CK_MAP_17_(__VA_ARGS__)
#define CK_ARGS_18_(k, ...) ck_whole(NULL), CK_MAP_18_(__VA_ARGS__)
#define CK_ARGS_19_(k, ...) ck_whole(NULL), CK_MAP_19_(__VA_ARGS__)
#define CK_ARGS_20_(k, ...) ck_whole(NULL), CK_MAP_20_(__VA_ARGS__)
#define CK_ARGS_21_(k, ...) ck_whole(NULL), CK_MAP_21_(__VA_ARGS__)
#define CK_ARGS_22_(k, ...) ck_whole(NULL), CK_MAP_22_(__VA_ARGS__)
#define CK_ARGS_23_(k, ...) ck_whole(NULL), CK_MAP_23_(__VA_ARGS__)
#define CK_ARGS_24_(k, ...) ck_whole(NULL), CK_MAP_24_(__VA_ARGS__)
#define CK_ARGS_25_(k, ...) ck_whole(NULL), CK_MAP_25_(__VA_ARGS__)
#define CK_ARGS_26_(k, ...) ck_whole(NULL), CK_MAP_26_(__VA_ARGS__)
#define CK_ARGS_27_(k, ...) ck_whole(NULL), CK_MAP_27_(__VA_ARGS__)
#define CK_ARGS_28_(k, ...) ck_whole(NULL), CK_MAP_28_(__VA_ARGS__)
#define CK_ARGS_29_(k, ...) ck_whole(NULL), CK_MAP_29_(__VA_ARGS__)
#define CK_ARGS_30_(k, ...) ck_whole(NULL), CK_MAP_30_(__VA_ARGS__)
#define CK_ARGS_31_(k, ...) ck_whole(NULL), CK_MAP_31_(__VA_ARGS__)
#define CK_ARGS_32_(k, ...) ck_whole(NULL), CK_MAP_32_(__VA_ARGS__)

#define CK_MAP_1_(a)        ck_arg(a)
#define CK_MAP_2_(a, ...)  ck_arg(a), CK_MAP_1_(__VA_ARGS__)
#define CK_MAP_3_(a, ...)  ck_arg(a), CK_MAP_2_(__VA_ARGS__)
#define CK_MAP_4_(a, ...)  ck_arg(a), CK_MAP_3_(__VA_ARGS__)
#define CK_MAP_5_(a, ...)  ck_arg(a), CK_MAP_4_(__VA_ARGS__)
#define CK_MAP_6_(a, ...)  ck_arg(a), CK_MAP_5_(__VA_ARGS__)
#define CK_MAP_7_(a, ...)  ck_arg(a), CK_MAP_6_(__VA_ARGS__)
#define CK_MAP_8_(a, ...)  ck_arg(a), CK_MAP_7_(__VA_ARGS__)
#define CK_MAP_9_(a, ...)  ck_arg(a), CK_MAP_8_(__VA_ARGS__)
#define CK_MAP_10_(a, ...) ck_arg(a), CK_MAP_9_(__VA_ARGS__)
#define CK_MAP_11_(a, ...) ck_arg(a), CK_MAP_10_(__VA_ARGS__)
#define CK_MAP_12_(a, ...) ck_arg(a), CK_MAP_11_(__VA_ARGS__)
#define CK_MAP_13_(a, ...) ck_arg(a), CK_MAP_12_(__VA_ARGS__)
#define CK_MAP_14_(a, ...) ck_arg(a), CK_MAP_13_(__VA_ARGS__)
#define CK_MAP_15_(a, ...) ck_arg(a), CK_MAP_14_(__VA_ARGS__)
#define CK_MAP_16_(a, ...) ck_arg(a), CK_MAP_15_(__VA_ARGS__)
#define CK_MAP_17_(a, ...) ck_arg(a), CK_MAP_16_(__VA_ARGS__)
#define CK_MAP_18_(a, ...) ck_arg(a), CK_MAP_17_(__VA_ARGS__)
#define CK_MAP_19_(a, ...) ck_arg(a), CK_MAP_18_(__VA_ARGS__)
#define CK_MAP_20_(a, ...) ck_arg(a), CK_MAP_19_(__VA_ARGS__)
#define CK_MAP_21_(a, ...) ck_arg(a), CK_MAP_20_(__VA_ARGS__)
#define CK_MAP_22_(a, ...) ck_arg(a), CK_MAP_21_(__VA_ARGS__)
#define CK_MAP_23_(a, ...) ck_arg(a), CK_MAP_22_(__VA_ARGS__)
#define CK_MAP_24_(a, ...) ck_arg(a), CK_MAP_23_(__VA_ARGS__)
#define CK_MAP_25_(a, ...) ck_arg(a), CK_MAP_24_(__VA_ARGS__)
#define CK_MAP_26_(a, ...) ck_arg(a), CK_MAP_25_(__VA_ARGS__)
#define CK_MAP_27_(a, ...) ck_arg(a), CK_MAP_26_(__VA_ARGS__)
#define CK_MAP_28_(a, ...) ck_arg(a), CK_MAP_27_(__VA_ARGS__)
#define CK_MAP_29_(a, ...) ck_arg(a), CK_MAP_28_(__VA_ARGS__)
#define CK_MAP_30_(a, ...) ck_arg(a), CK_MAP_29_(__VA_ARGS__)
#define CK_MAP_31_(a, ...) ck_arg(a), CK_MAP_30_(__VA_ARGS__)
#define CK_MAP_32_(a, ...) ck_arg(a), CK_MAP_31_(__VA_ARGS__)
/* clang-format on */
#endif
