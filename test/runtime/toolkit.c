/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* toolkit.c - where the toolkit's parts are: named places, their order, and what is said of a part
 * that is not there; what cuda.pathfinder's tests ask of it. */
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

static void make_file(Arena *arena, const char *root, const char *path)
{
  char *file = arena_printf(arena, "%s/%s", root, path), *slash = strrchr(file, '/');
  *slash = 0;
  CHECK(file_make_folders(file));
  *slash = '/';
  CHECK(file_write(file, "", 0));
}

static const char *const variables[] = {"CK_CUDA_HOME", "VIRTUAL_ENV", "CK_SITE_PACKAGES",
                                        "CONDA_PREFIX", "CUDA_PATH",   "CUDA_HOME"};

/* Files of each kind, in a toolkit's folders and in those of wheels. */
TEST(each_part_is_found)
{
  static const char *const parts[][3] = {
      {"libNVVM", "nvvm/lib64/libnvvm.so.4", "nvidia/cu13/lib/libnvvm.so.4"},
      {"libdevice", "nvvm/libdevice/libdevice.10.bc", "nvidia/cu13/nvvm/libdevice/libdevice.10.bc"},
      {"nvJitLink", "lib64/libnvJitLink.so.13", "nvidia/nvjitlink/lib/libnvJitLink.so.12"},
      {"NVRTC", "lib64/libnvrtc.so.13", "nvidia/cu13/lib/libnvrtc.so.13"},
      {"ptxas", "bin/ptxas", "nvidia/cuda_nvcc/bin/ptxas"},
      {"headers", "include/cuda_fp16.h", "nvidia/cuda_runtime/include/cuda_fp16.h"},
      {"cudadevrt", "lib64/libcudadevrt.a", "nvidia/cu13/lib/libcudadevrt.a"},
  };
  Arena arena = {0};
  const char *folder = use_private_cache(), *path, *place;
  CHECK(COUNT_OF(parts) == TOOLKIT_COUNT);
  for (size_t i = 0; i < COUNT_OF(variables); ++i) unsetenv(variables[i]);
  for (size_t i = 0; i < COUNT_OF(parts); ++i)
    for (int k = 1; k <= 2; ++k) {
      const char *variable = k == 1 ? "CK_CUDA_HOME" : "CK_SITE_PACKAGES";
      const char *root = arena_printf(&arena, "%s/%d", folder, k);
      make_file(&arena, root, parts[i][k]);
      setenv(variable, root, 1);
      CHECK_OK(ck_toolkit_find(parts[i][0], &path, &place));
      if (!path || !place) continue;
      CHECK(!strcmp(path, arena_printf(&arena, "%s/%s", root, parts[i][k])));
      CHECK(strstr(place, variable) != NULL);
      unsetenv(variable);
    }
  arena_free(&arena);
}

/* The first place that has the part is it; a variable that names a folder without it is passed by.
 */
TEST(search_steps)
{
  static const char *const files[] = {"bin/ptxas",
                                      "lib/python3.11/site-packages/nvidia/cu13/bin/ptxas",
                                      "nvidia/cu13/bin/ptxas",
                                      "bin/ptxas",
                                      "bin/ptxas",
                                      "bin/ptxas"};
  Arena arena = {0};
  const char *folder = use_private_cache(), *path, *place;
  for (size_t i = 0; i < COUNT_OF(variables); ++i) {
    const char *root = arena_printf(&arena, "%s/%zu", folder, i);
    make_file(&arena, root, files[i]);
    setenv(variables[i], root, 1);
  }
  for (size_t i = 0; i < COUNT_OF(variables); ++i) {
    CHECK_OK(ck_toolkit_find("ptxas", &path, &place));
    CHECK(place && strstr(place, variables[i]));
    if (i) setenv(variables[i], "/no/such/folder", 1);
    else unsetenv(variables[i]); /* what it names is all that is looked at */
  }
  for (size_t i = 0; i < COUNT_OF(variables); ++i) unsetenv(variables[i]);
  arena_free(&arena);
}

/* A place is a line, also one that is a variable which is not set. */
TEST(every_place_is_named)
{
  Arena arena = {0};
  Buf why = BUF(&arena);
  const char *step;
  for (size_t i = 0; i < COUNT_OF(variables); ++i) unsetenv(variables[i]);
  toolkit_locate(TOOLKIT_ptxas, &arena, &why, &step);
  for (size_t i = 1; i < COUNT_OF(variables); ++i)
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
  RUN(each_part_is_found);
  RUN(search_steps);
  RUN(every_place_is_named);
  RUN(no_such_part);
  return tests_report();
}
