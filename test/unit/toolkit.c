/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* toolkit.c - tests that the parts of the CUDA toolkit are found in every layout in which NVIDIA
 * ships it.
 *
 * It creates trees of empty files in a temporary folder and sets the environment variables of the
 * search to them.
 */
#include "base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#undef NDEBUG /* release builds check too */
#include <assert.h>

static Arena arena;

static void make(const char *root, const char *const *files)
{
  for (; *files; ++files) {
    char *path = arena_printf(&arena, "%s/%s", root, *files), *slash = strrchr(path, '/');
    *slash = 0;
    assert(file_make_folders(path));
    *slash = '/';
    assert(file_write(path, "", 0));
  }
}

/* Checks that every part is found below `root` if only `variable` is set, to `value`. */
static void all_found(const char *layout, const char *variable, const char *value, const char *root)
{
  static const char *const variables[] = {"CK_CUDA_HOME", "CK_SITE_PACKAGES", "VIRTUAL_ENV",
                                          "CONDA_PREFIX", "CUDA_PATH",        "CUDA_HOME"};
  for (size_t i = 0; i < COUNT_OF(variables); ++i) unsetenv(variables[i]);
  setenv(variable, value, 1);
  for (int part = 0; part < TOOLKIT_COUNT; ++part) {
    Buf why = BUF(&arena);
    const char *path = toolkit_find((ToolkitPart)part, &arena, &why);
    if (!path || strncmp(path, root, strlen(root)) != 0) {
      fprintf(stderr, "%s: %s: found %s, not below %s\n%s", layout,
              toolkit_part_name((ToolkitPart)part), path ? path : "nothing", root, buf_text(&why));
      exit(1);
    }
  }
}

/* Of a version, behind a comment of so many bytes. */
static void put_header_behind(const char *root, int version, int bytes)
{
  const char *files[] = {"bin/ptxas", "include/cuda.h", NULL};
  char *text = arena_printf(&arena, "/*%*s*/\n#define CUDA_VERSION %d\n", bytes, "", version);
  make(root, files);
  assert(file_write(arena_printf(&arena, "%s/include/cuda.h", root), text, strlen(text)));
}

static void put_header(const char *root, int version)
{
  put_header_behind(root, version, 0);
}

/* The version of a header is found wherever it is; the first 32 KB, which are read first, may end
 * in its line. */
static void long_headers(const char *folder)
{
  ToolkitVersion version;
  for (int bytes = 32700; bytes < 32800; ++bytes) {
    char *root = arena_printf(&arena, "%s/long%d", folder, bytes);
    put_header_behind(root, 13000, bytes);
    assert(toolkit_version(arena_printf(&arena, "%s/bin/ptxas", root), &arena, &version));
    assert(version.number == 13000);
  }
}

/* The characters of a glob pattern in a folder's name are taken literally, and a folder does not
 * count as a file. */
static void odd_folders(const char *folder)
{
  ToolkitVersion version;
  char *odd = arena_printf(&arena, "%s/tk[12]", folder);
  put_header(odd, 12090);
  put_header(arena_printf(&arena, "%s/tk1", folder), 11080);
  assert(toolkit_version(arena_printf(&arena, "%s/bin/ptxas", odd), &arena, &version));
  assert(version.number == 12090);
  assert(file_make_folders(arena_printf(&arena, "%s/empty/bin/ptxas", folder)));
  setenv("CK_CUDA_HOME", arena_printf(&arena, "%s/empty", folder), 1);
  const char *path = toolkit_find(TOOLKIT_ptxas, &arena, NULL);
  assert(!path || !strstr(path, "/empty/"));
}

int main(void)
{
  static const char *const toolkit[] = {"nvvm/lib64/libnvvm.so.4",
                                        "nvvm/libdevice/libdevice.10.bc",
                                        "lib64/libnvJitLink.so.13",
                                        "lib64/libnvrtc.so.13",
                                        "bin/ptxas",
                                        "include/cuda_fp16.h",
                                        "lib64/libcudadevrt.a",
                                        NULL};
  static const char *const conda[] = {"nvvm/lib64/libnvvm.so.4",
                                      "nvvm/libdevice/libdevice.10.bc",
                                      "lib/libnvJitLink.so.13",
                                      "lib/libnvrtc.so.12",
                                      "bin/ptxas",
                                      "include/cuda_fp16.h",
                                      "lib/libcudadevrt.a",
                                      NULL};
  static const char *const cu13[] = {"nvidia/cu13/lib/libnvvm.so.4",
                                     "nvidia/cu13/nvvm/libdevice/libdevice.10.bc",
                                     "nvidia/cu13/lib/libnvJitLink.so.13",
                                     "nvidia/cu13/lib/libnvrtc.so.13",
                                     "nvidia/cu13/bin/ptxas",
                                     "nvidia/cu13/include/cuda_fp16.h",
                                     "nvidia/cu13/lib/libcudadevrt.a",
                                     NULL};
  static const char *const cu12[] = {"nvidia/cuda_nvcc/nvvm/lib64/libnvvm.so.4",
                                     "nvidia/cuda_nvcc/nvvm/libdevice/libdevice.10.bc",
                                     "nvidia/nvjitlink/lib/libnvJitLink.so.12",
                                     "nvidia/cuda_nvrtc/lib/libnvrtc.so.12",
                                     "nvidia/cuda_nvcc/bin/ptxas",
                                     "nvidia/cuda_runtime/include/cuda_fp16.h",
                                     "nvidia/cuda_runtime/lib/libcudadevrt.a",
                                     NULL};
  static const struct {
    const char *layout, *variable, *below;
    const char *const *files;
  } trees[] = {
      {"a toolkit, named for us alone", "CK_CUDA_HOME", "", toolkit},
      {"wheels of CUDA 13", "CK_SITE_PACKAGES", "", cu13},
      {"wheels of CUDA 12", "CK_SITE_PACKAGES", "", cu12},
      {"a virtual environment", "VIRTUAL_ENV", "lib/python3.11/site-packages/", cu13},
      {"a conda environment", "CONDA_PREFIX", "", conda},
  };

  char folder[] = "/tmp/ck-toolkit-XXXXXX";
  assert(mkdtemp(folder));
  for (size_t i = 0; i < COUNT_OF(trees); ++i) {
    char *value = arena_printf(&arena, "%s/%zu", folder, i);
    char *root = arena_printf(&arena, "%s/%s", value, trees[i].below);
    make(root, trees[i].files);
    all_found(trees[i].layout, trees[i].variable, value, root);
  }

  /* After the conda environment in the order of the search. */
  setenv("CUDA_HOME", arena_printf(&arena, "%s/0", folder), 1);
  const char *step, *path = toolkit_locate(TOOLKIT_ptxas, &arena, NULL, &step);
  assert(path && !strcmp(step, "CONDA_PREFIX"));
  unsetenv("CONDA_PREFIX");
  path = toolkit_locate(TOOLKIT_ptxas, &arena, NULL, &step);
  assert(path && !strcmp(step, "CUDA_HOME"));

  setenv("CK_CUDA_HOME", "", 1); /* like a machine without a toolkit */
  for (int part = 0; part < TOOLKIT_COUNT; ++part)
    assert(!toolkit_find((ToolkitPart)part, &arena, NULL));

  odd_folders(folder);
  long_headers(folder);
  char *clean = arena_printf(&arena, "rm -rf %s", folder);
  int status = system(clean);
  arena_free(&arena);
  return status != 0;
}
