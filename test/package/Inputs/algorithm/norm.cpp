// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// norm.cpp - a sum of squares on the device, in the words of Thrust.
#include <cstdio>

#include <ck/algorithm.hpp>

int main()
{
  ck::device_vector<float> x = {1, 2, 3, 4};
  std::printf("%g\n", ck::transform_reduce(x.begin(), x.end(), "|v| v * v", 0.0f, ck::plus()));
}
