/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* base.h - the vocabulary that compiler and runtime share: memory, text, names, files, libraries.
 *
 * Nothing here knows of CK or of CUDA. Memory comes from arenas; an arena is one lifetime, and
 * nothing is freed before its arena is. Functions that can fail return false or NULL and leave
 * the reason, one line without a full stop, in a caller's Buf or in errno, as each one says.
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

/* After a driver's call little of a program is in the first cache, and the next call costs as many
 * lines as its code and data have: what is rare is told so, and goes out of the way. */
#define LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define COLD                __attribute__((noinline, cold))

/* Internal errors: a state that the code rules out. Prints the place and aborts; never for input.
 */
_Noreturn void die_at(const char *file, int line, const char *format, ...) PRINTF_LIKE(3, 4);
#define die(...) die_at(__FILE__, __LINE__, __VA_ARGS__)

/* Memory that runs out is no internal error. A thread says where it goes on then:
 *
 *     MemoryEscape escape;
 *     memory_escape_enter(&escape);
 *     if (setjmp(escape.at) == 0) { ...; memory_escape_leave(&escape); }
 *     else { what was being done is given up; arenas are whole, and have to be freed }
 *
 * Escapes nest. Without one, the process says so and aborts. */
typedef struct MemoryEscape {
  jmp_buf at;
  struct MemoryEscape *outer;
  size_t bytes;    /* that were asked for; 0: unknown */
  bool is_foreign; /* LLVM's memory: none of its functions may be called for what it was making */
} MemoryEscape;
void memory_escape_enter(MemoryEscape *escape);
void memory_escape_leave(MemoryEscape *escape);
/* No escape while functions run that must come to their end, as those of pthread_once and children
 * do. */
MemoryEscape *memory_escape_suspend(void);
void memory_escape_resume(MemoryEscape *escape);
bool memory_can_escape(void);
_Noreturn void memory_is_out(size_t bytes, bool is_foreign);

/* arena.c ----------------------------------------------------------------------------------- */

typedef struct ArenaBlock ArenaBlock;

/* Bump allocation by lifetime. A zeroed Arena is an empty one. Memory is zeroed. Not locked. */
typedef struct Arena {
  ArenaBlock *block;     /* newest first */
  char *cur, *end;       /* the free part of the newest block */
  size_t reserved_bytes; /* total taken from malloc */
} Arena;

void *arena_alloc(Arena *arena, size_t bytes);       /* aligned to 16; memory_is_out */
void *arena_alloc_words(Arena *arena, size_t bytes); /* aligned to 8 */
/* Makes the arena's last piece longer where it is; false if it is not the last or room is out. */
bool arena_extend(Arena *arena, const void *piece, size_t bytes, size_t more_bytes);
char *arena_strndup(Arena *arena, const char *text, size_t len);
char *arena_strdup(Arena *arena, const char *text);
char *arena_printf(Arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(Arena *arena, const char *format, va_list values);
void arena_free(Arena *arena);  /* gives everything back; the arena is empty again */
void arena_reset(Arena *arena); /* is empty again, and keeps its newest block */
/* Where AddressSanitizer looks on: nobody may touch these bytes of a piece, 8 at a time. */
#ifdef __SANITIZE_ADDRESS__
#define ARENA_IS_GUARDED
void arena_guard(void *bytes, size_t count);
#endif
void arena_keep_heap(void); /* once a process: freed memory stays with it, up to 32 MiB */

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

/* Bytes that grow, always followed by a NUL that is not counted. Lives in its arena. */
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
void buf_clear(Buf *buf);                   /* empty again, and keeps its room */
void buf_printf(Buf *buf, const char *format, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(Buf *buf, const char *format, va_list values);
void buf_json_string(Buf *buf, const char *text, size_t len); /* quoted and escaped */
const char *buf_text(const Buf *buf);                         /* "" while empty */

/* name.c ------------------------------------------------------------------------------------ */

/* An interned string: equal names are equal pointers. */
typedef struct Name {
  uint32_t len;
  uint32_t hash;
  struct Name *next;        /* in its hash chain */
  const struct Name *later; /* the one made after it */
  void *bound;              /* its user's: what the name stands for at the moment */
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
/* Chains: the digest of `so_far` followed by data, lengths included, so that parts can't blur. */
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
  FILE_PIPE,    /* or a pipe that somebody has opened for writing, at most PIPE_BYTES_MAX */
  FILE_WAIT     /* or a pipe that somebody will open for writing: it is waited for */
} FileKind;
enum { FILE_BYTES_MAX = INT32_MAX, PIPE_BYTES_MAX = 256 << 20 };

/* Reads a whole file; data is followed by a NUL. False with errno set, which file_why puts in
 * words. */
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

/* cpu.c ------------------------------------------------------------------------------------- */

/* What code for the host is made for: "x86-64-v3", or "x86-64" where the machine has no more. */
const char *host_cpu(void);
bool host_cpu_runs(const char *cpu); /* whether code for that runs here */

/* device_name.c ----------------------------------------------------------------------------- */

/* Reads "cuda:1", a number of digits alone; false: it is something else. */
bool gpu_ordinal(const char *name, int *out_ordinal);

/* dl.c -------------------------------------------------------------------------------------- */

/* Opens the first of `names` (NULL-ended) that loads; a name with a '/' is a path. Returns the
 * dlopen handle, and the name in *out_name; or NULL with one line per try in `why`. */
void *dl_open(const char *const *names, const char **out_name, Buf *why);
/* Fills `count` function pointers from symbols; returns the first one that is missing, or NULL. */
const char *dl_fill(void *library, const char *const *symbols, void **out, size_t count);

/* toolkit.c --------------------------------------------------------------------------------- */

/* One part of the CUDA toolkit, found as cuda.pathfinder finds it. */
typedef enum ToolkitPart {
#define TOOLKIT_PART(id, ...) TOOLKIT_##id,
#include "toolkit.def"
  TOOLKIT_COUNT
} ToolkitPart;

/* The path of a part, or NULL; `why` (may be NULL) gets one line for each place looked at. */
const char *toolkit_find(ToolkitPart part, Arena *arena, Buf *why);
/* The same; *out_step says in which place of the order it was, for people. */
const char *toolkit_locate(ToolkitPart part, Arena *arena, Buf *why, const char **out_step);
/* The same, but no library is opened to see where the loader finds it: microseconds. */
const char *toolkit_glance(ToolkitPart part, Arena *arena);
const char *toolkit_part_name(ToolkitPart part);
/* A folder's name as a part of a pattern of glob(3) that fits it alone. */
const char *glob_literal(Arena *arena, const char *folder);
/* One digest of which files toolkit_find finds, for the keys of caches: of the parts that make
 * code. Looks at names, sizes and times only: no library is opened, so it takes microseconds. */
Digest toolkit_identity(Arena *arena);

/* toolkit_version.c ------------------------------------------------------------------------- */

/* Versions are numbers as CUDA_VERSION is: 13.0 is 13000; 0 is not known. */
typedef struct ToolkitVersion {
  int number;
  const char *source; /* the file, or the wheel's folder, that says so */
} ToolkitVersion;

/* CUDA_VERSION in the text of a cuda.h, or 0. */
int toolkit_header_version(const char *text);
/* The version of the toolkit that a file is of; false if nothing says. */
bool toolkit_version(const char *path, Arena *arena, ToolkitVersion *out);

/* All parts; the path of one that is not found is NULL. */
typedef struct ToolkitSurvey {
  const char *paths[TOOLKIT_COUNT], *places[TOOLKIT_COUNT];
  ToolkitVersion versions[TOOLKIT_COUNT];
} ToolkitSurvey;

void toolkit_survey(Arena *arena, ToolkitSurvey *out);

/* What is asked of the parts; 0 asks nothing. */
typedef struct ToolkitLimits {
  int driver, branch; /* of the driver: 13000, 580 */
  int least, below;   /* versions */
  bool is_strict;     /* every part's version is to be known */
} ToolkitLimits;

/* A line in `out` for each thing that does not fit, and the way out; in `notes` for what fits in
 * part. The number of things that do not fit. */
unsigned toolkit_judge(const ToolkitSurvey *survey, const ToolkitLimits *limits, Buf *out,
                       Buf *notes);

/* fork() of a child that the kernel kills when the thread that called this ends (process.c). */
pid_t fork_child(void);

/* Runs in a child: what it leaves in `out` is the answer. */
typedef void ChildWork(void *user, Buf *out);

/* A child that works beside this process, and gives bytes back (process.c). */
typedef struct Child {
  pid_t id;
  int answer, said; /* files in memory: what `work` made, what was printed */
  int done;         /* the end of a pipe */
  ChildWork *work;  /* is begun anew in another child if it stands still */
  void *user;
} Child;

typedef struct ChildEnd {
  int signal;   /* that ended it; 0: it exited, or there is no knowing */
  bool is_hung; /* it was killed, for it did not end */
} ChildEnd;

/* False, with errno, if there is no child. */
bool child_start(Child *child, ChildWork *work, void *user);
/* Waits. Whether there is an answer; it and what was printed go behind what the buffers have. */
bool child_finish(Child *child, Buf *answer, Buf *said, ChildEnd *out_end);
void child_cancel(Child *child); /* instead */

/* For how many seconds a child may stand still, the first time and each further one. */
enum { CHILD_TRIES = 8 };
extern double child_stalls[CHILD_TRIES];

/* Seconds on a clock that never goes back (arena.c). */
double seconds_now(void);

#endif
