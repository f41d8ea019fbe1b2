/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* toolkit.c - where the toolkit's parts are: named places, and what is said of a part that is not
 * there. */
#define _GNU_SOURCE /* setenv, mkdtemp */
#include "fixture.h"

TEST(parts_have_names)
{
  size_t count = 0;
  while (ck_toolkit_part(count)) ++count;
  CHECK(count == TOOLKIT_COUNT && !strcmp(ck_toolkit_part(0), "libNVVM"));
}

TEST(no_toolkit)
{
  const char *path, *place;
  setenv("CK_CUDA_HOME", "", 1);
  CHECK_STATUS(ck_toolkit_find("NVRTC", &path, &place), CK_NOT_FOUND);
  CHECK(!path && !place);
  CHECK_ERROR("NVRTC is not found. Looked at:\nCK_CUDA_HOME is empty");
  unsetenv("CK_CUDA_HOME");
}

TEST(named_folder)
{
  Arena arena = {0};
  char folder[] = "/tmp/ck-toolkit-XXXXXX";
  const char *path, *place;
  CHECK(mkdtemp(folder) != NULL);
  CHECK(file_make_folders(arena_printf(&arena, "%s/bin", folder)));
  CHECK(file_write(arena_printf(&arena, "%s/bin/ptxas", folder), "", 0));
  setenv("CK_CUDA_HOME", folder, 1);
  CHECK_OK(ck_toolkit_find("ptxas", &path, &place));
  CHECK(path && strstr(path, folder) == path && !strcmp(place, "CK_CUDA_HOME"));
  CHECK_OK(ck_toolkit_find("ptxas", &path, NULL));
  unsetenv("CK_CUDA_HOME");
  CHECK(system(arena_printf(&arena, "rm -r %s", folder)) == 0);
  arena_free(&arena);
}

/* A place is a line, also one that is a variable which is not set. */
TEST(every_place_is_named)
{
  static const char *const variables[] = {"VIRTUAL_ENV", "CK_SITE_PACKAGES", "CONDA_PREFIX",
                                          "CUDA_PATH", "CUDA_HOME"};
  Arena arena = {0};
  Buf why = BUF(&arena);
  const char *step;
  for (size_t i = 0; i < COUNT_OF(variables); ++i) unsetenv(variables[i]);
  toolkit_locate(TOOLKIT_ptxas, &arena, &why, &step);
  for (size_t i = 0; i < COUNT_OF(variables); ++i)
    CHECK(strstr(buf_text(&why), arena_printf(&arena, "%s: not set\n", variables[i])));
  arena_free(&arena);
}

TEST(no_such_part)
{
  const char *path;
  CHECK_STATUS(ck_toolkit_find("cuBLAS", &path, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("no part 'cuBLAS'");
  CHECK_STATUS(ck_toolkit_find(NULL, &path, NULL), CK_INVALID_ARGUMENT);
}

int main(void)
{
  RUN(parts_have_names);
  RUN(no_toolkit);
  RUN(named_folder);
  RUN(every_place_is_named);
  RUN(no_such_part);
  return tests_report();
}
