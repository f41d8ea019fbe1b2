/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cache.c - keeps compiled code in memory and on disk, by the digest of everything it depends on.
 *
 * That digest is the key. program.c makes it of the source, the options, the target and the
 * compiler; foreign.c does so for CUDA C++, PTX and other forms. A look-up goes through two levels,
 * and what is found on disk moves up:
 *
 *   key --> memory: MEMORY_ENTRIES last used objects --> <folder>/<key>.ckcode --> miss: compile
 *
 * The memory has references to object code objects (ck_object_code_t), so that the drivers keep
 * their libraries loaded. On disk there is one file for each entry:
 *
 *   | CacheHeader: magic, length, digests of the key and of the code | code with its manifest |
 *
 * A file is written under a temporary name and renamed, so a reader in any process sees a complete
 * entry or none. Length and digests show later damage; a damaged file is removed. A hit sets the
 * file's time. When the folder exceeds its bound, the files with the oldest times are removed until
 * it has 7/8 of the bound. Errors of the folder are logged; for a program that asks for it (the
 * option `strict`), they make its compilation fail.
 *
 * The folder is $CK_CACHE_DIR, else $XDG_CACHE_HOME/cokernel, else ~/.cache/cokernel. Since its
 * contents are executed, the folder and each entry must belong to this user, and nobody else may be
 * allowed to write to them. A relative $XDG_CACHE_HOME is ignored, as the XDG Base Directory
 * Specification requires, and so is a relative $HOME. $CK_CACHE_BYTES is the bound (256 MiB).
 * CK_CACHE=off turns the cache off.
 *
 * There are two exceptions (CacheWay). If the caller supplies a cache of its own for a program, its
 * functions get and put the code, and neither level is used. Code that refers to a temporary file
 * of this process is kept in memory only.
 */
#define _GNU_SOURCE /* st_mtim, utimensat */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "code_private.h"

enum {
  /* Entries in memory; and the default bound of the folder. */
  MEMORY_ENTRIES = 64,
  DEFAULT_BOUND_MIB = 256,
  STORES_BETWEEN_SCANS = 64, /* other processes add entries as well */
  STALE_SECONDS = 3600       /* an unfinished file of this age was left by a crashed writer */
};

typedef struct CacheHeader {
  char magic[8];
  uint64_t bytes;
  Digest key, content;
} CacheHeader;

static const char cache_magic[8] = {'C', 'K', 'C', 'O', 'D', 'E', '0', '1'};
static const char cache_suffix[] = ".ckcode";

typedef struct MemoryEntry {
  Digest key;
  ck_object_code_t *code; /* retained; NULL: free */
  uint64_t last_use;
} MemoryEntry;

static MemoryEntry entries[MEMORY_ENTRIES];
static uint64_t use_count;
static ck_cache_stats_t stats;
static uint64_t folder_bytes;      /* at the last scan, plus what was stored since */
static unsigned stores_since_scan; /* 0: never scanned */
static pthread_mutex_t cache_mutex = PTHREAD_MUTEX_INITIALIZER; /* guards the variables above */

static void lock(void)
{
  pthread_mutex_lock(&cache_mutex);
}

static void unlock(void)
{
  pthread_mutex_unlock(&cache_mutex);
}

static bool is_off(void)
{
  const char *wish = getenv("CK_CACHE");
  return wish && !strcmp(wish, "off");
}

static bool same_digest(Digest a, Digest b)
{
  return a.lo == b.lo && a.hi == b.hi;
}

/* memory ------------------------------------------------------------------------------------- */

static ck_object_code_t *find_in_memory(Digest key)
{
  ck_object_code_t *code = NULL;
  lock();
  for (size_t i = 0; i < MEMORY_ENTRIES && !code; ++i) {
    if (!entries[i].code || !same_digest(entries[i].key, key)) continue;
    entries[i].last_use = ++use_count;
    code = ck_object_code_retain(entries[i].code);
  }
  unlock();
  return code;
}

static void keep_in_memory(Digest key, ck_object_code_t *code)
{
  lock();
  MemoryEntry *place = &entries[0];
  for (size_t i = 0; i < MEMORY_ENTRIES; ++i) {
    if (entries[i].code && same_digest(entries[i].key, key)) {
      place = &entries[i];
      break;
    }
    if (entries[i].last_use < place->last_use) place = &entries[i];
  }
  ck_object_code_t *old = place->code;
  *place = (MemoryEntry){key, ck_object_code_retain(code), ++use_count};
  unlock();
  ck_object_code_release(old); /* without the lock: it may unload a library */
}

static bool remove_from_memory(Digest key)
{
  ck_object_code_t *code = NULL;
  lock();
  for (size_t i = 0; i < MEMORY_ENTRIES && !code; ++i) {
    if (!entries[i].code || !same_digest(entries[i].key, key)) continue;
    code = entries[i].code;
    entries[i] = (MemoryEntry){0};
  }
  unlock();
  ck_object_code_release(code);
  return code != NULL;
}

void ck_cache_clear(void)
{
  for (size_t i = 0; i < MEMORY_ENTRIES; ++i) {
    lock();
    ck_object_code_t *code = entries[i].code;
    entries[i] = (MemoryEntry){0};
    unlock();
    ck_object_code_release(code);
  }
}

void ck_cache_get_stats(ck_cache_stats_t *out_stats)
{
  lock();
  *out_stats = stats;
  unlock();
}

/* disk --------------------------------------------------------------------------------------- */

static const char *find_folder(Arena *arena)
{
  const char *own = getenv("CK_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (own && *own) return own;
  if (xdg && *xdg == '/') return arena_printf(arena, "%s/cokernel", xdg);
  return home && *home == '/' ? arena_printf(arena, "%s/.cache/cokernel", home) : NULL;
}

/* Reports an error of the folder: as a failure if the program asked for it, else in the log. */
static ck_status_t refused(const CacheWay *way, const char *path, const char *why)
{
  log_line(LOG_cache, "%s: %s", path, why);
  return way->is_strict ? error_set(CK_IO, "the cache: %s: %s", path, why) : CK_OK;
}

/* A file that does not exist is no failure. */
static bool is_absence(int error)
{
  return error == ENOENT || error == ENOTDIR;
}

/* Whether nobody but this user can have written to it. */
static bool only_user_writes(const struct stat *info)
{
  return info->st_uid == geteuid() && !(info->st_mode & (S_IWGRP | S_IWOTH));
}

/* Whether the folder exists and its contents can be trusted. */
static ck_status_t look_at_folder(const CacheWay *way, const char *folder, bool *out_is_own)
{
  struct stat info;
  *out_is_own = false;
  if (stat(folder, &info) != 0)
    return is_absence(errno) ? CK_OK : refused(way, folder, strerror(errno));
  *out_is_own = only_user_writes(&info);
  return *out_is_own ? CK_OK : refused(way, folder, "not used, others can write there");
}

static const char *entry_path(Arena *arena, const char *folder, Digest key)
{
  char text[DIGEST_TEXT_BYTES];
  digest_text(key, text);
  return arena_printf(arena, "%s/%s%s", folder, text, cache_suffix);
}

/* Reads the code of an entry; NULL if the entry is damaged. */
static ck_object_code_t *read_entry(const char *data, size_t bytes, Digest key)
{
  CacheHeader header;
  ck_object_code_t *code = NULL;
  if (bytes < sizeof header) return NULL;
  memcpy(&header, data, sizeof header);
  const char *content = data + sizeof header;
  bool is_whole = !memcmp(header.magic, cache_magic, sizeof cache_magic) &&
                  header.bytes == bytes - sizeof header && same_digest(header.key, key) &&
                  same_digest(header.content, digest_of(content, header.bytes));
  if (is_whole && header.bytes && *content == '{')
    object_code_from_manifest(content, header.bytes, &code);
  else if (is_whole) ck_object_code_from_bytes(content, header.bytes, &code);
  return code;
}

/* Removes a file, unless another process has replaced it since `seen`. Returns 0 or errno: ENOENT
 * if it was removed or replaced. */
static int remove_if_same(int folder, const char *path, const struct stat *seen)
{
  struct stat now;
  bool is_same = fstatat(folder, path, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
                 now.st_ino == seen->st_ino && now.st_mtim.tv_sec == seen->st_mtim.tv_sec &&
                 now.st_mtim.tv_nsec == seen->st_mtim.tv_nsec;
  if (!is_same) return ENOENT;
  return unlinkat(folder, path, 0) == 0 ? 0 : errno;
}

static ck_status_t drop_damaged(const CacheWay *way, const char *path, const struct stat *seen)
{
  lock();
  ++stats.rejected;
  unlock();
  int error = remove_if_same(AT_FDCWD, path, seen);
  return error && !is_absence(error) ? refused(way, path, strerror(error)) : CK_OK;
}

/* Reads an entry. A file that others could have written, or that is damaged, is removed and counts
 * as a miss. A hit updates the file's time, by which the oldest entries are removed first. */
static ck_status_t read_file(const CacheWay *way, const char *path, Digest key,
                             ck_object_code_t **out_code)
{
  Arena scratch = {0};
  struct stat seen;
  char *data;
  size_t bytes;
  double start = seconds_now();
  ck_status_t status = CK_OK;
  if (lstat(path, &seen) != 0) {
    if (!is_absence(errno)) status = refused(way, path, strerror(errno));
  } else if (!S_ISDIR(seen.st_mode) && !(S_ISREG(seen.st_mode) && only_user_writes(&seen))) {
    log_line(LOG_cache, "%s: removed, others can write it, or it is no file", path);
    status = drop_damaged(way, path, &seen);
  } else if (!file_read(&scratch, path, FILE_REGULAR, &data, &bytes)) {
    if (!is_absence(errno)) status = refused(way, path, file_why(errno));
  } else {
    *out_code = read_entry(data, bytes, key);
    log_line(LOG_cache, "%s: %s, %zu bytes, %.3f ms", path, *out_code ? "hit" : "damaged", bytes,
             1e3 * (seconds_now() - start));
    if (*out_code) utimensat(AT_FDCWD, path, NULL, 0);
    else status = drop_damaged(way, path, &seen);
  }
  arena_free(&scratch);
  return status;
}

static ck_status_t find_on_disk(const CacheWay *way, Digest key, ck_object_code_t **out_code)
{
  Arena scratch = {0};
  bool is_own = false;
  ck_status_t status = CK_OK;
  const char *folder = find_folder(&scratch);
  if (folder) status = look_at_folder(way, folder, &is_own);
  if (is_own) status = read_file(way, entry_path(&scratch, folder, key), key, out_code);
  arena_free(&scratch);
  return status;
}

typedef struct FolderFile {
  const char *name;
  struct stat info;
} FolderFile;

static int older_first(const void *a, const void *b)
{
  const struct timespec *x = &((const FolderFile *)a)->info.st_mtim;
  const struct timespec *y = &((const FolderFile *)b)->info.st_mtim;
  if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
  return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static uint64_t bound_bytes(void)
{
  const char *wish = getenv("CK_CACHE_BYTES");
  bool is_number = wish && *wish >= '0' && *wish <= '9';
  return is_number ? strtoull(wish, NULL, 10) : (uint64_t)DEFAULT_BOUND_MIB << 20;
}

/* Sums up the folder, removes files of crashed writers, and the oldest entries if it exceeds its
 * bound. Other processes may do the same concurrently: a file that has disappeared is no error, and
 * one that was used or written again since is kept. */
static ck_status_t scan_folder(const CacheWay *way, const char *folder, uint64_t bound,
                               uint64_t *out_total)
{
  Arena scratch = {0};
  VEC(FolderFile) files = {0};
  uint64_t total = *out_total = 0;
  ck_status_t status = CK_OK;
  DIR *stream = opendir(folder);
  if (!stream) return is_absence(errno) ? CK_OK : refused(way, folder, strerror(errno));
  int fd = dirfd(stream);
  for (struct dirent *item; (item = readdir(stream));) {
    struct stat info;
    const char *suffix = strstr(item->d_name, cache_suffix);
    if (!suffix || fstatat(fd, item->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (suffix[sizeof cache_suffix - 1]) {
      bool is_stale = time(NULL) - info.st_mtim.tv_sec > STALE_SECONDS;
      if (is_stale) unlinkat(fd, item->d_name, 0);
      else total += (uint64_t)info.st_size;
      continue;
    }
    FolderFile file = {arena_strdup(&scratch, item->d_name), info};
    vec_push(&scratch, &files, file);
    total += (uint64_t)info.st_size;
  }
  if (total > bound) {
    qsort(files.at, files.count, sizeof *files.at, older_first);
    for (uint32_t i = 0; i < files.count && total > bound / 8 * 7; ++i) {
      const FolderFile *file = &files.at[i];
      const char *path = arena_printf(&scratch, "%s/%s", folder, file->name);
      int error = remove_if_same(fd, file->name, &file->info);
      if (error && !is_absence(error) && status == CK_OK)
        status = refused(way, path, strerror(error));
      if (error) continue;
      log_line(LOG_cache, "%s: removed, the folder is full", path);
      total -= (uint64_t)file->info.st_size;
    }
  }
  closedir(stream);
  arena_free(&scratch);
  *out_total = total;
  return status;
}

static ck_status_t keep_in_bounds(const CacheWay *way, const char *folder, size_t stored_bytes)
{
  uint64_t bound = bound_bytes();
  lock();
  folder_bytes += stored_bytes;
  bool must_scan =
      stores_since_scan == 0 || folder_bytes > bound || stores_since_scan >= STORES_BETWEEN_SCANS;
  stores_since_scan = must_scan ? 1 : stores_since_scan + 1;
  unlock();
  if (!must_scan) return CK_OK;
  uint64_t total;
  ck_status_t status = scan_folder(way, folder, bound, &total);
  lock();
  folder_bytes = total;
  unlock();
  return status;
}

/* Writes an entry: a header with digests of the key and of the code, then the code. */
static ck_status_t write_file(const CacheWay *way, const char *folder, Digest key,
                              const ck_object_code_t *code)
{
  Arena scratch = {0};
  Buf entry = BUF(&scratch);
  CacheHeader header = {
      .bytes = code->bytes, .key = key, .content = digest_of(code->data, code->bytes)};
  memcpy(header.magic, cache_magic, sizeof cache_magic);
  buf_reserve(&entry, sizeof header + code->bytes);
  buf_bytes(&entry, &header, sizeof header);
  buf_bytes(&entry, code->data, code->bytes);
  const char *path = entry_path(&scratch, folder, key);
  ck_status_t status = CK_OK;
  if (file_write_as(path, 0600, entry.data, entry.len)) {
    log_line(LOG_cache, "%s: stored, %zu bytes", path, entry.len);
    status = keep_in_bounds(way, folder, entry.len);
  } else {
    status = refused(way, path, strerror(errno));
  }
  arena_free(&scratch);
  return status;
}

static ck_status_t keep_on_disk(const CacheWay *way, Digest key, const ck_object_code_t *code)
{
  Arena scratch = {0};
  bool is_own = false;
  ck_status_t status = CK_OK;
  const char *folder = find_folder(&scratch);
  bool is_small = sizeof(CacheHeader) + code->bytes <= bound_bytes();
  if (folder && is_small && !file_make_folders(folder))
    status = refused(way, folder, strerror(errno));
  else if (folder && is_small) status = look_at_folder(way, folder, &is_own);
  if (is_own) status = write_file(way, folder, key, code);
  arena_free(&scratch);
  return status;
}

/* Removes an entry from the folder; *out_was_there says if there was one. Here an error of the
 * folder is always a failure, since removing is all that the caller asked for. */
static ck_status_t remove_from_disk(Digest key, bool *out_was_there)
{
  Arena scratch = {0};
  ck_status_t status = CK_OK;
  const char *folder = find_folder(&scratch);
  const char *path = folder ? entry_path(&scratch, folder, key) : NULL;
  if (path && unlink(path) == 0) *out_was_there = true;
  else if (path && !is_absence(errno))
    status = error_set(CK_IO, "the cache: %s: %s", path, strerror(errno));
  arena_free(&scratch);
  return status;
}

/* caches of callers --------------------------------------------------------------------------- */

/* Converts the status of one of the caller's functions into that of the compilation, with the
 * function's name in the message. A message that the function recorded by calling this library is
 * kept. */
static ck_status_t callers(const char *function, ck_status_t status, unsigned failures_before)
{
  if (status == CK_OK) return CK_OK;
  if (error_count() != failures_before && error_is_of(status))
    return error_within(status, "%s of the caller's cache", function);
  return error_set(status, "%s of the caller's cache: %s", function, ck_status_text(status));
}

static ck_status_t get_by_caller(const ck_cache_functions_t *own, Digest key,
                                 ck_object_code_t **out_code)
{
  unsigned before = error_count();
  ck_status_t status = callers("get", own->get(own->data, &key, sizeof key, out_code), before);
  if (status == CK_OK) return CK_OK;
  ck_object_code_release(*out_code);
  *out_code = NULL;
  return status;
}

static ck_status_t remove_by_caller(const ck_cache_functions_t *own, Digest key)
{
  unsigned before = error_count();
  if (!own->remove) return error_unsupported("the caller's cache has no function 'remove'");
  return callers("remove", own->remove(own->data, &key, sizeof key), before);
}

/* interface ------------------------------------------------------------------------------------ */

ck_status_t cache_find(const CacheWay *way, Digest key, CacheSource *out_source,
                       ck_object_code_t **out_code)
{
  *out_code = NULL;
  *out_source = CACHE_miss;
  if (way->functions.get) {
    *out_source = CACHE_caller;
    return get_by_caller(&way->functions, key, out_code);
  }
  if (is_off()) return CK_OK;
  if (!way->is_of_folder && (*out_code = find_in_memory(key))) {
    *out_source = CACHE_memory;
    return CK_OK;
  }
  if (way->is_of_process) return CK_OK;
  CK_TRY(find_on_disk(way, key, out_code));
  if (!*out_code) return CK_OK;
  *out_source = CACHE_disk;
  if (!way->is_of_folder) keep_in_memory(key, *out_code);
  return CK_OK;
}

ck_status_t cache_keep(const CacheWay *way, Digest key, ck_object_code_t *code)
{
  const ck_cache_functions_t *own = &way->functions;
  if (own->put) {
    unsigned before = error_count();
    return callers("put", own->put(own->data, &key, sizeof key, code), before);
  }
  if (is_off()) return CK_OK;
  if (!way->is_of_folder) keep_in_memory(key, code);
  return way->is_of_process ? CK_OK : keep_on_disk(way, key, code);
}

ck_status_t cache_remove(const CacheWay *way, Digest key)
{
  if (way->functions.get) return remove_by_caller(&way->functions, key);
  bool was_there = !way->is_of_folder && remove_from_memory(key);
  if (!way->is_of_process) CK_TRY(remove_from_disk(key, &was_there));
  return was_there ? CK_OK : error_set(CK_NOT_FOUND, "the cache has no such code");
}

void cache_count(CacheSource source)
{
  lock();
  switch (source) {
  case CACHE_memory: ++stats.memory_hits; break;
  case CACHE_disk: ++stats.disk_hits; break;
  case CACHE_miss: ++stats.misses; break;
  case CACHE_caller: break; /* the caller counts itself */
  }
  unlock();
}
