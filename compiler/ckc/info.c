/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* info.c - ckc info: prints what this machine has for compiling and running. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ckc.h"
#include "run.h"

/* Appends the lines of `text`, indented. */
static void put_lines(Buf *out, const char *text, int column)
{
  for (const char *line = text; *line;) {
    size_t len = strcspn(line, "\n");
    buf_printf(out, "%*s%.*s\n", column, "", (int)len, line);
    line += len + (line[len] == '\n');
  }
}

/* Describes each part's path and CUDA version, or the places where it was looked for, and
 * misfits. */
static const char *describe_toolkit(Arena *arena, ToolkitSurvey *survey)
{
  enum { COLUMN = 4 };
  Buf out = BUF(arena);
  toolkit_survey(arena, survey);
  for (ToolkitPart part = 0; part < TOOLKIT_COUNT; ++part) {
    const char *name = toolkit_part_name(part), *path = survey->paths[part], *step;
    int number = survey->versions[part].number;
    if (path && number)
      buf_printf(&out, "%s: %s (%s), CUDA %d.%d\n", name, path, survey->places[part], number / 1000,
                 number % 1000 / 10);
    else if (path)
      buf_printf(&out, "%s: %s (%s), CUDA's version is not known\n", name, path,
                 survey->places[part]);
    if (path) continue;
    Buf why = BUF(arena);
    toolkit_locate(part, arena, &why, &step);
    buf_printf(&out, "%s: not found\n", name);
    put_lines(&out, buf_text(&why), COLUMN);
  }
  return buf_text(&out);
}

static void show_fit(Arena *arena, const ToolkitSurvey *survey, const ToolkitLimits *limits)
{
  enum { COLUMN = 4 };
  Buf why = BUF(arena), notes = BUF(arena), out = BUF(arena);
  unsigned count = toolkit_judge(survey, limits, &why, &notes);
  bool has_part = false;
  for (ToolkitPart part = 0; part < TOOLKIT_COUNT; ++part) has_part |= survey->paths[part] != NULL;
  if (!has_part) return;
  puts(count ? "toolkit: its parts do not fit" : "toolkit: its parts fit");
  put_lines(&out, buf_text(&why), COLUMN);
  put_lines(&out, buf_text(&notes), COLUMN);
  fputs(buf_text(&out), stdout);
}

/* The folder, as runtime/cache.c has it. */
const char *cache_folder(Arena *arena)
{
  const char *own = getenv("CK_CACHE_DIR"), *shared = getenv("XDG_CACHE_HOME");
  const char *home = getenv("HOME");
  if (own && *own) return own;
  if (shared && *shared == '/') return arena_printf(arena, "%s/cokernel", shared);
  return home && *home == '/' ? arena_printf(arena, "%s/.cache/cokernel", home) : NULL;
}

static void show_cache(Arena *arena)
{
  static const char suffix[] = ".ckcode";
  const char *folder = cache_folder(arena), *wish = getenv("CK_CACHE");
  if (wish && !strcmp(wish, "off")) {
    puts("cache: off, by CK_CACHE");
    return;
  }
  DIR *stream = folder ? opendir(folder) : NULL;
  struct dirent *entry;
  struct stat info;
  unsigned count = 0;
  uint64_t bytes = 0;
  while (stream && (entry = readdir(stream))) {
    size_t len = strlen(entry->d_name);
    if (len < sizeof suffix || strcmp(entry->d_name + len - (sizeof suffix - 1), suffix)) continue;
    if (stat(arena_printf(arena, "%s/%s", folder, entry->d_name), &info) != 0) continue;
    ++count;
    bytes += (uint64_t)info.st_size;
  }
  if (stream) closedir(stream);
  printf("cache: %s, %u entries, %.1f MiB\n", folder ? folder : "no folder", count,
         (double)bytes / (1 << 20));
}

static int attribute(ck_device_t *device, ck_device_attribute_t which)
{
  int value = 0;
  return ck_device_get_attribute(device, which, &value) == CK_OK ? value : 0;
}

static void show_device(ck_device_t *device)
{
  enum { GIB = 1 << 30, KIB = 1 << 10 };
  size_t free_bytes = 0, total_bytes = 0;
  ck_device_get_memory(device, &free_bytes, &total_bytes);
  if (ck_device_is_host(device)) printf("host: ");
  else printf("cuda:%d: ", ck_device_ordinal(device));
  printf("%s, %s, %d multiprocessors, %.1f GiB memory (%.1f free), %d KiB shared memory a block\n",
         ck_device_name(device), ck_device_target(device),
         attribute(device, CK_DEVICE_MULTIPROCESSOR_COUNT), (double)total_bytes / GIB,
         (double)free_bytes / GIB,
         attribute(device, CK_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) / KIB);
}

static void show_attributes(ck_device_t *device)
{
  static const ck_device_attribute_t all[] = {
#define CK_DEVICE_ATTR(name, value, host) CK_DEVICE_##name,
#include "ck/device_attrs.def"
  };
  unsigned char uuid[16];
  if (ck_device_get_uuid(device, uuid) == CK_OK) {
    fputs("uuid: ", stdout);
    for (size_t i = 0; i < sizeof uuid; ++i) printf("%02x", uuid[i]);
    putchar('\n');
  }
  for (size_t i = 0; i < COUNT_OF(all); ++i) {
    int value;
    if (ck_device_get_attribute(device, all[i], &value) == CK_OK)
      printf("%s: %d\n", ck_device_attribute_name(all[i]), value);
  }
}

/* Prints what NVML knows of a GPU. */
static void show_system(ck_device_t *device)
{
  static const ck_system_query_t all[] = {
#define CK_SYSTEM_QUERY(name, value, unit, per, call) CK_SYSTEM_##name,
#include "ck/system_queries.def"
  };
  ck_system_device_t *gpu;
  if (ck_device_is_host(device)) return;
  if (ck_system_device_from_device(device, &gpu) != CK_OK) {
    printf("system: %s\n", ck_last_error());
    return;
  }
  for (size_t i = 0; i < COUNT_OF(all); ++i) {
    uint32_t count = ck_system_query_count(gpu, all[i]);
    for (uint32_t k = 0; k < count; ++k) {
      int64_t value;
      if (ck_system_device_get(gpu, all[i], k, &value) != CK_OK) continue;
      printf("system.%s", ck_system_query_name(all[i]));
      if (count > 1) printf("[%u]", k);
      printf(": %lld %s\n", (long long)value, ck_system_query_unit(all[i]));
    }
  }
  ck_system_device_release(gpu);
}

/* The driver's version as its kernel module has it. */
static void show_driver(Arena *arena, ToolkitLimits *limits)
{
  ck_system_versions_t versions;
  char *text;
  size_t bytes;
  if (file_read(arena, "/sys/module/nvidia/version", FILE_REGULAR, &text, &bytes))
    printf("driver: %.*s\n", (int)strcspn(text, "\n"), text);
  if (ck_system_get_versions(&versions) == CK_OK) {
    limits->driver = versions.cuda;
    limits->branch = atoi(versions.driver);
  }
  ck_device_t *device = NULL;
  if (ck_device_count() == 0 && ck_device_open(0, &device) != CK_OK)
    printf("cuda: %s\n", ck_last_error());
  ck_device_release(device);
}

static void show_devices(void)
{
  ck_device_t *device;
  for (int i = 0; i < ck_device_count(); ++i) {
    if (ck_device_open(i, &device) == CK_OK) show_device(device);
    else printf("cuda:%d: %s\n", i, ck_last_error());
    ck_device_release(device);
  }
  if (ck_device_open_host(&device) == CK_OK) show_device(device);
  ck_device_release(device);
}

static Exit show_one(const Options *options)
{
  ck_device_t *device;
  Exit exit = open_device(options, &device);
  if (exit != EXIT_OK) return exit;
  show_device(device);
  show_attributes(device);
  show_system(device);
  ck_device_release(device);
  return EXIT_OK;
}

Exit info_command(const Options *options)
{
  Arena *arena = options->arena;
  if (options->words.count)
    return fail(EXIT_USAGE, "'%s': info takes options alone", options->words.at[0]);
  if (option_has(options, OPTION_device)) return show_one(options);
  printf("version: %s\nLLVM: %s\n", CK_VERSION_TEXT, CK_LLVM_VERSION);
  ToolkitSurvey survey;
  ToolkitLimits limits = {0};
  const char *toolkit = describe_toolkit(arena, &survey); /* before anything of it is loaded */
  const Compiler *compiler = compiler_load(arena);
  if (compiler) printf("digest: %s\n", compiler->ck_compiler_digest());
  show_devices();
  show_driver(arena, &limits);
  fputs(toolkit, stdout);
  show_fit(arena, &survey, &limits);
  show_cache(arena);
  return compiler ? EXIT_OK : EXIT_ENVIRONMENT;
}
