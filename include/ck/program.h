/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/program.h - programs (CK, CUDA C++, PTX, NVVM IR, LTO-IR), object code (what they compile to),
 * and the cache between.
 *
 * Compiling needs libckc, which is opened when it is first needed: $CK_LIBCKC, else beside this
 * library, else where the loader finds it. Object code that is in the cache needs neither LLVM nor
 * a CUDA toolkit.
 */
#ifndef CK_PROGRAM_H
#define CK_PROGRAM_H

#include "ck/compile.h"
#include "ck/device.h"
#include "ck/types.h"

#define CK_SPLIT_ALL UINT32_MAX /* of threads: as many as the machine has cores */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ck_program ck_program_t;
typedef struct ck_object_code ck_object_code_t;

/* ---- programs ------------------------------------------------------------------------------ */

/* Makes a program from CK text. Nothing is compiled yet.
 *
 * source, bytes  UTF-8; copied
 * options        of the compiler (ck/compile.h); copied; NULL: defaults. `emit` must be
 *                CK_EMIT_DEFAULT, CK_EMIT_PTX, CK_EMIT_CUBIN, CK_EMIT_FATBIN, CK_EMIT_HOST, or
 *                CK_EMIT_LTOIR, for a linker.
 *                `target` NULL: the device's that the program is compiled for
 * fails          CK_INVALID_ARGUMENT for options: numbers, flags and lists that there are not; what
 *                does not go together, or names no target, ck_program_compile says
 */
CK_API ck_status_t ck_program_create(const char *source, size_t bytes,
                                     const ck_compile_options_t *options,
                                     ck_program_t **out_program);
CK_API ck_program_t *ck_program_retain(ck_program_t *program);
CK_API void ck_program_release(ck_program_t *program);

/* Compiles for a device, or takes the result from the cache.
 *
 * device   what to compile for; may be NULL if the options name a target
 * threads  any; one program may be compiled for several devices at a time
 * fails    CK_COMPILE if the source is at fault: ck_last_error() has the first lines of the log,
 *          ck_program_log() all of it; CK_UNAVAILABLE without libckc or a part of the toolkit
 */
CK_API ck_status_t ck_program_compile(ck_program_t *program, ck_device_t *device,
                                      ck_object_code_t **out_code);

/* What the compiler said in the program's last compilation: errors or warnings, "" if none.
 * Valid until the program is compiled again or released. */
CK_API const char *ck_program_log(const ck_program_t *program);

/* ---- programs of other languages ------------------------------------------------------------ */

typedef enum ck_program_kind {
  CK_PROGRAM_CK = 0,   /* by libckc: ck_program_create */
  CK_PROGRAM_CUDA = 1, /* CUDA C++, by NVRTC */
  CK_PROGRAM_PTX = 2,  /* by the linker (ck/linker.h) */
  CK_PROGRAM_NVVM = 3, /* NVVM IR, text or bitcode, by libNVVM */
  CK_PROGRAM_LTOIR = 4 /* by the linker */
} ck_program_kind_t;

/* More NVVM IR that a program is made of. */
typedef struct ck_program_source {
  const char *name;
  const char *text; /* `bytes` long; need not end in NUL */
  size_t bytes;
} ck_program_source_t;

/* How code of other languages is made; cuda.core's ProgramOptions, by the same names. The letters
 * say which kinds have an option: C CUDA C++, N NVVM IR, P PTX and LTO-IR. One that is set where
 * the kind lacks it is CK_UNSUPPORTED. */
typedef struct ck_program_options {
  size_t struct_size;
  const char
      *name; /* CNP for messages and debuggers, a path if there is a file; "default_program", or
              * with debug or lineinfo a copy of C's source in $TMPDIR, which is there as long as
              * the program, its code or a kernel, and keeps the code out of the cache's folder */
  const char *target; /* CNP "sm_90"; default: the device's */
  ck_emit_t emit;     /* CNP CK_EMIT_CUBIN (default), CK_EMIT_PTX, CK_EMIT_LTOIR (C, N) */
  const char *const *name_expressions; /* C   "saxpy<float>": kernels and variables to be made, and
                                        * the names that ck_kernel_from_code finds them by; in any
                                        * order */
  size_t name_expression_count;
  ck_choice_t relocatable_device_code;  /* C   on for CK_EMIT_LTOIR */
  ck_choice_t extensible_whole_program; /* C */
  ck_choice_t debug;                    /* CNP */
  ck_choice_t lineinfo;                 /* CNP */
  ck_choice_t device_code_optimize;     /* CN  CK_ON optimises a program with debug too */
  const char *const *ptxas_options;     /* C P as ptxas has them: "-v" */
  size_t ptxas_option_count;
  uint32_t max_registers;                 /* C P of a thread */
  ck_choice_t ftz;                        /* CNP denormals of f32 are zeros */
  ck_choice_t prec_sqrt;                  /* CNP sqrt of f32 is rounded correctly */
  ck_choice_t prec_div;                   /* CNP so is / */
  ck_choice_t fma;                        /* CNP a * b + c is one operation */
  ck_choice_t use_fast_math;              /* C */
  ck_choice_t extra_device_vectorization; /* C */
  ck_choice_t link_time_optimization;     /* CNP LTO-IR; on for CK_EMIT_LTOIR */
  ck_choice_t gen_opt_lto;                /* C   optimised before the link too */
  const char *const *define_macros;       /* C   "NAME" or "NAME=VALUE" */
  size_t define_macro_count;
  const char *const *undefine_macros; /* C */
  size_t undefine_macro_count;
  const char *const *include_paths; /* C   NVRTC finds no header by itself: ck_toolkit_find */
  size_t include_path_count;
  const char *const *pre_includes; /* C   files that are read first */
  size_t pre_include_count;
  ck_choice_t no_source_include;        /* C   the source's own folder is not searched */
  const char *std;                      /* C   "c++17" */
  ck_choice_t builtin_move_forward;     /* C */
  ck_choice_t builtin_initializer_list; /* C */
  ck_choice_t disable_warnings;         /* C */
  ck_choice_t restrict_pointers;        /* C   `restrict`: parameters of kernels don't overlap */
  ck_choice_t device_as_default_execution_space; /* C */
  ck_choice_t device_int128;                     /* C */
  ck_choice_t device_float128;                   /* C */
  const char *optimization_info;                 /* C   "inline" */
  ck_choice_t no_display_error_number;           /* C */
  ck_choice_t brief_diagnostics;                 /* C */
  const int *diag_error;                         /* C   numbers of messages that are errors */
  size_t diag_error_count;
  const int *diag_suppress; /* C */
  size_t diag_suppress_count;
  const int *diag_warn; /* C */
  size_t diag_warn_count;
  const char *time;                /* C P a file for times (P: any text, they are in the log) */
  uint32_t split_compile;          /* C P threads, or CK_SPLIT_ALL */
  ck_choice_t fdevice_syntax_only; /* C   for messages: the code has no kernels */
  ck_choice_t minimal;             /* C   fewer language features, quicker */
  ck_choice_t no_cache;            /* C P the tool's own cache on disk */
  const char *fdevice_time_trace;  /* C   a file, to whose name NVRTC adds ".json" */
  const char *frandom_seed;        /* C */
  const char *ofast_compile;       /* C   "0", "min", "mid", "max" */
  ck_choice_t pch;                 /* C   precompiled headers, by themselves; CUDA 12.8 */
  const char *create_pch;          /* C   a file */
  const char *use_pch;             /* C   a file */
  const char *pch_dir;             /* C */
  ck_choice_t pch_verbose;         /* C */
  ck_choice_t pch_messages;        /* C */
  ck_choice_t instantiate_templates_in_pch; /* C */
  const ck_program_source_t *extra_sources; /* N  more modules */
  size_t extra_source_count;
  ck_choice_t use_libdevice;       /* N   functions such as __nv_sinf are there */
  ck_choice_t numba_debug;         /* CN */
  ck_choice_t use_bundled_headers; /* C   CUDA's headers that NVRTC 13.3 brings */
  const char *const *extra;        /* CNP more options, in the tool's own words */
  size_t extra_count;
} ck_program_options_t;

/* Makes a program of another language than CK. Nothing is compiled yet; ck_program_compile does it,
 * and keeps the code as it keeps CK's. A source that includes files, and options that read files,
 * are compiled each time, unless ck_program_set_cache has a digest of these files; options that
 * write files are compiled each time.
 *
 * source, bytes  copied; may be bitcode
 * options        copied; NULL: defaults
 * fails          CK_UNSUPPORTED: an option that the kind lacks, which the message names;
 *                CK_INVALID_ARGUMENT: CK_PROGRAM_CK, a form that is not made of the kind, a choice
 *                that is none, or a list that is not there
 */
CK_API ck_status_t ck_program_from_source(ck_program_kind_t kind, const char *source, size_t bytes,
                                          const ck_program_options_t *options,
                                          ck_program_t **out_program);

CK_API ck_program_kind_t ck_program_kind(const ck_program_t *program);

/* The tool's own object, with the source in it: an nvrtcProgram of CUDA C++, an nvvmProgram of NVVM
 * IR, and of PTX and LTO-IR what ck_linker_get_native gives; NULL of CK, which has none. Made at
 * the first call, and borrowed, until the last release. Compilations use it from then on, so what
 * is set in it counts, and leave their results in it; code that is in the cache leaves it alone.
 *
 * device   whose linker, or whose target, it is for, of PTX and LTO-IR; else it may be NULL
 * threads  any; who uses the object keeps others from compiling the program
 * fails    CK_UNAVAILABLE without the tool; as ck_program_compile
 */
CK_API ck_status_t ck_program_get_native(ck_program_t *program, ck_device_t *device,
                                         void **out_native);

/* Makes a program of a tool's own object, which stays the caller's and has to outlive the program:
 * an nvrtcProgram (CK_PROGRAM_CUDA) or nvvmProgram (CK_PROGRAM_NVVM) of the library that this
 * process has loaded. Its code is not kept.
 *
 * options  copied; NULL: defaults. name_expressions, extra_sources and libdevice are added to the
 *          object; the others are for the compilation
 * fails    CK_INVALID_ARGUMENT for another kind; CK_UNAVAILABLE without the tool; CK_COMPILE: the
 *          tool refuses what is added
 */
CK_API ck_status_t ck_program_from_native(ck_program_kind_t kind, void *native,
                                          const ck_program_options_t *options,
                                          ck_program_t **out_program);

/* What became of precompiled headers in the program's last compilation. */
typedef enum ck_pch_status {
  CK_PCH_NONE = 0, /* nothing was asked for, or the code was kept */
  CK_PCH_CREATED = 1,
  CK_PCH_NOT_ATTEMPTED = 2, /* NVRTC found no use in it, or used one that there was */
  CK_PCH_FAILED = 3
} ck_pch_status_t;

CK_API ck_pch_status_t ck_program_pch_status(const ck_program_t *program);

/* ---- object code --------------------------------------------------------------------------- */

/* Makes object code from a cubin, PTX, a fatbin, LTO-IR or host code; told apart by their first
 * bytes. LTO-IR is for a linker (ck/linker.h): no device loads it.
 *
 * data     copied. PTX need not end in NUL
 * fails    CK_INVALID_ARGUMENT if it is none of them, if a part of the image is missing, or if its
 *          manifest can't be read: behind a cubin, a fatbin or host code there may be a whole one,
 *          zeros, or nothing. Code without a manifest is taken; its launches are not checked, and
 *          the host device loads none
 */
CK_API ck_status_t ck_object_code_from_bytes(const void *data, size_t bytes,
                                             ck_object_code_t **out_code);
/* The same from a file; CK_IO or CK_NOT_FOUND if it can't be read. */
CK_API ck_status_t ck_object_code_from_file(const char *path, ck_object_code_t **out_code);

CK_API ck_object_code_t *ck_object_code_retain(ck_object_code_t *code);
CK_API void ck_object_code_release(ck_object_code_t *code);

/* Writes the code with its manifest to a file. fails CK_IO */
CK_API ck_status_t ck_object_code_save(const ck_object_code_t *code, const char *path);

CK_API const void *ck_object_code_bytes(const ck_object_code_t *code, size_t *out_bytes);
CK_API ck_emit_t ck_object_code_form(const ck_object_code_t *code); /* CK_EMIT_CUBIN and so on */
CK_API const char *ck_object_code_manifest(const ck_object_code_t *code); /* JSON; "" without one */

/* What messages call it: its program's `file_name` or `name`, or its linker's `name`. It stands in
 * the manifest, and so in files: "" without one. */
CK_API const char *ck_object_code_name(const ck_object_code_t *code);

/* The kernels that the manifest names; 0 without a manifest. Names as written in CK. */
CK_API size_t ck_object_code_kernel_count(const ck_object_code_t *code);
CK_API const char *ck_object_code_kernel_name(const ck_object_code_t *code, size_t index);

/* What the driver made of the code: its CUlibrary, its CUmodule in the device's context, and a
 * variable by its name or symbol, one of CUDA C++'s __managed__ too. Loads the code if need be; all
 * of it lives as long as the code.
 *
 * fails  CK_NOT_FOUND: there is no such variable; CK_UNSUPPORTED for modules and variables of the
 *        host device */
CK_API ck_status_t ck_object_code_get_native(ck_object_code_t *code, ck_device_t *device,
                                             void **out_library);
CK_API ck_status_t ck_object_code_get_module(ck_object_code_t *code, ck_device_t *device,
                                             void **out_module);
CK_API ck_status_t ck_object_code_get_global(ck_object_code_t *code, ck_device_t *device,
                                             const char *name, uint64_t *out_address,
                                             size_t *out_bytes);

/* Names that stand for symbols: CUDA C++'s name expressions, "saxpy<float>". By index from 0,
 * sorted by name, the symbol, and what it is called in *out_name (may be NULL); NULL behind the
 * last. */
CK_API size_t ck_object_code_symbol_count(const ck_object_code_t *code);
CK_API const char *ck_object_code_symbol(const ck_object_code_t *code, size_t index,
                                         const char **out_name);

/* ---- cache --------------------------------------------------------------------------------- */

typedef struct ck_cache_stats {
  uint64_t memory_hits; /* found in this process */
  uint64_t disk_hits;   /* found in the cache folder */
  uint64_t misses;      /* compiled */
  uint64_t rejected;    /* entries on disk that were damaged, and removed */
} ck_cache_stats_t;

/* Counts since the process started, of this library's cache. */
CK_API void ck_cache_get_stats(ck_cache_stats_t *out_stats);

/* Forgets what this process keeps in memory. The folder stays as it is. */
CK_API void ck_cache_clear(void);

/* A cache of the caller's own. A key is bytes, those of a program's source and options, of its
 * target, and of the toolkit's files on this machine; what is kept under it is object code.
 *
 * threads  the functions are called on the thread that compiles, without a lock: several at a time
 *          where several threads compile. They may call this library
 * fails    a status other than CK_OK is that of ck_program_compile or ck_program_forget, whose
 *          message says which function it was; a failure of this library that it passes on keeps
 *          its text
 */
typedef struct ck_cache_functions {
  size_t struct_size;
  /* Gives a reference to what is kept, which the library releases: ck_object_code_from_bytes,
   * _from_file, or a ck_object_code_retain. *out_code left NULL with CK_OK: it is not there. */
  ck_status_t (*get)(void *data, const void *key, size_t key_bytes, ck_object_code_t **out_code);
  /* Keeps code: its bytes (ck_object_code_bytes, ck_object_code_save), or a reference. There may be
   * some already under the key. */
  ck_status_t (*put)(void *data, const void *key, size_t key_bytes, ck_object_code_t *code);
  /* Takes an entry out; CK_NOT_FOUND: it is not there. NULL: ck_program_forget is CK_UNSUPPORTED.
   */
  ck_status_t (*remove)(void *data, const void *key, size_t key_bytes);
  void *data; /* handed to these; borrowed, by the program */
} ck_cache_functions_t;

/* How the code of a program is kept. */
typedef struct ck_cache_options {
  size_t struct_size;
  const ck_cache_functions_t *functions; /* copied; NULL: memory and the folder of this library */
  const void *extra_digest; /* copied; any bytes, which become part of the key. Not NULL: they stand
                             * for all files that the program reads, so that its code is kept */
  size_t extra_digest_bytes;
  ck_choice_t strict; /* CK_ON: what the folder refuses is CK_IO; else it is a line of CK_LOG=cache,
                       * and the code is not kept */
} ck_cache_options_t;

/* Says how a program's code is kept, of whatever language it is.
 *
 * options  NULL: as for a new program
 * threads  before the program is compiled, or when no thread compiles it
 * fails    CK_INVALID_ARGUMENT: functions without `get` or `put`, or a `strict` that is no choice
 */
CK_API ck_status_t ck_program_set_cache(ck_program_t *program, const ck_cache_options_t *options);

/* Takes the program's code for a device out of its cache: the next compilation compiles. Code that
 * somebody holds stays good.
 *
 * device   as for ck_program_compile
 * threads  any
 * fails    CK_NOT_FOUND: it is not there, or not kept at all; CK_IO: the folder refuses, strict or
 *          not; CK_UNSUPPORTED: the caller's cache has no `remove`
 */
CK_API ck_status_t ck_program_forget(ck_program_t *program, ck_device_t *device);

#ifdef __cplusplus
}
#endif
#endif
