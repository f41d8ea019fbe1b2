/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* base.h - what compiler and runtime share: memory, text, names, files, libraries.
 *
 * Nothing here knows of CK or of GPUs. Memory comes from arenas; an arena is one lifetime, and
 * nothing is freed before its arena is. Functions that can fail return false or NULL and give the
 * reason, one line without a full stop, in a caller's Buf or in errno, as each of them documents.
 */
#ifndef CK_BASE_H
#define CK_BASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define COUNT_OF(array)           (sizeof(array) / sizeof *(array))
#define PRINTF_LIKE(text, values) __attribute__((format(printf, text, values)))

/* Keeps rare code out of the way of common code. After a driver call little of the program is left
 * in the L1 cache, so the next call costs as many cache misses as it has lines of code and data. */
#define LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define COLD                __attribute__((noinline, cold))
#define ALWAYS_INLINE       inline __attribute__((always_inline))

/* An internal error, a state that the code rules out: prints the place and aborts. Never for
 * input. */
_Noreturn void die_at(const char *file, int line, const char *format, ...) PRINTF_LIKE(3, 4);
#define die(...) die_at(__FILE__, __LINE__, __VA_ARGS__)

/* Running out of memory is no internal error. A thread sets where it continues then:
 *
 *     MemoryEscape escape;
 *     memory_escape_enter(&escape);
 *     if (setjmp(escape.at) == 0) { ...; memory_escape_leave(&escape); }
 *     else { the work is abandoned; its arenas are intact and have to be freed }
 *
 * Escapes nest. Without one, the process prints a message and aborts. */
typedef struct MemoryEscape {
  jmp_buf at;
  struct MemoryEscape *outer;
  size_t bytes;    /* requested; 0: not known */
  bool is_foreign; /* in LLVM: none of its functions may be called for what it was making */
} MemoryEscape;
void memory_escape_enter(MemoryEscape *escape);
void memory_escape_leave(MemoryEscape *escape);
/* Suspends the escape while functions run that have to finish, as those of pthread_once and of
 * child processes. */
MemoryEscape *memory_escape_suspend(void);
void memory_escape_resume(MemoryEscape *escape);
bool memory_can_escape(void);
_Noreturn void memory_is_out(size_t bytes, bool is_foreign);

/* arena.c ----------------------------------------------------------------------------------- */

typedef struct ArenaBlock ArenaBlock;

/* Bump allocation by lifetime. A zeroed Arena is empty; memory from it is zeroed. Not
 * thread-safe. */
typedef struct Arena {
  ArenaBlock *block;     /* newest first */
  char *cur, *end;       /* the free part of the newest block */
  size_t reserved_bytes; /* total taken from malloc */
} Arena;

/* Whether arenas and arrays begin as small as they can, so that tests run every path that grows. */
#ifdef CK_SANITIZE
bool base_is_tiny(void);
#else
static inline bool base_is_tiny(void)
{
  return false;
}
#endif

void *arena_alloc(Arena *arena, size_t bytes);       /* aligned to 16; memory_is_out */
void *arena_alloc_words(Arena *arena, size_t bytes); /* aligned to 8 */
/* Extends the arena's last piece in place; false if it isn't the last one, or there is no room. */
bool arena_extend(Arena *arena, const void *piece, size_t bytes, size_t more_bytes);
char *arena_strndup(Arena *arena, const char *text, size_t len);
char *arena_strdup(Arena *arena, const char *text);
char *arena_printf(Arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(Arena *arena, const char *format, va_list values);
void arena_free(Arena *arena);  /* frees everything; the arena is empty again */
void arena_reset(Arena *arena); /* empties it, but keeps its newest block */
/* With AddressSanitizer: marks bytes of a piece, in units of 8, as not accessible. */
#ifdef __SANITIZE_ADDRESS__
#define ARENA_IS_GUARDED
void arena_guard(void *bytes, size_t count);
#endif
void arena_keep_heap(void); /* once per process: keeps freed memory, up to 32 MiB */

#define NEW(arena, type)           ((type *)arena_alloc((arena), sizeof(type)))
#define NEW_ARRAY(arena, type, n_) ((type *)arena_alloc((arena), sizeof(type) * (size_t)(n_)))

/* A growing array in an arena: struct { T *at; uint32_t count, room; } */
#define VEC(T)                                                                                     \
  struct {                                                                                         \
    T *at;                                                                                         \
    uint32_t count, room;                                                                          \
  }
void *vec_grow(Arena *arena, void *at, uint32_t *room, size_t element_bytes);
#define vec_push(arena, vec, value)                                                                \
  ((vec)->count == (vec)->room                                                                     \
       ? (void)((vec)->at = vec_grow((arena), (vec)->at, &(vec)->room, sizeof *(vec)->at))         \
       : (void)0,                                                                                  \
   (vec)->at[(vec)->count++] = (value))

/* buf.c ------------------------------------------------------------------------------------- */

/* A growing array of bytes in an arena, always followed by a NUL that isn't counted. */
typedef struct Buf {
  Arena *arena;
  char *data; /* NULL while empty */
  size_t len, room;
} Buf;

#define BUF(arena_) ((Buf){.arena = (arena_)})
void buf_reserve(Buf *buf, size_t more_bytes);
void buf_bytes(Buf *buf, const void *data, size_t len);
void buf_puts(Buf *buf, const char *text);
void buf_putc(Buf *buf, char c);
void buf_number(Buf *buf, uint64_t number); /* decimal */
void buf_clear(Buf *buf);                   /* empties it, but keeps its room */
void buf_printf(Buf *buf, const char *format, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(Buf *buf, const char *format, va_list values);
/* Adds the reason of a failure, and returns false, so that a function can end with it. */
bool buf_fail(Buf *why, const char *format, ...) PRINTF_LIKE(2, 3);
void buf_json_string(Buf *buf, const char *text, size_t len); /* quoted and escaped */
const char *buf_text(const Buf *buf);                         /* "" while empty */

/* Characters of names; those of the C library depend on the locale. */
static inline bool char_is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static inline bool char_is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* edits.c: inserted, dropped, changed and swapped letters between two words, for suggestions */
unsigned edit_distance(const char *a, const char *b);

/* strings.c --------------------------------------------------------------------------------- */

/* String `index` of a constant list, in which each string ends with a NUL: "red\0" "green\0". The
 * list must have more than `index` strings. */
const char *strings_at(const char *list, size_t index);
const char *strings_next(const char *at); /* the string after the one at `at` */

/* name.c ------------------------------------------------------------------------------------ */

/* An interned string: equal names are equal pointers. */
typedef struct Name {
  uint32_t len;
  uint32_t hash;
  struct Name *next;        /* in its hash chain */
  const struct Name *later; /* the next one that was made */
  void *bound;              /* for the user of the table: what the name currently means */
  char text[];              /* NUL at the end */
} Name;

typedef struct Names {
  Arena *arena;
  Name **table;
  uint32_t count, mask;
  const Name *first; /* the oldest; `later` leads to all others */
  Name *last;
} Names;

void names_init(Names *names, Arena *arena);
const Name *name_of(Names *names, const char *text, size_t len);

/* hash.c ------------------------------------------------------------------------------------ */

typedef struct Digest {
  uint64_t lo, hi;
} Digest;

Digest digest_of(const void *data, size_t bytes);
/* Chains digests: of `so_far` followed by data. Lengths are included, so that parts can't run
 * together. */
Digest digest_more(Digest so_far, const void *data, size_t bytes);
#define DIGEST_TEXT_BYTES 33
void digest_text(Digest digest, char out[DIGEST_TEXT_BYTES]);

/* The bytes of the character at `text` if a terminal would obey it instead of showing it: a control
 * of ASCII but tab and newline, U+0080 to U+009F, or one that changes the direction of text. Else
 * 0. */
size_t control_length(const char *text, size_t bytes);
/* Appends text for people, with such characters as \x1b and \u202e. */
void buf_shown(Buf *buf, const char *text, size_t bytes);

/* file.c ------------------------------------------------------------------------------------ */

/* What file_read opens. A device is refused always, except /dev/null and a terminal: /dev/zero has
 * no end. */
typedef enum FileKind {
  FILE_REGULAR, /* a regular file, at most FILE_BYTES_MAX */
  FILE_HEAD,    /* of a regular file the first lines, about FILE_HEAD_BYTES */
  FILE_PIPE,    /* or a pipe that somebody has opened for writing, at most PIPE_BYTES_MAX */
  FILE_WAIT     /* or a pipe that somebody will open for writing: it is waited for */
} FileKind;
enum { FILE_BYTES_MAX = INT32_MAX, FILE_HEAD_BYTES = 1 << 15, PIPE_BYTES_MAX = 256 << 20 };

/* Reads a file, or its head; data is followed by a NUL. False with errno set, which file_why puts
 * in words. */
bool file_read(Arena *arena, const char *path, FileKind kind, char **out_data, size_t *out_bytes);
/* The words for an errno of file_read and file_write. */
const char *file_why(int error);
/* Writes through a temporary name in the same folder and rename(2), so that readers see the old
 * file or the new one. A pipe has to be open for reading already. False with errno set; nothing is
 * left behind. */
bool file_write(const char *path, const void *data, size_t bytes);
/* The same; a new file has this mode, less the umask. */
bool file_write_as(const char *path, unsigned mode, const void *data, size_t bytes);
/* Opens a file for writing, with flags of open(2), and mode 0666 where it is made. A pipe that
 * nobody has opened for reading is ENXIO: open(2) alone would wait. -1 with errno. */
int file_open_to_write(const char *path, int flags);
bool file_exists(const char *path); /* which is no folder */
/* Chains a file's path, size, time and inode to a digest; the path and its absence if there is no
 * file. */
Digest file_identity(Digest so_far, const char *path);
/* The same without the path, of which one file has several. */
Digest file_facts(Digest so_far, const char *path);
bool file_make_folders(const char *path); /* `path` and its parents, mode 0700; false with errno */
char *path_real(Arena *arena, const char *path); /* absolute, without links; NULL: no such file */
const char *path_base(const char *path);         /* what follows the last '/' */
/* The folder that holds the shared object or program that `address` lies in; NULL if unknown. */
const char *path_of_code(Arena *arena, const void *address);
/* The file of the compiler's library: its name as the loader knows it. */
#define LIBCKC_FILE "libckc.so." CK_ABI

/* cpu.c ------------------------------------------------------------------------------------- */

/* The CPU level that host code is made for: "x86-64-v3", or "x86-64" if the machine has no more. */
const char *host_cpu(void);
bool host_cpu_runs(const char *cpu); /* does code for that level run here? */

/* device_name.c ----------------------------------------------------------------------------- */

/* Reads "cuda:1", with nothing but digits as the number; false: it is something else. */
bool gpu_ordinal(const char *name, int *out_ordinal);

/* dl.c -------------------------------------------------------------------------------------- */

/* Opens the first of `names` (NULL-ended) that loads; a name with a '/' is a path. Returns the
 * dlopen handle, and the name in *out_name; or NULL with one line per try in `why`. */
void *dl_open(const char *const *names, const char **out_name, Buf *why);
/* Fills `count` function pointers from a list of symbols (strings.c); returns the first one that is
 * missing, or NULL. */
const char *dl_fill(void *library, const char *symbols, void **out, size_t count);

/* toolkit.c --------------------------------------------------------------------------------- */

/* One part of the CUDA toolkit, found as cuda.pathfinder finds it. */
typedef enum ToolkitPart {
#define TOOLKIT_PART(id, ...) TOOLKIT_##id,
#include "toolkit.def"
  TOOLKIT_COUNT
} ToolkitPart;

/* The path of a part, or NULL; `why` (may be NULL) gets one line for each place looked at. */
const char *toolkit_find(ToolkitPart part, Arena *arena, Buf *why);
/* The same; *out_step is the place where it was found, as text for users. */
const char *toolkit_locate(ToolkitPart part, Arena *arena, Buf *why, const char **out_step);
/* The same, but opens no library to ask where the loader finds it. Takes microseconds. */
const char *toolkit_glance(ToolkitPart part, Arena *arena);
const char *toolkit_part_name(ToolkitPart part);
/* Escapes a folder's name for a pattern of glob(3). */
const char *glob_literal(Arena *arena, const char *folder);
/* A digest of which files toolkit_find() finds, of the parts that make code, for the keys of
 * caches. It looks only at names, sizes and times and opens no library, so it takes
 * microseconds. */
Digest toolkit_identity(Arena *arena);

/* toolkit_version.c ------------------------------------------------------------------------- */

/* Versions are numbers like CUDA_VERSION: 13.0 is 13000; 0 is unknown. */
typedef struct ToolkitVersion {
  int number;
  const char *source; /* the file or wheel that gives the version */
} ToolkitVersion;

/* CUDA_VERSION in the text of a cuda.h, or 0. */
int toolkit_header_version(const char *text);
/* The version of the toolkit that a file belongs to; false if it isn't known. */
bool toolkit_version(const char *path, Arena *arena, ToolkitVersion *out);

/* All parts; the path of one that is not found is NULL. */
typedef struct ToolkitSurvey {
  const char *paths[TOOLKIT_COUNT], *places[TOOLKIT_COUNT];
  ToolkitVersion versions[TOOLKIT_COUNT];
} ToolkitSurvey;

void toolkit_survey(Arena *arena, ToolkitSurvey *out);

/* Requirements on the parts; 0 requires nothing. */
typedef struct ToolkitLimits {
  int driver, branch; /* of the driver: 13000, 580 */
  int least, below;   /* versions */
  bool is_strict;     /* every part's version has to be known */
} ToolkitLimits;

/* Writes a line to `out` for each misfit, with the remedy, and to `notes` for what fits partly.
 * Gives the number of misfits. */
unsigned toolkit_judge(const ToolkitSurvey *survey, const ToolkitLimits *limits, Buf *out,
                       Buf *notes);

/* fork() of a child that the kernel kills when the thread that called this ends (process.c). */
pid_t fork_child(void);

/* Runs in a child process; what it writes to `out` is the answer. */
typedef void ChildWork(void *user, Buf *out);

/* A child process that computes an answer in bytes (process.c). */
typedef struct Child {
  pid_t id;
  int answer, said; /* files in memory: the answer, and what was printed */
  int done;         /* the end of a pipe */
  ChildWork *work;  /* is repeated in a new child if this one hangs */
  void *user;
} Child;

typedef struct ChildEnd {
  int signal;   /* the signal that ended it; 0: it exited, or that isn't known */
  bool is_hung; /* it was killed because it hung */
} ChildEnd;

/* False, with errno, if there is no child. */
bool child_start(Child *child, ChildWork *work, void *user);
/* Waits for the child. True if there is an answer, which is appended to `answer`; what was printed
 * is appended to `said`. */
bool child_finish(Child *child, Buf *answer, Buf *said, ChildEnd *out_end);
void child_cancel(Child *child); /* instead */

/* For how many seconds a child may make no progress, at the first try and each further one. */
enum { CHILD_TRIES = 8 };
extern double child_stalls[CHILD_TRIES];

/* Seconds on a clock that never goes back (arena.c). */
double seconds_now(void);

#endif
