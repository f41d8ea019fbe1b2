/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* toolkit.c - tests the search for parts of the toolkit: places, their order, and messages for
 * missing parts; cuda.pathfinder's tests in C. */
#define _GNU_SOURCE /* setenv, mkdtemp */
#include <unistd.h>

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

/* The first place with the part is used; a variable that names a folder without it is skipped. */
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
    else unsetenv(variables[i]); /* it would be the only place that is searched */
  }
  for (size_t i = 0; i < COUNT_OF(variables); ++i) unsetenv(variables[i]);
  arena_free(&arena);
}

/* The message has a line for each place, also for a variable that is not set. */
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

/* which toolkit ------------------------------------------------------------------------------- */

static void write_text(Arena *arena, const char *root, const char *path, const char *text)
{
  make_file(arena, root, path);
  CHECK(file_write(arena_printf(arena, "%s/%s", root, path), text, strlen(text)));
}

static void write_header(Arena *arena, const char *root, const char *path, int version)
{
  write_text(arena, root, path,
             arena_printf(arena, "#ifndef CUDA_H\n  #  define CUDA_VERSION %d /* here */\n#endif\n",
                          version));
}

static void forget_places(void)
{
  for (size_t i = 0; i < COUNT_OF(variables); ++i) unsetenv(variables[i]);
}

TEST(cuda_header_version)
{
  static const struct {
    const char *text;
    int version;
  } rows[] = {
      {"#define CUDA_VERSION 13020", 13020},
      {"#ifndef CUDA_H\n#define CUDA_H\n    #define CUDA_VERSION 12090 /* 12.9 */\n#endif\n",
       12090},
      {"\xff\xfe no text\n\t# \tdefine CUDA_VERSION\t12080\n", 12080},
      {"#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1\n", 0},
      {"/* #define CUDA_VERSION 13020 */\n", 0},
      {"#define CUDA_VERSION_NEXT 13020\n", 0},
      {"#define CUDA_VERSION 13.2\n", 0},
      {"#define CUDA_VERSION -1\n", 0},
      {"#define CUDA_VERSION 99999999999999999999\n", 0},
      {"#define CUDA_VERSION", 0},
      {"", 0},
  };
  for (size_t i = 0; i < COUNT_OF(rows); ++i)
    if (!CHECK(toolkit_header_version(rows[i].text) == rows[i].version)) printf("row %zu\n", i);
}

/* The version of a toolkit is in version.json, or in its headers if they agree. */
TEST(version_of_a_root)
{
  Arena arena = {0};
  const char *folder = use_private_cache(), *root = arena_printf(&arena, "%s/cuda", folder);
  const char *path = arena_printf(&arena, "%s/nvvm/lib64/libnvvm.so.4", root);
  ToolkitVersion version;
  make_file(&arena, root, "nvvm/lib64/libnvvm.so.4");
  CHECK(!toolkit_version(path, &arena, &version) && !version.number && !version.source);
  write_header(&arena, root, "targets/x86_64-linux/include/cuda.h", 12080);
  CHECK(toolkit_version(path, &arena, &version) && version.number == 12080);
  CHECK(version.source && strstr(version.source, "x86_64-linux/include/cuda.h"));
  write_header(&arena, root, "targets/sbsa-linux/include/cuda.h", 12090);
  CHECK(!toolkit_version(path, &arena, &version) && !version.number); /* ambiguous */
  write_text(&arena, root, "version.json", "{\"cuda_cccl\": {\"version\": \"2.5.0\"}}");
  CHECK(!toolkit_version(path, &arena, &version));
  write_text(&arena, root, "version.json", "{\"cuda\": {\"version\": 12}}");
  CHECK(!toolkit_version(path, &arena, &version));
  write_text(
      &arena, root, "version.json",
      "{\n \"cuda\" : {\n  \"name\" : \"CUDA SDK\",\n  \"version\" : \"12.9.20250531\"\n }\n}");
  CHECK(toolkit_version(path, &arena, &version) && version.number == 12090);
  CHECK(version.source && strstr(version.source, "/cuda/version.json"));
  setenv("CK_CUDA_HOME", root, 1);
  int major, minor;
  const char *source;
  CHECK_OK(ck_toolkit_get_version("libNVVM", &major, &minor, &source));
  CHECK(major == 12 && minor == 9 && source && !strcmp(source, version.source));
  CHECK_OK(ck_toolkit_get_version("libNVVM", NULL, NULL, NULL));
  CHECK_STATUS(ck_toolkit_get_version("cuBLAS", &major, &minor, &source), CK_INVALID_ARGUMENT);
  CHECK(!major && !minor && !source);
  CHECK(remove(version.source) == 0);
  CHECK_STATUS(ck_toolkit_get_version("libNVVM", &major, &minor, &source), CK_NOT_FOUND);
  CHECK_ERROR("libnvvm.so.4): no version.json, cuda.h or wheel says of which CUDA it is");
  forget_places();
  arena_free(&arena);
}

/* The version of a wheel holds for its files, whatever header is next to them; folders above it are
 * not searched. */
TEST(version_of_a_wheel)
{
  Arena arena = {0};
  const char *site = arena_printf(&arena, "%s/site-packages", use_private_cache());
  ToolkitVersion version;
  write_header(&arena, site, "../include/cuda.h", 11080);
  make_file(&arena, site, "nvidia/cu13/lib/libnvrtc.so.13");
  make_file(&arena, site, "nvidia/cu13/lib/libnvJitLink.so.13");
  const char *nvrtc = arena_printf(&arena, "%s/nvidia/cu13/lib/libnvrtc.so.13", site);
  const char *link = arena_printf(&arena, "%s/nvidia/cu13/lib/libnvJitLink.so.13", site);
  CHECK(!toolkit_version(nvrtc, &arena, &version));
  write_header(&arena, site, "nvidia/cu13/include/cuda.h", 13000);
  write_text(&arena, site, "nvidia_cuda_nvrtc-13.1.80.dist-info/RECORD",
             "nvidia/cu13/include/nvrtc.h,sha256=a,1\nnvidia/cu13/lib/libnvrtc.so.13,sha256=b,2\n");
  write_text(&arena, site, "nvidia_none.dist-info/RECORD",
             "nvidia/cu13/lib/libnvJitLink.so.13,,\n");
  CHECK(toolkit_version(nvrtc, &arena, &version) && version.number == 13010);
  CHECK(version.source && strstr(version.source, "/nvidia_cuda_nvrtc-13.1.80.dist-info"));
  CHECK(toolkit_version(link, &arena, &version) && version.number == 13000); /* from the header */
  /* Through a link to the folder. */
  const char *other = arena_printf(&arena, "%s/../own", site);
  CHECK(file_make_folders(other));
  CHECK(symlink(arena_printf(&arena, "%s/nvidia", site),
                arena_printf(&arena, "%s/nvidia", other)) == 0);
  nvrtc = arena_printf(&arena, "%s/nvidia/cu13/lib/libnvrtc.so.13", other);
  CHECK(toolkit_version(nvrtc, &arena, &version) && version.number == 13010);
  arena_free(&arena);
}

/* whether parts fit --------------------------------------------------------------------------- */

static const struct {
  const char *file;
  const char *name;
} files[] = {{"nvvm/lib64/libnvvm.so.4", "libNVVM"},
             {"nvvm/libdevice/libdevice.10.bc", "libdevice"},
             {"lib64/libnvJitLink.so.13", "nvJitLink"},
             {"lib64/libnvrtc.so.13", "NVRTC"},
             {"bin/ptxas", "ptxas"},
             {"include/cuda_fp16.h", "headers"},
             {"lib64/libcudadevrt.a", "cudadevrt"}};

/* Makes a toolkit of a version with all parts but one. */
static const char *make_toolkit(Arena *arena, int version, const char *without)
{
  const char *root = arena_printf(arena, "%s/%d", getenv("CK_CACHE_DIR"), version);
  for (size_t i = 0; i < COUNT_OF(files); ++i)
    if (!without || strcmp(files[i].name, without) != 0) make_file(arena, root, files[i].file);
  if (version) write_header(arena, root, "include/cuda.h", version);
  return root;
}

static ck_status_t check_for(int driver, int branch, const char **out_report)
{
  ck_toolkit_options_t options = CK_OPTIONS_INIT(ck_toolkit_options_t);
  options.driver_version = driver;
  options.driver_branch = branch;
  return ck_toolkit_check(&options, out_report);
}

TEST(same_ctk_version)
{
  Arena arena = {0};
  const char *report;
  use_private_cache();
  setenv("CK_CUDA_HOME", make_toolkit(&arena, 12090, NULL), 1);
  CHECK_OK(check_for(13000, 0, &report));
  CHECK(report && !*report);
  CHECK_OK(check_for(-1, 0, NULL));
  setenv("CK_LIBNVML", "/no/such/libnvidia-ml.so.1", 1); /* no driver */
  CHECK_OK(ck_toolkit_check(NULL, &report));
  CHECK(!*report);
  unsetenv("CK_LIBNVML");
  setenv("CK_CUDA_HOME", "", 1); /* nothing is found, so nothing mismatches */
  CHECK_OK(check_for(13000, 0, &report));
  forget_places();
  arena_free(&arena);
}

/* The first place has all parts but the headers, which are found in another toolkit. */
TEST(exact_ctk_major_minor_match_is_required)
{
  Arena arena = {0};
  const char *report;
  use_private_cache();
  setenv("CK_CUDA_HOME", make_toolkit(&arena, 12080, "headers"), 1);
  setenv("CONDA_PREFIX", make_toolkit(&arena, 12090, NULL), 1);
  CHECK_STATUS(check_for(13000, 0, &report), CK_UNSUPPORTED);
  CHECK_ERROR("the toolkit's parts do not fit:\nNVRTC of CUDA 12.8 (");
  CHECK_ERROR("/12080/lib64/libnvrtc.so.13) and headers of CUDA 12.9 (");
  CHECK_ERROR("do not belong together: NVRTC compiles its own headers\n");
  CHECK_ERROR("headers declare what is in their cudadevrt");
  CHECK_ERROR("Set CK_CUDA_HOME to the folder of one toolkit that fits.");
  CHECK(!strstr(ck_last_error(), "libdevice"));
  write_header(&arena, getenv("CONDA_PREFIX"), "include/cuda.h",
               12080); /* two places, one version */
  CHECK_OK(check_for(13000, 0, &report));
  forget_places();
  arena_free(&arena);
}

/* All parts found, with these versions, to test the rules. */
static ToolkitSurvey survey_of(int version)
{
  ToolkitSurvey survey = {{0}, {0}, {{0, NULL}}};
  for (size_t i = 0; i < TOOLKIT_COUNT; ++i) {
    survey.paths[i] = files[i].file;
    survey.places[i] = "somewhere";
    survey.versions[i].number = version;
  }
  return survey;
}

static unsigned judge(const ToolkitSurvey *survey, int driver, int branch, const char *part)
{
  Arena arena = {0};
  Buf why = BUF(&arena), notes = BUF(&arena);
  const ToolkitLimits limits = {.driver = driver, .branch = branch};
  unsigned count = toolkit_judge(survey, &limits, &why, &notes);
  bool is_said = strstr(buf_text(&why), part) || strstr(buf_text(&notes), part);
  if (!CHECK(is_said)) printf("%s%s", buf_text(&why), buf_text(&notes));
  CHECK((count == 0) == !*buf_text(&why));
  arena_free(&arena);
  return count;
}

TEST(companions_are_of_one_version)
{
  static const struct {
    ToolkitPart part;
    int version;
    unsigned count;
    const char *text;
  } rows[] = {
      {TOOLKIT_libdevice, 12080, 1, "libNVVM reads its own libdevice"},
      {TOOLKIT_libnvvm, 12080, 2, "nvJitLink links LTO-IR of its own libNVVM"},
      {TOOLKIT_nvjitlink, 12080, 3, "of no later one than its own"}, /* older than the others */
      {TOOLKIT_nvjitlink, 13000, 3, "nvJitLink of CUDA 13.0 (lib64/libnvJitLink.so.13)"},
      {TOOLKIT_nvrtc, 12080, 1, "NVRTC compiles its own headers"},
      {TOOLKIT_nvrtc, 12100, 3, "ptxas assembles PTX of no later version"},
      {TOOLKIT_ptxas, 13000, 0, ""}, /* ptxas reads older PTX */
      {TOOLKIT_ptxas, 12080, 2, "ptxas of CUDA 12.8 (bin/ptxas)"},
      {TOOLKIT_cudadevrt, 12080, 1, "headers declare what is in their cudadevrt"},
      {TOOLKIT_headers, 0, 0, ""}, /* not known: no message */
  };
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    ToolkitSurvey survey = survey_of(12090);
    survey.versions[rows[i].part].number = rows[i].version;
    if (!CHECK(judge(&survey, 0, 0, rows[i].text) == rows[i].count)) printf("row %zu\n", i);
  }
}

TEST(driver_must_not_be_older)
{
  static const struct {
    int version, driver, branch;
    unsigned count;
    const char *text;
  } rows[] = {
      {13000, 13000, 580, 0, ""},
      {12090, 13000, 580, 0, ""},
      {13000, 12080, 570, 1,
       "the driver is CUDA 12.8's, of branch 570, and does not run code of libNVVM"},
      {13000, 12080, 0, 1, "a driver of branch 580 or later does"},
      {13020, 13000, 580, 0, "of branch 580, and runs cubins of libNVVM of CUDA 13.2"},
      {12090, 12020, 535, 0, "but may not know its PTX"},
      {12090, 12020, 520, 1, "of branch 520, and does not run code of"},
      {12090, 12020, 0, 0, "if its branch is no older than that"},
      {99010, 99000, 5000, 1, "a later driver does"},
      {0, 12000, 525, 0, ""},
      {13000, 0, 0, 0, ""},
  };
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    ToolkitSurvey survey = survey_of(rows[i].version);
    if (!CHECK(judge(&survey, rows[i].driver, rows[i].branch, rows[i].text) == rows[i].count))
      printf("row %zu\n", i);
  }
  Arena arena = {0};
  const char *report;
  use_private_cache();
  setenv("CK_CUDA_HOME", make_toolkit(&arena, 13000, NULL), 1);
  CHECK_STATUS(check_for(12080, 570, &report), CK_UNSUPPORTED);
  CHECK_ERROR("the driver is CUDA 12.8's, of branch 570, and does not run code of");
  CHECK_OK(check_for(13000, 570, &report)); /* with CUDA's forward compatibility package */
  setenv("CK_CUDA_HOME", make_toolkit(&arena, 13020, NULL), 1);
  CHECK_OK(check_for(13000, 580, &report));
  CHECK(strstr(report, "runs cubins of") && strstr(report, "may not know its PTX"));
  forget_places();
  arena_free(&arena);
}

TEST(version_constraints)
{
  Arena arena = {0};
  ck_toolkit_options_t options = CK_OPTIONS_INIT(ck_toolkit_options_t);
  use_private_cache();
  options.driver_version = -1;
  setenv("CK_CUDA_HOME", make_toolkit(&arena, 12090, NULL), 1);
  options.least_version = 12090;
  options.below_version = 13000;
  CHECK_OK(ck_toolkit_check(&options, NULL));
  options.least_version = 13000;
  options.below_version = 0;
  CHECK_STATUS(ck_toolkit_check(&options, NULL), CK_UNSUPPORTED);
  CHECK_ERROR("/bin/ptxas) is not what was asked for: at least 13.0\n");
  options.least_version = 0;
  options.below_version = 12090;
  CHECK_STATUS(ck_toolkit_check(&options, NULL), CK_UNSUPPORTED);
  CHECK_ERROR("is not what was asked for: below 12.9\n");
  options.below_version = -1;
  CHECK_STATUS(ck_toolkit_check(&options, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a version is a number such as 13000");
  options.below_version = 0;
  options.flags = 2;
  CHECK_STATUS(ck_toolkit_check(&options, NULL), CK_INVALID_ARGUMENT);
  forget_places();
  arena_free(&arena);
}

/* A part of unknown version fits, unless CK_TOOLKIT_STRICT is set. */
TEST(missing_version)
{
  Arena arena = {0};
  ck_toolkit_options_t options = CK_OPTIONS_INIT(ck_toolkit_options_t);
  use_private_cache();
  options.driver_version = 13000;
  setenv("CK_CUDA_HOME", make_toolkit(&arena, 0, NULL), 1);
  CHECK_OK(ck_toolkit_check(&options, NULL));
  options.flags = CK_TOOLKIT_STRICT;
  CHECK_STATUS(ck_toolkit_check(&options, NULL), CK_UNSUPPORTED);
  CHECK_ERROR("libnvrtc.so.13): no version.json, cuda.h or wheel says of which CUDA it is\n");
  forget_places();
  arena_free(&arena);
}

/* On this machine, each part that is found has a version or reports that it has none. */
TEST(real_parts)
{
  const char *name, *path, *source, *report;
  for (size_t i = 0; (name = ck_toolkit_part(i)); ++i) {
    int major, minor;
    if (ck_toolkit_find(name, &path, NULL) != CK_OK) continue;
    ck_status_t status = ck_toolkit_get_version(name, &major, &minor, &source);
    if (status == CK_OK) printf("%s: CUDA %d.%d by %s\n", name, major, minor, source);
    else CHECK_STATUS(status, CK_NOT_FOUND);
    if (status == CK_OK) CHECK(major >= 11 && minor < 100);
  }
  ck_status_t status = ck_toolkit_check(NULL, &report);
  if (status != CK_OK) CHECK_STATUS(status, CK_UNSUPPORTED);
  printf("%s%s", status == CK_OK ? "" : ck_last_error(), report);
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
  RUN(cuda_header_version);
  RUN(version_of_a_root);
  RUN(version_of_a_wheel);
  RUN(same_ctk_version);
  RUN(exact_ctk_major_minor_match_is_required);
  RUN(companions_are_of_one_version);
  RUN(driver_must_not_be_older);
  RUN(version_constraints);
  RUN(missing_version);
  RUN(real_parts); /* last: libraries that it opens count as loaded afterwards */
  return tests_report();
}
