/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stats.c - the median of a sample, and its confidence interval.
 *
 * The ends of the interval are elements of the sample: how many of n values are below the true
 * median is binomially distributed, whatever the distribution of the values, so a few slow launches
 * change nothing (Hahn, Meeker: Statistical Intervals, section 5.2).
 */
#include <math.h>
#include <stdlib.h>

#include "test.h"

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void sort_doubles(double *values, size_t count)
{
  if (count) qsort(values, count, sizeof *values, compare);
}

Median median_of(const double *sorted, size_t count)
{
  if (!count) return (Median){0, 0, 0};
  double width = 1.96 * sqrt((double)count) / 2; /* 95 %, by the normal distribution */
  double low = floor((double)count / 2 - width), high = ceil((double)count / 2 + width);
  size_t first = low > 0 ? (size_t)low : 0;
  size_t last = high < (double)count ? (size_t)high : count - 1;
  double value = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
  return (Median){value, sorted[first], sorted[last]};
}
