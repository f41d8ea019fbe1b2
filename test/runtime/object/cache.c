/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cache.c - tests the cache of compiled code in memory and on disk: hits, damaged files, bounds,
 * several processes, a full disk. With cuda.core's tests of its program caches. */
#define _GNU_SOURCE /* fork, setrlimit, truncate */
#include "fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static ck_device_t *device;
static char program_path[4096];

static ck_cache_stats_t stats_now(void)
{
  ck_cache_stats_t stats;
  ck_cache_get_stats(&stats);
  return stats;
}

/* Compiles and releases; returns where the code came from: 'm' memory, 'd' disk, 'c' compiled. */
static char find(const char *source)
{
  ck_cache_stats_t before = stats_now();
  ck_object_code_t *code;
  if (compile_stub(source, device, &code) != CK_OK) return '!';
  ck_object_code_release(code);
  ck_cache_stats_t after = stats_now();
  if (after.memory_hits > before.memory_hits) return 'm';
  return after.disk_hits > before.disk_hits ? 'd' : 'c';
}

static char find_on_disk(const char *source)
{
  ck_cache_clear();
  return find(source);
}

/* Finds the path of the only entry, counts the entries, and sums their sizes. */
static int list_entries(const char *folder, char path[512], size_t *out_bytes)
{
  int count = 0;
  *out_bytes = 0;
  DIR *stream = opendir(folder);
  for (struct dirent *item; stream && (item = readdir(stream));) {
    if (*item->d_name == '.') continue;
    struct stat info;
    snprintf(path, 512, "%s/%s", folder, item->d_name);
    if (stat(path, &info) == 0) *out_bytes += (size_t)info.st_size;
    ++count;
  }
  if (stream) closedir(stream);
  return count;
}

TEST(memory_then_disk)
{
  use_private_cache();
  CHECK(find("a") == 'c');
  CHECK(find("a") == 'm');
  CHECK(find_on_disk("a") == 'd');
  CHECK(find("a") == 'm');
  CHECK(find("b") == 'c');
  double best = 1;
  for (int i = 0; i < 20; ++i) {
    ck_cache_clear();
    double start = seconds_now();
    CHECK(find("a") == 'd');
    double seconds = seconds_now() - start;
    if (seconds < best) best = seconds;
  }
  printf("a hit on disk takes %.3f ms\n", 1e3 * best);
#ifndef __SANITIZE_THREAD__ /* tens of times slower there */
  CHECK(best < 1e-3);
#endif
}

/* A hit has the same bytes as the compiled code, also through another program object. */
TEST(filestream_hit_returns_byte_equal_object_code)
{
  use_private_cache();
  ck_object_code_t *code[3];
  CHECK_OK(compile_stub("equal", device, &code[0]));
  CHECK_OK(compile_stub("equal", device, &code[1]));
  ck_cache_clear();
  CHECK_OK(compile_stub("equal", device, &code[2]));
  size_t bytes, first_bytes;
  const void *first = ck_object_code_bytes(code[0], &first_bytes);
  CHECK(code[1] == code[0] && code[2] != code[0]);
  CHECK(!memcmp(first, ck_object_code_bytes(code[2], &bytes), first_bytes) && bytes == first_bytes);
  CHECK(ck_object_code_form(code[2]) == ck_object_code_form(code[0]));
  CHECK(!strcmp(ck_object_code_manifest(code[2]), ck_object_code_manifest(code[0])));
  for (int i = 0; i < 3; ++i) ck_object_code_release(code[i]);
}

/* One file for each key, however often it is compiled. */
TEST(filestream_cache_len_counts_all)
{
  const char *folder = use_private_cache();
  char path[512], source[4200];
  size_t bytes;
  CHECK(find("1") == 'c' && find("2") == 'c' && find("3") == 'c' && find("1") == 'm');
  CHECK(list_entries(folder, path, &bytes) == 3);
  memset(source, 'x', sizeof source);
  source[sizeof source - 1] = 0; /* keys have the same length for any source */
  CHECK(find(source) == 'c' && find_on_disk(source) == 'd');
  CHECK(list_entries(folder, path, &bytes) == 4);
  for (int i = 0; i < 20; ++i) {
    snprintf(source, sizeof source, "many %d", i);
    CHECK(find(source) == 'c');
  }
  CHECK(list_entries(folder, path, &bytes) == 24);
}

/* $CK_CACHE_DIR, $XDG_CACHE_HOME, $HOME: if one is unset or empty, the next is used. */
TEST(default_cache_dir_lives_under_user_cache_root)
{
  const char *folder = use_private_cache(), *home = getenv("HOME");
  char root[256], path[512];
  size_t bytes;
  Arena arena = {0};
  home = home ? arena_strdup(&arena, home) : NULL;
  setenv("CK_CACHE_DIR", "", 1);
  snprintf(root, sizeof root, "%s/xdg", folder);
  setenv("XDG_CACHE_HOME", root, 1);
  CHECK(find("default folder") == 'c');
  snprintf(root, sizeof root, "%s/xdg/cokernel", folder);
  CHECK(list_entries(root, path, &bytes) == 1);
  setenv("XDG_CACHE_HOME", "relative", 1); /* is ignored */
  setenv("HOME", folder, 1);
  CHECK(find_on_disk("default folder") == 'c' && access("relative", F_OK) != 0);
  unsetenv("XDG_CACHE_HOME");
  CHECK(find_on_disk("default folder") == 'd');
  snprintf(root, sizeof root, "%s/.cache/cokernel", folder);
  CHECK(list_entries(root, path, &bytes) == 1);
  setenv("HOME", "relative", 1); /* relative: no folder, as if unset */
  CHECK(find_on_disk("default folder") == 'c' && access("relative", F_OK) != 0);
  unsetenv("HOME");
  CHECK(find_on_disk("default folder") == 'c' && find("default folder") == 'm');
  if (home) setenv("HOME", home, 1);
  arena_free(&arena);
}

/* 0 turns the cache on disk off; a value that is no number is ignored. */
TEST(filestream_cache_rejects_non_positive_size_cap)
{
  use_private_cache();
  setenv("CK_CACHE_BYTES", "0", 1);
  CHECK(find_on_disk("capped") == 'c' && find_on_disk("capped") == 'c' && find("capped") == 'm');
  static const char *const wishes[] = {"-1", "", "much"};
  for (size_t i = 0; i < COUNT_OF(wishes); ++i) {
    use_private_cache();
    setenv("CK_CACHE_BYTES", wishes[i], 1);
    CHECK(find_on_disk("capped") == 'c' && find_on_disk("capped") == 'd');
  }
  unsetenv("CK_CACHE_BYTES");
}

/* The folder is emptied while a process uses it. */
TEST(filestream_cache_recreates_tmp_dir_if_missing)
{
  const char *folder = use_private_cache();
  char path[512];
  size_t bytes;
  CHECK(find("first") == 'c');
  CHECK(list_entries(folder, path, &bytes) == 1 && unlink(path) == 0 && rmdir(folder) == 0);
  CHECK(find("second") == 'c' && find_on_disk("second") == 'd');
  CHECK(find("first") == 'c');
  CHECK(list_entries(folder, path, &bytes) == 2);
}

/* Makes a temporary file as a writer leaves it that ends while writing. */
static void leave_unfinished(const char *folder, const char *name, size_t bytes, time_t age_seconds)
{
  static const char zeros[1 << 17];
  char path[512];
  snprintf(path, sizeof path, "%s/%s.ckcode.x1y2z3", folder, name);
  struct timespec then = {.tv_sec = time(NULL) - age_seconds};
  CHECK(bytes <= sizeof zeros && file_write(path, zeros, bytes));
  CHECK(utimensat(AT_FDCWD, path, (const struct timespec[]){then, then}, 0) == 0);
}

static bool is_there(const char *folder, const char *name)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s.ckcode.x1y2z3", folder, name);
  return file_exists(path);
}

/* A scan removes stale temporary files, and keeps young ones. */
TEST(filestream_cache_sweeps_stale_tmp_files_on_open)
{
  const char *folder = use_private_cache();
  leave_unfinished(folder, "young", 10, 60);
  leave_unfinished(folder, "ancient", 10, 7200);
  setenv("CK_CACHE_BYTES", "30000", 1); /* the second entry exceeds it, which starts a scan */
  CHECK(find("sweep 1 pad=20000") == 'c' && find("sweep 2 pad=20000") == 'c');
  unsetenv("CK_CACHE_BYTES");
  CHECK(is_there(folder, "young") && !is_there(folder, "ancient"));
}

/* Temporary files count towards the bound. */
TEST(filestream_cache_size_cap_counts_tmp_files)
{
  const char *folder = use_private_cache();
  leave_unfinished(folder, "young", 50000, 60);
  setenv("CK_CACHE_BYTES", "20000", 1); /* the second entry exceeds it: the scan finds the file */
  CHECK(find("scan 1 pad=15000") == 'c' && find("scan 2 pad=15000") == 'c');
  setenv("CK_CACHE_BYTES", "100000", 1);
  CHECK(find("tmp 1 pad=30000") == 'c' && find("tmp 2 pad=30000") == 'c');
  CHECK(find_on_disk("tmp 2 pad=30000") == 'd' && find_on_disk("tmp 1 pad=30000") == 'c');
  unsetenv("CK_CACHE_BYTES");
  CHECK(is_there(folder, "young"));
}

/* If another process has shrunk the folder, it is summed up again before entries are removed. */
TEST(filestream_cache_tracker_reconciles_after_external_drift)
{
  const char *folder = use_private_cache();
  char path[512];
  size_t bytes;
  setenv("CK_CACHE_BYTES", "100000", 1);
  CHECK(find("drift 1 pad=40000") == 'c');
  CHECK(list_entries(folder, path, &bytes) == 1 && unlink(path) == 0);
  CHECK(find("drift 2 pad=40000") == 'c' && find("drift 3 pad=40000") == 'c');
  CHECK(find_on_disk("drift 2 pad=40000") == 'd' && find_on_disk("drift 3 pad=40000") == 'd');
  unsetenv("CK_CACHE_BYTES");
}

/* Memory keeps the 64 objects used last. */
TEST(memory_is_bounded)
{
  use_private_cache();
  ck_cache_clear();
  char source[32];
  for (int i = 0; i < 100; ++i) {
    snprintf(source, sizeof source, "bounded %d", i);
    CHECK(find(source) == 'c');
  }
  CHECK(find("bounded 99") == 'm' && find("bounded 40") == 'm');
  CHECK(find("bounded 1") == 'd');
}

/* A hit counts as a use, so the entry stays. */
TEST(inmemory_cache_read_promotes_lru)
{
  use_private_cache();
  ck_cache_clear();
  char source[32];
  for (int i = 0; i < 64; ++i) {
    snprintf(source, sizeof source, "promoted %d", i);
    CHECK(find(source) == 'c');
  }
  CHECK(find("promoted 0") == 'm');
  CHECK(find("one more") == 'c');
  CHECK(find("promoted 0") == 'm' && find("promoted 2") == 'm');
  CHECK(find("promoted 1") == 'd');
}

/* Everything that the output depends on is part of the key. */
TEST(keys)
{
  use_private_cache();
  const char *defines[] = {"N=1", "M=2"}, *joined[] = {"N=1M=2"};
  ck_compile_options_t options[8];
  memset(options, 0, sizeof options);
  for (int i = 0; i < 8; ++i) options[i].struct_size = sizeof *options;
  options[1].file_name = "other.ck";
  options[2].opt_level = CK_OPT_0;
  options[3].flags = CK_COMPILE_CHECK;
  options[4].defines = defines, options[4].define_count = 2;
  options[5].defines = joined, options[5].define_count = 1;
  options[6].instances = defines, options[6].instance_count = 2;
  options[7].target = "sm_90";
  ck_cache_clear();
  uint64_t misses = stats_now().misses;
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 8; ++i) {
      ck_program_t *program;
      ck_object_code_t *code;
      CHECK_OK(ck_program_create("a", 1, &options[i], &program));
      CHECK_OK(ck_program_compile(program, device, &code));
      ck_program_release(program);
      ck_object_code_release(code);
    }
  CHECK(stats_now().misses == misses + 8);
}

static void damage(const char *path, int how)
{
  int fd = open(path, O_RDWR | O_CLOEXEC);
  char c = 0;
  if (how == 0) CHECK(ftruncate(fd, 100) == 0);
  if (how == 1) CHECK(ftruncate(fd, 0) == 0);
  if (how == 2) CHECK(pread(fd, &c, 1, 300) == 1 && (c ^= 1, pwrite(fd, &c, 1, 300)) == 1);
  if (how == 3) CHECK(pwrite(fd, "CKCODE00", 8, 0) == 8);
  if (how == 4) CHECK(lseek(fd, 0, SEEK_END) > 0 && write(fd, "x", 1) == 1);
  close(fd);
}

TEST(damaged_entries)
{
  const char *folder = use_private_cache();
  char path[512];
  size_t bytes;
  for (int how = 0; how < 5; ++how) {
    CHECK(find_on_disk("a") == (how ? 'd' : 'c'));
    CHECK(list_entries(folder, path, &bytes) == 1);
    damage(path, how);
    uint64_t rejected = stats_now().rejected;
    CHECK(find_on_disk("a") == 'c');
    CHECK(stats_now().rejected == rejected + 1);
    CHECK(find_on_disk("a") == 'd');
  }
}

TEST(folders_that_can_not_be_used)
{
  setenv("CK_CACHE_DIR", "/dev/null/cache", 1);
  CHECK(find_on_disk("a") == 'c');
  CHECK(find_on_disk("a") == 'c');
  CHECK(find("a") == 'm');
  const char *folder = use_private_cache();
  CHECK(find_on_disk("a") == 'c');
  CHECK(chmod(folder, 0777) == 0); /* others can plant code there */
  CHECK(find_on_disk("a") == 'c');
  CHECK(chmod(folder, 0700) == 0);
  CHECK(find_on_disk("a") == 'd');
  setenv("CK_CACHE", "off", 1);
  CHECK(find("a") == 'c');
  CHECK(find("a") == 'c');
  unsetenv("CK_CACHE");
  CHECK(find("a") == 'd' || find("a") == 'm');
}

/* A disk without room: writes fail in the middle, compilations don't. */
TEST(full_disk)
{
  const char *folder = use_private_cache();
  char path[512];
  size_t bytes;
  struct rlimit old, small = {1000, 1000};
  CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
  small.rlim_max = old.rlim_max;
  signal(SIGXFSZ, SIG_IGN);
  CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
  char first = find_on_disk("a"), second = find_on_disk("a");
  CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
  CHECK(first == 'c' && second == 'c');
  CHECK(list_entries(folder, path, &bytes) == 0); /* no half-written file is left */
  CHECK(find_on_disk("a") == 'c');
  CHECK(find_on_disk("a") == 'd');
}

TEST(bounds)
{
  const char *folder = use_private_cache();
  char path[512], source[64];
  size_t bytes;
  setenv("CK_CACHE_BYTES", "200000", 1);
  for (int i = 0; i < 40; ++i) {
    snprintf(source, sizeof source, "%d pad=10000", i);
    CHECK(find(source) == 'c');
    CHECK(list_entries(folder, path, &bytes) > 0 && bytes <= 200000);
    CHECK(find_on_disk("0 pad=10000") == 'd'); /* used all the time, so it was kept */
  }
  CHECK(find_on_disk("1 pad=10000") == 'c');
  CHECK(find_on_disk("39 pad=10000") == 'd');
  CHECK(find_on_disk("pad=300000") == 'c'); /* larger than the bound: not kept */
  CHECK(find_on_disk("pad=300000") == 'c');
  unsetenv("CK_CACHE_BYTES");
}

static void wait_for(pid_t child)
{
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static pid_t start_self(const char *mode)
{
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    execl(program_path, program_path, mode, (char *)NULL);
    _exit(127);
  }
  return child;
}

/* What each process of the test does. */
static int fill_cache(void)
{
  char source[64];
  for (int i = 0; i < 30; ++i) {
    snprintf(source, sizeof source, "shared %d pad=5000", i);
    if (find(source) == '!') return 1;
  }
  return 0;
}

TEST(processes)
{
  use_private_cache();
  pid_t children[4];
  for (int i = 0; i < 4; ++i) children[i] = start_self("fill");
  for (int i = 0; i < 4; ++i) wait_for(children[i]);
  char source[64];
  uint64_t rejected = stats_now().rejected;
  for (int i = 0; i < 30; ++i) {
    snprintf(source, sizeof source, "shared %d pad=5000", i);
    CHECK(find_on_disk(source) == 'd');
  }
  CHECK(stats_now().rejected == rejected);
}

static int fill_one(void)
{
  for (int i = 0; i < 20; ++i) {
    ck_cache_clear();
    if (find("the same pad=50000") == '!') return 1;
  }
  return stats_now().rejected != 0;
}

TEST(concurrent_writers_same_key_no_corruption)
{
  const char *folder = use_private_cache();
  pid_t children[6];
  char path[512];
  size_t bytes;
  for (int i = 0; i < 6; ++i) children[i] = start_self("fill one");
  for (int i = 0; i < 6; ++i) wait_for(children[i]);
  CHECK(find_on_disk("the same pad=50000") == 'd');
  CHECK(list_entries(folder, path, &bytes) == 1);
}

/* Reads an entry that nobody writes: it is always complete. */
static int read_seed(void)
{
  for (int i = 0; i < 200; ++i)
    if (find_on_disk("seed pad=20000") != 'd') return 1;
  return 0;
}

TEST(concurrent_reader_never_sees_torn_file)
{
  use_private_cache();
  CHECK(find("seed pad=20000") == 'c');
  pid_t reader = start_self("read"), writer = start_self("fill");
  wait_for(reader);
  wait_for(writer);
}

/* Uses and writes an entry while others evict it. */
static int use_survivor(void)
{
  for (int i = 0; i < 100; ++i)
    if (find_on_disk("survivor pad=20000") == '!') return 1;
  return 0;
}

TEST(concurrent_eviction_does_not_delete_replaced_file)
{
  const char *folder = use_private_cache();
  char path[512];
  size_t bytes;
  setenv("CK_CACHE_BYTES", "60000", 1);
  pid_t user = start_self("use"), writer = start_self("fill");
  wait_for(writer);
  wait_for(user);
  CHECK(find_on_disk("survivor pad=20000") != '!'); /* evicted, if its user ended first */
  CHECK(find("the last pad=20000") == 'c');
  CHECK(list_entries(folder, path, &bytes) >= 2 && bytes <= 60000);
  CHECK(find_on_disk("survivor pad=20000") == 'd');
  unsetenv("CK_CACHE_BYTES");
}

/* A process with a cache hit does not open the compiler. */
static int hit_only(void)
{
  char line[4096];
  if (find("a") != 'd') return 1;
  FILE *maps = fopen("/proc/self/maps", "re");
  int result = 0;
  while (maps && fgets(line, sizeof line, maps))
    if (strstr(line, "ckc") && strstr(line, ".so")) result = 2;
  if (maps) fclose(maps);
  return result;
}

TEST(hit_without_compiler)
{
  use_private_cache();
  CHECK(find("a") == 'c');
  wait_for(start_self("hit"));
}

static int without_compiler(void)
{
  setenv("CK_LIBCKC", "/nonexistent/libckc.so", 1);
  ck_object_code_t *code;
  const char *why = "CK_UNAVAILABLE: the compiler is not installed: /nonexistent/libckc.so";
  bool is_good =
      compile_stub("a", device, &code) == CK_UNAVAILABLE && !code && strstr(ck_last_error(), why);
  /* It loads the host's code as well. */
  char path[600];
  void *library;
  snprintf(path, sizeof path, "%s/host.o", getenv("CK_CACHE_DIR"));
  is_good = is_good && ck_object_code_from_file(path, &code) == CK_OK &&
            ck_object_code_get_native(code, device, &library) == CK_UNAVAILABLE &&
            strstr(ck_last_error(), why);
  ck_object_code_release(code);
  return !is_good;
}

TEST(no_compiler)
{
  char path[600];
  ck_object_code_t *code;
  snprintf(path, sizeof path, "%s/host.o", use_private_cache());
  CHECK_OK(compile_stub("a", device, &code));
  CHECK_OK(ck_object_code_save(code, path));
  ck_object_code_release(code);
  wait_for(start_self("without"));
}

TEST(imports)
{
  const char *folder = use_private_cache();
  char module[512], source[640];
  snprintf(module, sizeof module, "%s/module.ck", folder);
  snprintf(source, sizeof source, "import module; import_list=%s", module);
  CHECK(file_write(module, "1", 1));
  CHECK(find(source) == 'c');
  CHECK(find(source) == 'm');
  CHECK(find_on_disk(source) == 'd');
  CHECK(file_write(module, "2 changed", 9));
  CHECK(find(source) == 'c' && find(source) == 'm');
  CHECK(find("import module; no_list") == 'c');
  CHECK(find("import module; no_list") == 'c'); /* its dependencies are unknown */
}

TEST(compile_errors)
{
  use_private_cache();
  uint64_t hits = stats_now().disk_hits + stats_now().memory_hits;
  ck_program_t *program;
  ck_object_code_t *code;
  CHECK_OK(ck_program_create("syntax_error", 12, NULL, &program));
  CHECK_STATUS(ck_program_compile(program, device, &code), CK_COMPILE);
  CHECK(code == NULL);
  CHECK_ERROR("CK_COMPILE: kernel.ck:1:1: error: expected ';' [missing_semi]");
  CHECK(strstr(ck_program_log(program), "missing_semi"));
  uint64_t misses = stats_now().misses;
  CHECK_STATUS(ck_program_compile(program, device, &code), CK_COMPILE); /* failures are not kept */
  CHECK(stats_now().misses == misses + 1 &&
        stats_now().disk_hits + stats_now().memory_hits == hits);
  CHECK_STATUS(ck_program_compile(program, NULL, &code), CK_INVALID_ARGUMENT);
  CHECK_ERROR("neither a device nor a target");
  ck_program_release(program);

  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  options.target = "sm_1";
  CHECK_OK(ck_program_create("a", 1, &options, &program));
  CHECK_STATUS(ck_program_compile(program, device, &code), CK_INVALID_ARGUMENT);
  CHECK_ERROR("'sm_1' is no target");
  ck_program_release(program);

  options.target = "sm_90";
  ck_kernel_t *kernel;
  CHECK_OK(ck_program_create("a", 1, &options, &program));
  CHECK_OK(ck_program_compile(program, NULL, &code));
  CHECK(ck_object_code_form(code) == CK_EMIT_PTX && ck_object_code_kernel_count(code) > 0);
  CHECK_STATUS(ck_kernel_from_code(code, device, "saxpy", &kernel), CK_INVALID_ARGUMENT);
  CHECK_ERROR("code for sm_90 can't run on 'host device' (host)");
  ck_object_code_release(code);
  ck_program_release(program);

  options.emit = CK_EMIT_AST;
  CHECK_STATUS(ck_program_create("a", 1, &options, &program), CK_INVALID_ARGUMENT);
}

/* Unknown enumerators and flags are refused before anything is compiled. */
TEST(options_that_there_are_not)
{
  ck_compile_options_t fine = CK_OPTIONS_INIT(ck_compile_options_t), options;
  ck_cache_options_t cache = CK_OPTIONS_INIT(ck_cache_options_t);
  ck_program_t *program;
  options = fine, options.emit = (ck_emit_t)77;
  CHECK_STATUS(ck_program_create("a", 1, &options, &program), CK_INVALID_ARGUMENT);
  CHECK_ERROR("option 'emit' is 77: it is 0 to 12 (CK_EMIT_HEADS)");
  CHECK(program == NULL);
  options = fine, options.backend = (ck_backend_t)9;
  CHECK_STATUS(ck_program_create("a", 1, &options, &program), CK_INVALID_ARGUMENT);
  CHECK_ERROR("option 'backend' is 9: it is 0 to 2 (CK_BACKEND_NVPTX)");
  options = fine, options.opt_level = (ck_opt_level_t)9;
  CHECK_STATUS(ck_program_create("a", 1, &options, &program), CK_INVALID_ARGUMENT);
  CHECK_ERROR("option 'opt_level' is 9: it is 0 to 4 (CK_OPT_3)");
  options = fine, options.flags = 0x80000000;
  CHECK_STATUS(ck_program_create("a", 1, &options, &program), CK_INVALID_ARGUMENT);
  CHECK_ERROR("option 'flags' is 0x80000000: it has bits of 0x7ff (CK_COMPILE_*)");
  CHECK_OK(ck_program_create("a", 1, &fine, &program));
  cache.strict = (ck_choice_t)7;
  CHECK_STATUS(ck_program_set_cache(program, &cache), CK_INVALID_ARGUMENT);
  CHECK_ERROR("option 'strict' is 7: it is CK_UNSET, CK_ON or CK_OFF, 0 to 2");
  ck_program_release(program);
}

int main(int argc, char **argv)
{
  if (readlink("/proc/self/exe", program_path, sizeof program_path - 1) < 0) return 1;
  if (ck_device_open_host(&device) != CK_OK) return 1;
  int result = argc < 2                       ? 0
               : !strcmp(argv[1], "fill")     ? fill_cache()
               : !strcmp(argv[1], "fill one") ? fill_one()
               : !strcmp(argv[1], "read")     ? read_seed()
               : !strcmp(argv[1], "use")      ? use_survivor()
               : !strcmp(argv[1], "hit")      ? hit_only()
               : !strcmp(argv[1], "without")  ? without_compiler()
                                              : 1;
  if (argc < 2) {
    run_all();
    result = tests_report();
  }
  ck_cache_clear();
  ck_device_release(device);
  return result;
}
