/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* program_cache.c - tests how one program's code is cached: a cache of the caller's functions, a
 * digest of files, errors of the folder as failures, removed entries; cuda.core's tests of caches
 * passed to a compilation. */
#define _GNU_SOURCE /* setenv, setrlimit */
#include "fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static ck_device_t *device;

static ck_cache_stats_t stats_now(void)
{
  ck_cache_stats_t stats;
  ck_cache_get_stats(&stats);
  return stats;
}

static ck_program_t *program_of(const char *source)
{
  ck_program_t *program = NULL;
  CHECK_OK(ck_program_create(source, strlen(source), NULL, &program));
  return program;
}

static ck_status_t compile(ck_program_t *program)
{
  ck_object_code_t *code;
  ck_status_t status = ck_program_compile(program, device, &code);
  CHECK((status == CK_OK) == (code != NULL));
  ck_object_code_release(code);
  return status;
}

/* 'm' found in memory, 'd' on disk, 'c' compiled, '!' neither. */
static char find(ck_program_t *program)
{
  ck_cache_stats_t before = stats_now();
  if (compile(program) != CK_OK) return '!';
  ck_cache_stats_t after = stats_now();
  if (after.memory_hits > before.memory_hits) return 'm';
  return after.disk_hits > before.disk_hits ? 'd' : 'c';
}

/* The path of the only entry. */
static const char *only_entry(const char *folder)
{
  static char path[512];
  int count = 0;
  DIR *stream = opendir(folder);
  for (struct dirent *item; stream && (item = readdir(stream));) {
    if (*item->d_name == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
    ++count;
  }
  if (stream) closedir(stream);
  CHECK(count == 1);
  return path;
}

/* ---- a cache of the caller's own ---- */

typedef struct Shelf {
  ck_object_code_t *code; /* retained; NULL: empty */
  unsigned char key[64];
  size_t key_bytes;
  int gets, puts, removes;
  ck_status_t get_status, put_status; /* the results of the functions */
} Shelf;

static bool is_key_of(const Shelf *shelf, const void *key, size_t key_bytes)
{
  return shelf->code && key_bytes == shelf->key_bytes && !memcmp(key, shelf->key, key_bytes);
}

static ck_status_t shelf_get(void *data, const void *key, size_t key_bytes,
                             ck_object_code_t **out_code)
{
  Shelf *shelf = data;
  ++shelf->gets;
  if (is_key_of(shelf, key, key_bytes)) *out_code = ck_object_code_retain(shelf->code);
  return shelf->get_status;
}

static ck_status_t shelf_put(void *data, const void *key, size_t key_bytes, ck_object_code_t *code)
{
  Shelf *shelf = data;
  ++shelf->puts;
  if (shelf->put_status != CK_OK) return shelf->put_status;
  CHECK(key_bytes > 0 && key_bytes <= sizeof shelf->key);
  ck_object_code_release(shelf->code);
  shelf->code = ck_object_code_retain(code);
  memcpy(shelf->key, key, shelf->key_bytes = key_bytes);
  return CK_OK;
}

static ck_status_t shelf_remove(void *data, const void *key, size_t key_bytes)
{
  Shelf *shelf = data;
  ++shelf->removes;
  if (!is_key_of(shelf, key, key_bytes)) return CK_NOT_FOUND;
  ck_object_code_release(shelf->code);
  shelf->code = NULL;
  return CK_OK;
}

static void use_shelf(ck_program_t *program, Shelf *shelf)
{
  ck_cache_functions_t functions = CK_OPTIONS_INIT(ck_cache_functions_t);
  ck_cache_options_t options = CK_OPTIONS_INIT(ck_cache_options_t);
  functions.get = shelf_get;
  functions.put = shelf_put;
  functions.remove = shelf_remove;
  functions.data = shelf;
  options.functions = &functions;
  CHECK_OK(ck_program_set_cache(program, &options));
}

/* A miss compiles and stores; a hit returns what was stored, and the library's own cache is not
 * used. */
TEST(callers_cache)
{
  const char *folder = use_private_cache();
  Shelf shelf = {0};
  ck_program_t *program = program_of("shelf"), *other = program_of("other");
  ck_object_code_t *code, *again;
  ck_cache_stats_t before = stats_now();
  use_shelf(program, &shelf);
  use_shelf(other, &shelf);
  CHECK_OK(ck_program_compile(program, device, &code));
  CHECK(shelf.gets == 1 && shelf.puts == 1 && shelf.code == code);
  CHECK_OK(ck_program_compile(program, device, &again));
  CHECK(shelf.gets == 2 && shelf.puts == 1 && again == code);
  CHECK_OK(compile(other)); /* which has another key */
  CHECK(shelf.gets == 3 && shelf.puts == 2);
  ck_cache_stats_t after = stats_now();
  CHECK(!memcmp(&before, &after, sizeof before));
  CHECK(rmdir(folder) == 0 && mkdir(folder, 0700) == 0);
  CHECK_OK(ck_program_set_cache(other, NULL));
  CHECK(find(other) == 'c' && find(other) == 'm');
  ck_object_code_release(code);
  ck_object_code_release(again);
  ck_object_code_release(shelf.code);
  ck_program_release(program);
  ck_program_release(other);
}

/* Makes a program and writes the module that it imports into the folder. */
static ck_program_t *program_that_imports(const char *folder, char *module, size_t room)
{
  char source[640];
  snprintf(module, room, "%s/module.ck", folder);
  snprintf(source, sizeof source, "import module; import_list=%s", module);
  CHECK(file_write(module, "1", 1));
  return program_of(source);
}

/* Imported files are part of a second key. */
TEST(callers_cache_and_imports)
{
  char module[512];
  Shelf shelf = {0};
  ck_program_t *program = program_that_imports(use_private_cache(), module, sizeof module);
  use_shelf(program, &shelf);
  CHECK_OK(compile(program));
  CHECK(shelf.gets == 1 && shelf.puts == 2);
  ck_object_code_release(shelf.code);
  ck_program_release(program);
}

TEST(cache_read_exception_propagates)
{
  use_private_cache();
  Shelf shelf = {.get_status = CK_IO};
  ck_program_t *program = program_of("broken get");
  use_shelf(program, &shelf);
  CHECK_STATUS(compile(program), CK_IO);
  CHECK_ERROR("CK_IO: get of the caller's cache: ");
  CHECK(shelf.gets == 1 && shelf.puts == 0);
  ck_program_release(program);
}

TEST(cache_write_exception_propagates)
{
  use_private_cache();
  Shelf shelf = {.put_status = CK_OUT_OF_MEMORY};
  ck_program_t *program = program_of("broken put");
  use_shelf(program, &shelf);
  CHECK_STATUS(compile(program), CK_OUT_OF_MEMORY);
  CHECK_ERROR("CK_OUT_OF_MEMORY: put of the caller's cache: ");
  CHECK(shelf.gets == 1 && shelf.puts == 1 && !shelf.code);
  ck_program_release(program);
}

static ck_status_t get_from_nowhere(void *data, const void *key, size_t key_bytes,
                                    ck_object_code_t **out_code)
{
  (void)key, (void)key_bytes;
  ck_status_t status = ck_object_code_from_file("/nowhere/kept", out_code);
  return data ? CK_OK : status;
}

static ck_status_t put_nowhere(void *data, const void *key, size_t key_bytes,
                               ck_object_code_t *code)
{
  (void)data, (void)key, (void)key_bytes, (void)code;
  return CK_OK;
}

/* If a function returns a failure of this library, its message is kept; one that it ignores is no
 * failure. */
TEST(callers_cache_uses_the_library)
{
  use_private_cache();
  ck_program_t *program = program_of("from files");
  ck_cache_functions_t functions = CK_OPTIONS_INIT(ck_cache_functions_t);
  ck_cache_options_t options = CK_OPTIONS_INIT(ck_cache_options_t);
  functions.get = get_from_nowhere;
  functions.put = put_nowhere;
  options.functions = &functions;
  CHECK_OK(ck_program_set_cache(program, &options));
  CHECK_STATUS(compile(program), CK_NOT_FOUND);
  CHECK_ERROR("get of the caller's cache: /nowhere/kept");
  functions.data = &functions;
  CHECK_OK(ck_program_set_cache(program, &options));
  CHECK_OK(compile(program));
  CHECK_STATUS(ck_cache_remove_program(program, device), CK_UNSUPPORTED);
  CHECK_ERROR("the caller's cache has no function 'remove'");
  ck_program_release(program);
}

TEST(cache_options_that_are_refused)
{
  ck_program_t *program = program_of("refused");
  ck_cache_functions_t functions = CK_OPTIONS_INIT(ck_cache_functions_t);
  ck_cache_options_t options = CK_OPTIONS_INIT(ck_cache_options_t);
  options.functions = &functions;
  functions.get = shelf_get;
  CHECK_STATUS(ck_program_set_cache(program, &options), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a cache without 'get' or 'put'");
  options.functions = NULL;
  options.extra_digest_bytes = 3;
  CHECK_STATUS(ck_program_set_cache(program, &options), CK_INVALID_ARGUMENT);
  CHECK_ERROR("option 'extra_digest': 3 bytes at NULL");
  options.struct_size = 1;
  CHECK_STATUS(ck_program_set_cache(program, &options), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_program_set_cache(NULL, NULL), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_cache_remove_program(NULL, device), CK_INVALID_ARGUMENT);
  ck_program_release(program);
}

/* ---- a digest of files ---- */

static void use_digest(ck_program_t *program, const char *digest)
{
  ck_cache_options_t options = CK_OPTIONS_INIT(ck_cache_options_t);
  options.extra_digest = digest;
  options.extra_digest_bytes = strlen(digest);
  CHECK_OK(ck_program_set_cache(program, &options));
}

/* The digest stands for unknown files; another digest is another key. */
TEST(extra_digest)
{
  use_private_cache();
  ck_program_t *program = program_of("import module; no_list");
  CHECK(find(program) == 'c' && find(program) == 'c');
  use_digest(program, "one");
  CHECK(find(program) == 'c' && find(program) == 'm');
  use_digest(program, "two");
  CHECK(find(program) == 'c' && find(program) == 'm');
  use_digest(program, "one");
  CHECK(find(program) == 'm');
  use_digest(program, "");
  CHECK(find(program) == 'c' && find(program) == 'm');
  ck_program_release(program);
}

/* ---- entries that are taken out ---- */

TEST(filestream_cache_delete)
{
  use_private_cache();
  ck_program_t *program = program_of("taken out");
  CHECK_STATUS(ck_cache_remove_program(program, device), CK_NOT_FOUND);
  CHECK(find(program) == 'c');
  ck_cache_clear(); /* only memory; it is still on disk */
  CHECK_OK(ck_cache_remove_program(program, device));
  CHECK(find(program) == 'c');
  CHECK_OK(ck_cache_remove_program(program, device));
  CHECK_STATUS(ck_cache_remove_program(program, device), CK_NOT_FOUND);
  CHECK_ERROR("the cache has no such code");
  CHECK_STATUS(ck_cache_remove_program(program, NULL), CK_INVALID_ARGUMENT);
  ck_program_release(program);
}

TEST(inmemory_cache_delete)
{
  use_private_cache();
  setenv("CK_CACHE_BYTES", "0", 1); /* memory only */
  ck_program_t *program = program_of("forgotten"), *other = program_of("remembered");
  ck_object_code_t *code;
  CHECK_OK(ck_program_compile(program, device, &code));
  CHECK(find(other) == 'c' && find(program) == 'm');
  CHECK_OK(ck_cache_remove_program(program, device));
  CHECK_STATUS(ck_cache_remove_program(program, device), CK_NOT_FOUND);
  CHECK(find(other) == 'm' && find(program) == 'c');
  CHECK(ck_object_code_kernel_count(code) > 0); /* existing objects stay valid */
  unsetenv("CK_CACHE_BYTES");
  ck_object_code_release(code);
  ck_program_release(program);
  ck_program_release(other);
}

TEST(forget_of_callers_cache)
{
  use_private_cache();
  Shelf shelf = {0};
  ck_program_t *program = program_of("shelved");
  use_shelf(program, &shelf);
  CHECK_STATUS(ck_cache_remove_program(program, device), CK_NOT_FOUND);
  CHECK_ERROR("remove of the caller's cache");
  CHECK_OK(compile(program));
  CHECK_OK(ck_cache_remove_program(program, device));
  CHECK(shelf.removes == 2 && !shelf.code);
  ck_program_release(program);
}

/* Both entries of a source that imports. */
TEST(forget_with_imports)
{
  char module[512];
  const char *folder = use_private_cache();
  ck_program_t *program = program_that_imports(folder, module, sizeof module);
  CHECK(find(program) == 'c' && find(program) == 'm');
  CHECK_OK(ck_cache_remove_program(program, device));
  CHECK(!strcmp(only_entry(folder), module));
  CHECK(find(program) == 'c');
  ck_program_release(program);
}

/* ---- what the folder refuses ---- */

static ck_program_t *strict_program(const char *source)
{
  ck_cache_options_t options = CK_OPTIONS_INIT(ck_cache_options_t);
  ck_program_t *program = program_of(source);
  options.strict = CK_ON;
  CHECK_OK(ck_program_set_cache(program, &options));
  return program;
}

/* Root may write everywhere, so a folder with the name of the entry makes the write fail for
 * everybody. */
TEST(filestream_cache_unlink_propagates_non_windows_permission_error)
{
  const char *folder = use_private_cache();
  ck_program_t *program = program_of("can't be removed");
  CHECK(find(program) == 'c');
  const char *path = only_entry(folder);
  CHECK(unlink(path) == 0 && mkdir(path, 0700) == 0);
  CHECK_STATUS(ck_cache_remove_program(program, device), CK_IO); /* strict or not */
  CHECK_ERROR(path);
  CHECK(rmdir(path) == 0);
  ck_program_release(program);
}

TEST(filestream_cache_permission_error_propagates_on_posix)
{
  use_private_cache();
  setenv("CK_CACHE_DIR", "/dev/null/cache", 1);
  ck_program_t *program = strict_program("nowhere to go"), *other = program_of("nowhere at all");
  ck_cache_clear();
  CHECK_STATUS(compile(program), CK_IO);
  CHECK_ERROR("the cache: /dev/null/cache: ");
  CHECK(find(other) == 'c');
  ck_program_release(program);
  ck_program_release(other);
}

/* A file that can't be read, and a folder that others can write. */
TEST(strict_reads)
{
  const char *folder = use_private_cache();
  ck_program_t *program = strict_program("can't be read");
  CHECK(find(program) == 'c');
  const char *path = only_entry(folder);
  CHECK(unlink(path) == 0 && mkdir(path, 0700) == 0);
  ck_cache_clear();
  CHECK_STATUS(compile(program), CK_IO);
  CHECK_ERROR(path);
  CHECK(rmdir(path) == 0 && find(program) == 'c');
  static const mode_t modes[] = {0777, 0770, 0775, 0720, 0702};
  for (unsigned i = 0; i < COUNT_OF(modes); ++i) {
    CHECK(chmod(folder, modes[i]) == 0);
    ck_cache_clear();
    CHECK_STATUS(compile(program), CK_IO);
    CHECK_ERROR("others can write there");
  }
  CHECK(chmod(folder, 0755) == 0);
  ck_program_release(program);
}

/* An entry can be accessed by its owner only; one that others can write, a pipe, or an endless file
 * is replaced. */
TEST(strict_entries)
{
  const char *folder = use_private_cache();
  ck_program_t *program = strict_program("an entry");
  struct stat info;
  mode_t mask = umask(0);
  CHECK(find(program) == 'c');
  const char *path = only_entry(folder);
  for (unsigned i = 0; i < 6; ++i) {
    CHECK(lstat(path, &info) == 0 && S_ISREG(info.st_mode) && (info.st_mode & 07777) == 0600);
    if (i == 5) break;
    if (i < 2) CHECK(chmod(path, i ? 0620 : 0602) == 0);
    else CHECK(unlink(path) == 0);
    if (i == 2) CHECK(mkfifo(path, 0600) == 0);
    if (i == 3) CHECK(symlink("/dev/zero", path) == 0);
    if (i == 4) CHECK(symlink("/nowhere", path) == 0);
    ck_cache_clear();
    CHECK(find(program) == 'c');
  }
  umask(mask);
  ck_program_release(program);
}

/* A full disk: the code is not cached, and no file is left. */
TEST(strict_writes)
{
  const char *folder = use_private_cache();
  ck_program_t *program = strict_program("full disk");
  struct rlimit old, small = {1000, 1000};
  CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
  small.rlim_max = old.rlim_max;
  signal(SIGXFSZ, SIG_IGN);
  CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
  ck_status_t status = compile(program);
  CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
  CHECK(status == CK_IO);
  CHECK_ERROR(folder);
  CHECK(rmdir(folder) == 0 && mkdir(folder, 0700) == 0);
  ck_program_release(program);
}

/* A file that is older than all entries and can't be removed when the folder is full. */
TEST(filestream_cache_eviction_propagates_non_sharing_permission_error)
{
  const char *folder = use_private_cache();
  char path[512];
  const struct timespec then = {.tv_sec = 1};
  ck_program_t *quiet = program_of("quiet pad=20000"), *strict = strict_program("pad=20000");
  snprintf(path, sizeof path, "%s/0.ckcode", folder);
  CHECK(mkdir(path, 0700) == 0);
  CHECK(utimensat(AT_FDCWD, path, (const struct timespec[]){then, then}, 0) == 0);
  setenv("CK_CACHE_BYTES", "30000", 1);
  CHECK(find(quiet) == 'c');
  CHECK_STATUS(compile(strict), CK_IO);
  CHECK_ERROR(path);
  unsetenv("CK_CACHE_BYTES");
  CHECK(rmdir(path) == 0);
  ck_program_release(quiet);
  ck_program_release(strict);
}

int main(void)
{
  if (ck_device_open_host(&device) != CK_OK) return 1;
  run_all();
  ck_cache_clear();
  ck_device_release(device);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
