/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cache.c - compiled code kept under the digest of what it was compiled from.
 *
 * In memory: the MEMORY_ENTRIES pieces of code that were used last, as objects, so that their
 * libraries stay loaded in the drivers too.
 *
 * On disk: one file per entry, <folder>/<key>.ckcode, a CacheHeader and the code. Files are written
 * under another name and renamed, so a reader in any process sees a whole entry or none; the
 * header's length and digests tell when a file was damaged since, and such a file is removed. A
 * hit sets the file's time, and when the folder has grown beyond its bound the files of the oldest
 * times are removed, down to 7/8 of it. Nothing that goes wrong here makes a compilation fail.
 *
 * The folder is $CK_CACHE_DIR, else $XDG_CACHE_HOME/cokernel, else ~/.cache/cokernel. It has to
 * belong to this user and must not be writable by everybody, since what lies in it is run.
 * $CK_CACHE_BYTES bounds it (256 MiB). CK_CACHE=off keeps nothing at all.
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

#include "runtime.h"

enum {
  MEMORY_ENTRIES = 64,
  DEFAULT_BOUND_MIB = 256,
  STORES_BETWEEN_SCANS = 64, /* other processes grow the folder as well */
  STALE_SECONDS = 3600       /* an unfinished file of this age has lost its writer */
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
  ck_object_code_t *code; /* retained; NULL: the place is free */
  uint64_t last_use;
} MemoryEntry;

static MemoryEntry entries[MEMORY_ENTRIES];
static uint64_t use_count;
static ck_cache_stats_t stats;
static uint64_t folder_bytes;      /* as of the last scan, and what was stored since */
static unsigned stores_since_scan; /* 0: never scanned */
static pthread_mutex_t cache_mutex = PTHREAD_MUTEX_INITIALIZER; /* guards all of the above */

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
  ck_object_code_release(old); /* outside of the lock: it may unload a library */
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
  if (xdg && *xdg) return arena_printf(arena, "%s/cokernel", xdg);
  return home && *home ? arena_printf(arena, "%s/.cache/cokernel", home) : NULL;
}

/* Whether what lies in the folder can be trusted. */
static bool is_own_folder(const char *folder)
{
  struct stat info;
  if (stat(folder, &info) != 0) return false;
  if (info.st_uid == geteuid() && !(info.st_mode & S_IWOTH)) return true;
  log_line(LOG_cache, "%s is not used: others can write there", folder);
  return false;
}

static const char *entry_path(Arena *arena, const char *folder, Digest key)
{
  char text[DIGEST_TEXT_BYTES];
  digest_text(key, text);
  return arena_printf(arena, "%s/%s%s", folder, text, cache_suffix);
}

/* The code in an entry, or NULL if the entry is damaged. */
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
  if (is_whole) ck_object_code_from_bytes(content, header.bytes, &code);
  return code;
}

/* Removes a file, unless another process has put a new one there since it was looked at. */
static bool remove_if_same(int folder, const char *path, const struct stat *seen)
{
  struct stat now;
  return fstatat(folder, path, &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_ino == seen->st_ino &&
         now.st_mtim.tv_sec == seen->st_mtim.tv_sec &&
         now.st_mtim.tv_nsec == seen->st_mtim.tv_nsec && unlinkat(folder, path, 0) == 0;
}

static ck_object_code_t *find_on_disk(Digest key)
{
  Arena scratch = {0};
  struct stat seen;
  ck_object_code_t *code = NULL;
  const char *folder = find_folder(&scratch);
  char *data;
  size_t bytes;
  double start = seconds_now();
  if (!folder || !is_own_folder(folder)) goto done;
  const char *path = entry_path(&scratch, folder, key);
  if (lstat(path, &seen) != 0 || !file_read(&scratch, path, &data, &bytes)) goto done;
  code = read_entry(data, bytes, key);
  log_line(LOG_cache, "%s: %s, %zu bytes, %.3f ms", path, code ? "hit" : "damaged", bytes,
           1e3 * (seconds_now() - start));
  if (code) utimensat(AT_FDCWD, path, NULL, 0);
  else remove_if_same(AT_FDCWD, path, &seen);
  if (!code) {
    lock();
    ++stats.rejected;
    unlock();
  }
done:
  arena_free(&scratch);
  return code;
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

/* Adds up the folder, removes what crashed writers left, and the oldest entries if there are too
 * many. Other processes may do the same at the same time: a file that is gone is no error, and one
 * that was used or written again since stays. */
static uint64_t scan_folder(const char *folder, uint64_t bound)
{
  Arena scratch = {0};
  VEC(FolderFile) files = {0};
  uint64_t total = 0;
  DIR *stream = opendir(folder);
  if (!stream) return 0;
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
      if (!remove_if_same(fd, file->name, &file->info)) continue;
      log_line(LOG_cache, "%s/%s: removed, the folder is full", folder, file->name);
      total -= (uint64_t)file->info.st_size;
    }
  }
  closedir(stream);
  arena_free(&scratch);
  return total;
}

static void keep_in_bounds(const char *folder, size_t stored_bytes)
{
  uint64_t bound = bound_bytes();
  lock();
  folder_bytes += stored_bytes;
  bool must_scan =
      stores_since_scan == 0 || folder_bytes > bound || stores_since_scan >= STORES_BETWEEN_SCANS;
  stores_since_scan = must_scan ? 1 : stores_since_scan + 1;
  unlock();
  if (!must_scan) return;
  uint64_t total = scan_folder(folder, bound);
  lock();
  folder_bytes = total;
  unlock();
}

static void keep_on_disk(Digest key, const ck_object_code_t *code)
{
  Arena scratch = {0};
  Buf entry = BUF(&scratch);
  const char *folder = find_folder(&scratch);
  CacheHeader header = {
      .bytes = code->bytes, .key = key, .content = digest_of(code->data, code->bytes)};
  memcpy(header.magic, cache_magic, sizeof cache_magic);
  if (!folder || sizeof header + code->bytes > bound_bytes()) goto done;
  if (!file_make_folders(folder)) {
    log_line(LOG_cache, "%s can't be made: %s", folder, strerror(errno));
    goto done;
  }
  if (!is_own_folder(folder)) goto done;
  buf_reserve(&entry, sizeof header + code->bytes);
  buf_bytes(&entry, &header, sizeof header);
  buf_bytes(&entry, code->data, code->bytes);
  const char *path = entry_path(&scratch, folder, key);
  bool is_good = file_write(path, entry.data, entry.len);
  log_line(LOG_cache, "%s: %s, %zu bytes", path, is_good ? "stored" : strerror(errno), entry.len);
  if (is_good) keep_in_bounds(folder, entry.len);
done:
  arena_free(&scratch);
}

ck_object_code_t *cache_find(Digest key, CacheSource *out_source)
{
  *out_source = CACHE_miss;
  if (is_off()) return NULL;
  ck_object_code_t *code = find_in_memory(key);
  if (code) {
    *out_source = CACHE_memory;
  } else if ((code = find_on_disk(key))) {
    *out_source = CACHE_disk;
    keep_in_memory(key, code);
  }
  return code;
}

void cache_keep(Digest key, ck_object_code_t *code)
{
  if (is_off()) return;
  keep_in_memory(key, code);
  keep_on_disk(key, code);
}

void cache_count(CacheSource source)
{
  lock();
  switch (source) {
  case CACHE_memory: ++stats.memory_hits; break;
  case CACHE_disk: ++stats.disk_hits; break;
  case CACHE_miss: ++stats.misses; break;
  }
  unlock();
}
