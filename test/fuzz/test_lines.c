/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_lines.c - any bytes as the test lines of a file: they are read or refused with a place. */
#include <string.h>

#include "test.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t bytes);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t bytes)
{
  Arena arena = {0};
  TestFile file;
  test_parse(&file, &arena, "fuzz.ck", (const char *)data, bytes);
  for (uint32_t i = 0; i < file.problems.count; ++i) {
    const TestProblem *problem = &file.problems.at[i];
    if (!problem->line || !problem->column || problem->column > strlen(problem->source) + 1)
      __builtin_trap();
  }
  arena_free(&arena);
  return 0;
}
