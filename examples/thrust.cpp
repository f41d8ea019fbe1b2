// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thrust.cpp - the programs of Thrust's quick start guide, in its words: vectors, sort, saxpy, norm,
// reductions, scans, reordering, and its iterators. Operations are text in CK instead of functors.
#include "ck/algorithm.hpp"

#include <cmath>
#include <cstdio>

static int wrong;

template <typename T>
static void expect(const char *what, const std::vector<T> &got, const std::vector<T> &want)
{
  if (got != want) ++wrong, std::printf("%s is wrong\n", what);
}
template <typename T> static void expect(const char *what, T got, T want)
{
  if (got != want) ++wrong, std::printf("%s is wrong: %g\n", what, static_cast<double>(got));
}

int main()
{
  try {
    // thrust::sort(d_vec.begin(), d_vec.end())
    ck::device_vector<int> x = {1, 0, 2, 2, 1, 3};
    ck::sort(x.begin(), x.end());
    expect("sort", x.host(), {0, 1, 1, 2, 2, 3});

    // thrust::sort_by_key(keys, keys + N, values)
    ck::device_vector<int> keys = {1, 4, 2, 8, 5, 7}, values = {'a', 'b', 'c', 'd', 'e', 'f'};
    ck::sort_by_key(keys.begin(), keys.end(), values.begin());
    expect("sort_by_key", values.host(), {'a', 'c', 'b', 'e', 'f', 'd'});
    ck::sort(keys.begin(), keys.end(), ck::greater());
    expect("greater", keys.host(), {8, 7, 5, 4, 2, 1});

    // saxpy: thrust::transform(X.begin(), X.end(), Y.begin(), Y.begin(), saxpy_functor(A))
    ck::device_vector<float> a = {1, 1, 1, 1}, b = {1, 2, 3, 4};
    ck::op saxpy = ck::op("|x, y| A * x + y").with("A", 2.0f);
    ck::transform(a.begin(), a.end(), b.begin(), b.begin(), saxpy);
    expect("saxpy", b.host(), {3, 4, 5, 6});

    // thrust::reduce, thrust::count, thrust::transform_reduce, thrust::inner_product
    expect("reduce", ck::reduce(x.begin(), x.end(), 0, ck::plus()), 9);
    expect("maximum", ck::reduce(x.begin(), x.end(), -1, ck::maximum()), 3);
    expect("count_if", ck::count_if(x.begin(), x.end(), "|v| v == 1"), std::uint64_t{2});
    ck::device_vector<float> v = {1, 2, 3, 4};
    float norm = std::sqrt(ck::transform_reduce(v.begin(), v.end(), "|x| x * x", 0.0f, ck::plus()));
    expect("norm", norm, std::sqrt(30.0f));
    expect("inner_product", ck::inner_product(v.begin(), v.end(), b.begin(), 0.0f), 50.0f);

    // thrust::inclusive_scan and exclusive_scan, in place
    ck::device_vector<int> data = {1, 0, 2, 2, 1, 3};
    ck::inclusive_scan(data.begin(), data.end(), data.begin());
    expect("inclusive_scan", data.host(), {1, 1, 3, 5, 6, 9});
    ck::device_vector<int> more = {1, 0, 2, 2, 1, 3};
    ck::exclusive_scan(more.begin(), more.end(), more.begin(), 0);
    expect("exclusive_scan", more.host(), {0, 1, 1, 3, 5, 6});

    // thrust::copy_if, thrust::unique_copy, thrust::reduce_by_key
    ck::device_vector<int> out(6), counts(6);
    ck::iterator end = ck::copy_if(x.begin(), x.end(), out.begin(), "|v| v % 2 == 1");
    expect("copy_if", end - out.begin(), std::uint64_t{3});
    end = ck::unique_copy(x.begin(), x.end(), out.begin());
    expect("unique_copy", end - out.begin(), std::uint64_t{4});
    ck::iterator ones = ck::make_constant_iterator(1);
    ck::reduce_by_key(x.begin(), x.end(), ones, out.begin(), counts.begin());
    expect("reduce_by_key", counts.host(), {1, 2, 2, 1, 0, 0});

    // thrust::make_counting_iterator, make_transform_iterator, make_permutation_iterator,
    // make_zip_iterator
    ck::iterator first = ck::make_counting_iterator(10);
    expect("counting_iterator", ck::reduce(first, first + 3, 0), 33);
    ck::device_vector<int> map = {3, 1, 0, 5}, source = {10, 20, 30, 40, 50, 60};
    ck::iterator moved = ck::make_permutation_iterator(source.begin(), map.begin());
    expect("permutation_iterator", ck::reduce(moved, moved + 4, 0), 130);
    ck::iterator zip = ck::make_zip_iterator(source.begin(), map.begin());
    ck::iterator sums = ck::make_transform_iterator(zip, "|p| p[0] * p[1]");
    expect("zip_iterator", ck::reduce(sums, sums + 4, 0), 250);
    std::printf("thrust: on %s: %s\n", ck_device_name(ck_stream_device(ck::stream())),
                wrong ? "WRONG" : "right");
  } catch (const ck::error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return wrong != 0;
}
