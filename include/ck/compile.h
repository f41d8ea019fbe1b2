/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/compile.h - the compiler as a library (libckc): it turns CK text into code and a manifest.
 *
 * - ck_compile() may be called from any number of threads at once: compilations share no state.
 * - It never exits, prints or aborts because of its input: errors are text in the result.
 * - The caller owns a ck_compilation_t and gives it up with ck_compilation_release(). What its
 *   accessors return is borrowed from it.
 *
 * The second half describes the machine code that CK_EMIT_HOST makes: how the host device calls it,
 * and which functions it calls back.
 */
#ifndef CK_COMPILE_H
#define CK_COMPILE_H

#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The form of the output. The values are stable. */
typedef enum ck_emit {
  CK_EMIT_DEFAULT = 0,   /* the form that a device of the target loads: cubin (PTX without
                         * nvJitLink), host */
  CK_EMIT_TOKENS = 1,    /* text: one token a line */
  CK_EMIT_AST = 2,       /* text: the syntax tree */
  CK_EMIT_LLVM = 3,      /* text: LLVM IR as generated, before target passes */
  CK_EMIT_NVVM = 4,      /* text: NVVM IR, the input of libNVVM */
  CK_EMIT_PTX = 5,       /* text: PTX, the manifest in trailing comment lines */
  CK_EMIT_LTOIR = 6,     /* libNVVM's LTO-IR */
  CK_EMIT_CUBIN = 7,     /* ELF for one sm_XX */
  CK_EMIT_FATBIN = 8,    /* code for several targets in one file */
  CK_EMIT_HOST = 9,      /* ELF object, x86-64, for ck_host_code_from_bytes */
  CK_EMIT_HEADER = 10,   /* text: C header with the image embedded */
  CK_EMIT_MANIFEST = 11, /* text: the JSON manifest alone */
  CK_EMIT_HEADS = 12     /* text: JSON that lists what the file declares */
} ck_emit_t;

typedef enum ck_backend {
  CK_BACKEND_AUTO = 0,    /* libNVVM where it is found, LLVM's NVPTX elsewhere */
  CK_BACKEND_LIBNVVM = 1, /* CK_UNAVAILABLE if libNVVM is not found */
  CK_BACKEND_NVPTX = 2    /* LLVM's own back end; needs no CUDA toolkit */
} ck_backend_t;

#define CK_COMPILE_DEBUG    1u /* -g: variables and lines for cuda-gdb; turns optimisation off */
#define CK_COMPILE_LINEINFO 2u /* -lineinfo: lines for profilers; no cost at run time */
#define CK_COMPILE_CHECK    4u /* -check: test extents and launch contracts while running */
#define CK_COMPILE_ISOLATE                                                                         \
  8u                         /* run libNVVM in a child process, so that its crash becomes a
                              * diagnostic */
#define CK_COMPILE_TIME  16u /* measure the passes, for ck_compilation_times() */
#define CK_COMPILE_JSON  32u /* the log has one JSON object per line (docs/diagnostics.md) */
#define CK_COMPILE_COLOR 64u /* the log has a terminal's colours; JSON has none */
#define CK_COMPILE_ONLY                                                                            \
  128u /* of generic kernels, compile `instances` only, not those that are exported */
#define CK_COMPILE_CONFINE                                                                         \
  256u /* imports are searched in `import_folders` only; without these there are none */
/* Code that is made in less time and runs slower, for first launches: long loops aren't unrolled,
 * the optimiser does less, LLVM's back end and a fast ptxas are used. It computes the same bits. A
 * kernel for which that isn't certain, because it multiplies floating-point numbers and adds them,
 * is compiled as without this flag; ck_compilation_is_quick tells. */
#define CK_COMPILE_QUICK 512u
/* With CK_COMPILE_QUICK: floating-point numbers may be added by a grid whose size depends on the
 * registers of the code. Their sum may differ in its last bits then. */
#define CK_COMPILE_QUICK_SUMS 1024u

/* Optimisation levels. 0 is the default, so that a zeroed options struct optimises. */
typedef enum ck_opt_level {
  CK_OPT_DEFAULT = 0, /* as CK_OPT_3. An algorithm's first launches may use code that was made in
                       * less time (docs/runtime.md) */
  CK_OPT_0 = 1,
  CK_OPT_1 = 2, /* for the host: a third of the compile time of CK_OPT_2 */
  CK_OPT_2 = 3,
  CK_OPT_3 = 4
} ck_opt_level_t;

typedef struct ck_compile_options {
  size_t struct_size;
  const char *file_name;      /* for diagnostics, line info, and the folder of imports; default
                               * "kernel.ck" */
  const char *target;         /* "sm_75" ... "sm_121a" or "host"; default "host" */
  const char *stop_after;     /* a pass of passes.def or a repair; its dump is the output */
  const char *dump;           /* comma-separated passes whose dumps are written to the log */
  const char *lib_folder;     /* its files replace those of the embedded library */
  const char *const *defines; /* `define_count` texts NAME=VALUE that set constants of the module */
  size_t define_count;
  const char *const *instances; /* `instance_count` texts such as "softmax<bf16, 512>" */
  size_t instance_count;
  const char *const *import_folders; /* searched for `import` after the file's own folder */
  size_t import_folder_count;
  ck_emit_t emit;
  ck_backend_t backend;
  ck_opt_level_t opt_level;
  uint32_t flags; /* CK_COMPILE_* */
  /* `warning_count` words; of two words for the same id the last one counts. "ID" and "no-ID" turn
   * a warning on and off (docs/diagnostics.md), "error" makes all warnings errors, "error=ID" and
   * "no-error=ID" decide it for one of them. By default all warnings are on. */
  const char *const *warnings;
  size_t warning_count;
  /* `no_repair_count` rows of compiler/repair/repair.def, or "all": the code is made as if LLVM,
   * libNVVM and ptxas had no such bug. For tests of those. */
  const char *const *no_repairs;
  size_t no_repair_count;
  /* The table of values for tuning parameters, constants declared as `tune(...)`. NULL: the one
   * beside the source, k.tune for "k.ck", if `file_name` is set and there is one. */
  const char *tuning_file;
  /* The problem size for which the code is made, as in the table's column of sizes; 0: unknown, and
   * rows of that table for a range of sizes don't count. */
  uint64_t problem_size;
  /* The `kernel_count` kernels of which code and manifest are made, by the names that the manifest
   * of all has, such as "sort.2.fold" for a step of an algorithm. 0: all. An algorithm of several
   * kernels is in the manifest of all only. */
  const char *const *kernels;
  size_t kernel_count;
} ck_compile_options_t;

typedef struct ck_compilation ck_compilation_t;

/* Compiles one CK module.
 *
 * source   CK text, UTF-8, `bytes` long; need not end in NUL
 * options  NULL: host code with all defaults
 * out      a result in every case but CK_OUT_OF_MEMORY, so that the log can be read
 * returns  CK_OK; CK_COMPILE for errors in the source; CK_INVALID_ARGUMENT for an option, such as a
 *          number that is no enumerator or a bit that is no CK_COMPILE_*; CK_UNAVAILABLE if a part
 *          of the CUDA toolkit is missing; CK_OUT_OF_MEMORY, after which the process can go on, but
 *          memory that LLVM held is leaked; CK_INTERNAL otherwise. libNVVM and nvJitLink end the
 *          process when they run out of memory: see CK_COMPILE_ISOLATE
 */
CK_API ck_status_t ck_compile(const char *source, size_t bytes, const ck_compile_options_t *options,
                              ck_compilation_t **out);
CK_API void ck_compilation_release(ck_compilation_t *compilation);

/* Makes code of a program of which ck_compile has made the manifest alone (CK_EMIT_MANIFEST). What
 * that has read and checked isn't read and checked again.
 *
 * checked  gets the new output, manifest and log instead of the old ones. May be given once
 * options  those that ck_compile had, but for `emit`, `kernels`, CK_COMPILE_QUICK_SUMS; and for
 *          CK_COMPILE_QUICK
 * returns  as ck_compile; CK_INVALID_ARGUMENT also for a compilation that is no such one, and where
 *          CK_COMPILE_QUICK has decided what was checked. CK_COMPILE also where the code can't be
 *          quick. ck_compile makes it in both cases
 */
CK_API ck_status_t ck_compile_kernels(ck_compilation_t *checked,
                                      const ck_compile_options_t *options);

/* The output in the requested form; *out_bytes does not count the NUL that follows text. Forms that
 * devices load contain their manifest (docs/manifest.md). NULL and 0 after a failure. */
CK_API const void *ck_compilation_output(const ck_compilation_t *compilation, size_t *out_bytes);

/* The diagnostics: "file:line:col: error: ..." with the source line below each; with
 * CK_COMPILE_JSON, one object per line; "" if there are none. */
CK_API const char *ck_compilation_log(const ck_compilation_t *compilation);

/* The manifest as JSON (docs/manifest.md); "" until the module has been checked. */
CK_API const char *ck_compilation_manifest(const ck_compilation_t *compilation);

/* The form that CK_EMIT_DEFAULT stood for: CK_EMIT_CUBIN, CK_EMIT_PTX or CK_EMIT_HOST. */
CK_API ck_emit_t ck_compilation_form(const ck_compilation_t *compilation);

/* Whether the code is what CK_COMPILE_QUICK makes. */
CK_API int ck_compilation_is_quick(const ck_compilation_t *compilation);

/* The files that were read besides the source, as absolute paths: imports, and files of lib_folder.
 * By index from 0; NULL after the last. A build system compares them with the output. */
CK_API const char *ck_compilation_file(const ck_compilation_t *compilation, size_t index);

/* The resources of each kernel, as a table in text: registers, bytes of shared memory, of local
 * memory, and of register spills. "" if the target has no linker that reports them, that is, unless
 * the output is a cubin. */
CK_API const char *ck_compilation_resources(const ck_compilation_t *compilation);

/* With CK_COMPILE_TIME, a line "pass seconds" for each pass, in order; "" otherwise. */
CK_API const char *ck_compilation_times(const ck_compilation_t *compilation);

/* The text that `ckc explain ID` prints: cause, example, remedy. NULL for an unknown id. Valid
 * until the next call on this thread. */
CK_API const char *ck_explain(const char *diagnostic_id);
/* The ids of all errors and warnings, by index from 0; NULL after the last. */
CK_API const char *ck_diagnostic_id(size_t index);

/* A digest (32 hexadecimal digits) of everything except source and options that the output of
 * ck_compile depends on: the compiler's version and build, libNVVM, libdevice, nvJitLink. It is
 * part of the key of every cache. The first call searches for the toolkit; later calls are cheap.
 */
CK_API const char *ck_compiler_digest(void);

/* ---- host code ------------------------------------------------------------------------------
 *
 * CK_EMIT_HOST makes x86-64 code for the host device. A kernel `k` is one of two kinds of function;
 * "coroutine" in its manifest says which. Arguments are passed as to cuLaunchKernel: args[i] points
 * to the value of parameter i.
 *
 *   plain      void k(void **args, const ck_host_block_t *block)
 *              executes all threads of the block
 *   coroutine  void *k(void *frame, void **args, ck_host_thread_t *thread)
 *              starts one thread and executes it up to its first wait (a barrier or a warp
 *              operation). It returns the thread's coroutine state. The first word of the state is
 *              the function that resumes the thread, void (*)(void *state), or NULL when the thread
 *              has ended. The state lies in `frame`, which has CK_HOST_FRAME_BYTES aligned to
 *              CK_HOST_FRAME_ALIGNMENT, or in memory from ck_host_frame if it is larger.
 *              thread->wait says what the thread waits for.
 *
 * The manifest behind the image has what a launch must know of a kernel. So that the image and the
 * manifest can't be combined wrongly, each has a digest of the other: the manifest's last key,
 * "image", is the digest of the image, and the image's section CK_HOST_MANIFEST_SECTION is the
 * digest, 16 bytes, of the manifest up to that key.
 */
#define CK_HOST_MANIFEST_SECTION ".ck.manifest"

#define CK_HOST_FRAME_BYTES     256
#define CK_HOST_FRAME_ALIGNMENT 128 /* the size of the largest vector, 16 f64 */

typedef struct ck_host_block {
  uint32_t id[3];         /* blockIdx */
  uint32_t dim[3];        /* blockDim */
  uint32_t grid_dim[3];   /* gridDim */
  uint32_t size;          /* dim[0] * dim[1] * dim[2] */
  unsigned char *shared;  /* static shared memory of this block, aligned to 128 */
  unsigned char *dynamic; /* dynamic shared memory, aligned to 128 */
  uint64_t dynamic_bytes;
  void *owner;             /* private to the host device */
  uint32_t cluster_dim[3]; /* blocks in a cluster; without clusters, 1 */
  uint32_t cluster_id[3];  /* index of the cluster in the grid */
  uint32_t cluster_rank;   /* index of the block in its cluster, x fastest */
  uint32_t cluster_size;   /* cluster_dim[0] * cluster_dim[1] * cluster_dim[2] */
} ck_host_block_t;

typedef enum ck_host_wait {
  CK_HOST_WAIT_NONE = 0,
  CK_HOST_WAIT_BLOCK = 1, /* until every thread of the block that has not ended waits here */
  CK_HOST_WAIT_WARP = 2,  /* likewise for the threads of wait_mask in its warp */
  CK_HOST_WAIT_GRID = 3,  /* until every thread of the grid waits here; the kernel is cooperative */
  CK_HOST_WAIT_CLUSTER = 4, /* until every thread of the cluster that has not ended waits here */
  /* until the top bit of the u64 at the address `value` differs from the parity in wait_mask */
  CK_HOST_WAIT_PHASE = 5,
  /* until every thread of some warps that has not ended waits with the same wait_mask: the first
   * warp << 8 | the number of warps */
  CK_HOST_WAIT_PART = 6,
  CK_HOST_WAIT_POLL = 7, /* until others have gone on: the thread polls what they write */
  CK_HOST_WAIT_COUNT
} ck_host_wait_t;

/* The data exchange that the host device performs when all lanes of a warp operation have arrived.
 */
typedef enum ck_host_exchange {
#define EXCHANGE(name, text) CK_HOST_EXCHANGE_##name,
#include "ck/host_exchange.def"
  CK_HOST_EXCHANGE_COUNT
} ck_host_exchange_t;

typedef struct ck_host_thread {
  const ck_host_block_t *block;
  uint32_t id[3];     /* threadIdx */
  uint32_t rank;      /* id[0] + dim[0] * (id[1] + dim[1] * id[2]) */
  uint32_t wait;      /* ck_host_wait_t, set by the code before it suspends */
  uint32_t wait_mask; /* lanes, for CK_HOST_WAIT_WARP; a parity or warps, for the last two */
  uint32_t wait_line; /* line of the source, for messages; 0: in the CK library */
  uint32_t exchange;  /* ck_host_exchange_t; a block's barrier uses `none` and `same` */
  uint64_t value;     /* in: the thread's value; out: the result of the exchange */
  uint32_t operand;   /* of a shuffle: lane, distance or mask */
  uint32_t clamp;     /* of a shuffle: the last operand of PTX's shfl.sync */
} ck_host_thread_t;

/* A place in the source, for messages of checked builds. */
typedef struct ck_host_site {
  const char *file, *text; /* the expression as written */
  const char *name;        /* the variable that is accessed */
  uint32_t line, col;
} ck_host_site_t;

/* Flags of an access. */
#define CK_HOST_ACCESS_READ   1u
#define CK_HOST_ACCESS_WRITE  2u
#define CK_HOST_ACCESS_ATOMIC 4u
#define CK_HOST_ACCESS_NEW                                                                         \
  8u                             /* no access: a shared variable begins here, in memory that
                                  * others used */
#define CK_HOST_ACCESS_PARTS 16u /* of a struct, a tuple or an array: parts may be unwritten */

/* Functions that host code calls. Its loader supplies them under these names:
 *
 *   void *ck_host_frame(void *frame, uint32_t bytes)
 *         returns `frame` if CK_HOST_FRAME_BYTES are enough for `bytes`, otherwise other memory
 *         that is valid until the block ends
 *   void ck_host_print(const ck_host_thread_t *, const char *format, const void *values)
 *         `values` is packed as for CUDA's vprintf: each argument at its natural alignment, small
 *         integers as 32 bits, f32 as f64
 *   void ck_host_assert(const ck_host_thread_t *, const char *message, const char *file,
 *                       uint32_t line, const char *function)      must not return
 *   void ck_host_trap(const ck_host_thread_t *, const char *file, uint32_t line)   must not return
 *
 *   void *ck_host_map(const ck_host_thread_t *, void *address, uint32_t rank)
 *         translates an address in the shared memory of the thread's block to the same place in the
 *         shared memory of block `rank` of its cluster; NULL if there is no such block, or if the
 *         address is not in shared memory
 *
 *   void ck_host_set_condition(uint64_t condition, uint32_t value)       of a graph (ck/graph.h)
 *   uint32_t ck_host_launch_graph(uint64_t graph, uint64_t how)          returns a cudaError_t
 *   void ck_host_texture_sample(uint64_t texture, float x, float y, float z, uint32_t layer,
 *                               float level, uint64_t out)
 *   void ck_host_texture_fetch(uint64_t texture, int32_t x, int32_t y, int32_t z, uint32_t layer,
 *                              uint64_t out)
 *         store the bits of the four channels at the address `out`
 *   uint64_t ck_host_tensor_element(uint64_t map, uint32_t i, int32_t x, int32_t y, int32_t z,
 *                                   int32_t w)
 *         returns the bits of element i of the box at these coordinates, innermost first
 *   uint32_t ck_host_tensor_place(uint64_t map, uint32_t i)
 *         returns the index in the shared tile at which element i of a box is stored
 *   void ck_host_surface_load(uint64_t surface, int32_t x, int32_t y, int32_t z, uint32_t bytes,
 *                             uint64_t out)
 *   void ck_host_surface_store(..., uint64_t from)
 *         an element of `bytes` bytes; z is also the layer of a layered surface
 *
 * Checked builds also call:
 *
 *   void ck_host_check(const ck_host_thread_t *, const ck_host_site_t *caller, const char *format,
 *                      uint64_t a, uint64_t b)
 *         reports a failed test; must not return. `format` is a printf format for the six u32 of
 *         block and thread index, then a and b. With a caller, the message starts with its place,
 *         and has its text where the format has a \1
 *   void ck_host_access(const ck_host_thread_t *, const ck_host_site_t *, const void *address,
 *                       uint64_t bytes, uint32_t flags, const ck_host_site_t *caller)
 *         before an access to shared or global memory; flags: CK_HOST_ACCESS_*. For an access in
 *         the CK library, `caller` is the call in the user's program that led to it; else NULL.
 *         With CK_HOST_ACCESS_NEW, the thread passes the declaration of a shared variable whose
 *         memory other variables may have used before; the site is NULL
 *   void ck_host_fence(const ck_host_thread_t *)
 *         at a fence, or an atomic operation that is not relaxed
 *   void ck_host_wait(const ck_host_thread_t *, const ck_host_site_t *,
 *                     const ck_host_site_t *caller)
 *         before a barrier of the block
 *   void ck_host_copy(const ck_host_thread_t *, const ck_host_site_t *, const void *to,
 *                     const void *from, uint32_t bytes, uint32_t given,
 *                     const ck_host_site_t *caller)
 *         before memcpy_async copies; `given` bytes are read, the rest of `bytes` is filled with
 *         zeros
 *   void ck_host_bulk(const ck_host_thread_t *, const ck_host_site_t *, const void *to,
 *                     uint32_t bytes, const void *barrier, const ck_host_site_t *caller)
 *         behind a bulk copy to shared memory, which ends with the current phase of the mbarrier
 *   void ck_host_phase(const ck_host_thread_t *, const void *barrier)
 *         the thread has waited for a phase of the mbarrier, which is over
 *   void ck_host_copy_commit(const ck_host_thread_t *, uint32_t unused)
 *   void ck_host_copy_wait(const ck_host_thread_t *, uint32_t prior)
 *         at pipeline.commit() and pipeline.wait(prior = ...)
 */
typedef struct ck_host_symbol {
  const char *name;
  void *address;
} ck_host_symbol_t;

typedef struct ck_host_code ck_host_code_t;

/* Loads the output of CK_EMIT_HOST, on any thread. On failure *out_error has the reason: static or
 * thread-local text that is valid until the next call on this thread. */
CK_API ck_status_t ck_host_code_from_bytes(const void *image, size_t bytes,
                                           const ck_host_symbol_t *symbols, size_t symbol_count,
                                           ck_host_code_t **out, const char **out_error);
/* The address of a kernel by its symbol, or NULL. Valid until the code is released. */
CK_API void *ck_host_code_find(const ck_host_code_t *code, const char *symbol);
CK_API void ck_host_code_release(ck_host_code_t *code);

#ifdef __cplusplus
}
#endif
#endif
