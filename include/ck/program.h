/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/program.h - programs (source text), object code (their compiled form), and the cache of
 * compiled code.
 *
 * A program is written in CK, CUDA C++, PTX, NVVM IR or LTO-IR. Compiling it for a device gives
 * object code, which the cache keeps in memory and in a folder:
 *
 *   ck_program_create(source, bytes, NULL, &program);
 *   ck_program_compile(program, device, &code);
 *   ck_kernel_from_code(code, device, "saxpy", &kernel);
 *
 * Compiling CK needs libckc, which is opened at its first use from $CK_LIBCKC, else from the folder
 * of this library, else by the loader's search. Code that is in the cache needs neither LLVM nor a
 * CUDA toolkit.
 */
#ifndef CK_PROGRAM_H
#define CK_PROGRAM_H

#include "ck/compile.h"
#include "ck/device.h"
#include "ck/types.h"

#define CK_SPLIT_ALL UINT32_MAX /* threads: as many as the machine has cores */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ck_program ck_program_t;
typedef struct ck_object_code ck_object_code_t;

/* ---- programs ------------------------------------------------------------------------------ */

/* Makes a program from CK text. Nothing is compiled yet.
 *
 * source, bytes  UTF-8; copied
 * options        of the compiler (ck/compile.h); copied; NULL: defaults. `emit` is CK_EMIT_DEFAULT,
 *                CK_EMIT_PTX, CK_EMIT_CUBIN, CK_EMIT_FATBIN, CK_EMIT_HOST, or CK_EMIT_LTOIR for a
 *                linker. `target` NULL: that of the device for which the program is compiled
 * fails          CK_INVALID_ARGUMENT for numbers, flags and lists that are wrong by themselves;
 *                wrong combinations and unknown targets are errors of ck_program_compile
 */
CK_API ck_status_t ck_program_create(const char *source, size_t bytes,
                                     const ck_compile_options_t *options,
                                     ck_program_t **out_program);
CK_API ck_program_t *ck_program_retain(ck_program_t *program);
CK_API void ck_program_release(ck_program_t *program);

/* Compiles for a device, or takes the code from the cache.
 *
 * With algorithms of several kernels, code for a device is made in parts. The program is checked
 * now; each kernel is compiled when ck_kernel_from_code opens it, or when an algorithm first
 * launches it, several of them at a time. A launch may then fail as this function does otherwise.
 * Whoever asks for the code itself, such as ck_object_code_bytes or ck_object_code_save, gets all
 * kernels, which are compiled at that time. Without a device, for a program with imports or with a
 * cache of the caller's, all kernels are compiled here.
 *
 * device   what to compile for; may be NULL if the options name a target
 * threads  any; one program may be compiled for several devices at a time
 * fails    CK_COMPILE for errors in the source: ck_last_error() has the first lines of the log,
 *          ck_program_log() all of it; CK_UNAVAILABLE without libckc or a part of the toolkit
 */
CK_API ck_status_t ck_program_compile(ck_program_t *program, ck_device_t *device,
                                      ck_object_code_t **out_code);

/* The log of the program's last compilation: errors or warnings, "" if there are none. Valid until
 * the program is compiled again or released. */
CK_API const char *ck_program_log(const ck_program_t *program);

/* ---- programs of other languages ------------------------------------------------------------ */

typedef enum ck_program_kind {
  CK_PROGRAM_CK = 0,   /* by libckc: ck_program_create */
  CK_PROGRAM_CUDA = 1, /* CUDA C++, by NVRTC */
  CK_PROGRAM_PTX = 2,  /* by the linker (ck/linker.h) */
  CK_PROGRAM_NVVM = 3, /* NVVM IR, text or bitcode, by libNVVM */
  CK_PROGRAM_LTOIR = 4 /* by the linker */
} ck_program_kind_t;

/* An additional NVVM IR module of a program. */
typedef struct ck_program_source {
  const char *name;
  const char *text; /* `bytes` long; need not end in NUL */
  size_t bytes;
} ck_program_source_t;

/* Options for programs in other languages than CK; the names are those of cuda.core's
 * ProgramOptions. The letters say which kinds of program have an option: C CUDA C++, N NVVM IR, P
 * PTX and LTO-IR. An option that is set where the kind lacks it is CK_UNSUPPORTED. */
typedef struct ck_program_options {
  size_t struct_size;
  const char
      /* CNP name in messages and debuggers, a path if there is a file. Default: "default_program".
       * With debug or lineinfo, CUDA C++ gets the path of a copy of the source in $TMPDIR instead,
       * which exists as long as the program, its code or a kernel; code that refers to it is not
       * put into the cache's folder. */
      *name;
  const char *target; /* CNP "sm_90"; default: the device's */
  ck_emit_t emit;     /* CNP CK_EMIT_CUBIN (default), CK_EMIT_PTX, CK_EMIT_LTOIR (C, N) */
  /* C   kernels and variables to instantiate, such as "saxpy<float>", in any order;
   *     ck_kernel_from_code finds them by these names */
  const char *const *name_expressions;
  size_t name_expression_count;
  ck_choice_t relocatable_device_code;  /* C   on for CK_EMIT_LTOIR */
  ck_choice_t extensible_whole_program; /* C */
  ck_choice_t debug;                    /* CNP */
  ck_choice_t lineinfo;                 /* CNP */
  ck_choice_t device_code_optimize;     /* CN  CK_ON optimises a program with debug too */
  const char *const *ptxas_options;     /* C P in the syntax of ptxas: "-v" */
  size_t ptxas_option_count;
  uint32_t max_registers;                 /* C P per thread */
  ck_choice_t ftz;                        /* CNP flush denormal f32 to zero */
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
  const char *const *include_paths; /* C   NVRTC has no default path: ck_toolkit_find */
  size_t include_path_count;
  const char *const *pre_includes; /* C   headers that are included first */
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
  const int *diag_error;                         /* C   numbers of messages to treat as errors */
  size_t diag_error_count;
  const int *diag_suppress; /* C */
  size_t diag_suppress_count;
  const int *diag_warn; /* C */
  size_t diag_warn_count;
  const char *time;                /* C P file for timings (P: any text; the log has the timings) */
  uint32_t split_compile;          /* C P threads, or CK_SPLIT_ALL */
  ck_choice_t fdevice_syntax_only; /* C   only check: the code has no kernels */
  ck_choice_t minimal;             /* C   fewer language features, quicker */
  ck_choice_t no_cache;            /* C P the tool's own cache on disk */
  const char *fdevice_time_trace;  /* C   file name, to which NVRTC appends ".json" */
  const char *frandom_seed;        /* C */
  const char *ofast_compile;       /* C   "0", "min", "mid", "max" */
  ck_choice_t pch;                 /* C   automatic precompiled headers; CUDA 12.8 */
  const char *create_pch;          /* C   a file */
  const char *use_pch;             /* C   a file */
  const char *pch_dir;             /* C */
  ck_choice_t pch_verbose;         /* C */
  ck_choice_t pch_messages;        /* C */
  ck_choice_t instantiate_templates_in_pch; /* C */
  const ck_program_source_t *extra_sources; /* N  more modules */
  size_t extra_source_count;
  ck_choice_t use_libdevice;       /* N   link functions such as __nv_sinf */
  ck_choice_t numba_debug;         /* CN */
  ck_choice_t use_bundled_headers; /* C   the CUDA headers inside NVRTC 13.3 */
  const char *const *extra;        /* CNP more options, in the tool's syntax */
  size_t extra_count;
} ck_program_options_t;

/* Makes a program in another language than CK. Nothing is compiled yet; ck_program_compile compiles
 * it and caches the code as for CK. A program that includes files, or whose options read files, is
 * compiled each time, unless ck_program_set_cache supplies a digest of these files; a program whose
 * options write files is compiled each time.
 *
 * source, bytes  copied; may be bitcode
 * options        copied; NULL: defaults
 * fails          CK_UNSUPPORTED: an option that the kind lacks, which the message names;
 *                CK_INVALID_ARGUMENT: CK_PROGRAM_CK, a form that the kind can't be compiled to, a
 *                number that is no ck_choice_t, or a count without a list
 */
CK_API ck_status_t ck_program_from_source(ck_program_kind_t kind, const char *source, size_t bytes,
                                          const ck_program_options_t *options,
                                          ck_program_t **out_program);

CK_API ck_program_kind_t ck_program_kind(const ck_program_t *program);

/* The compiler's own object, which holds the source: an nvrtcProgram for CUDA C++, an nvvmProgram
 * for NVVM IR, the result of ck_linker_get_native for PTX and LTO-IR, and NULL for CK. It is made
 * at the first call and borrowed until the last release. From then on compilations use it, so that
 * settings made in it count, and leave their results in it; a compilation that finds its code in
 * the cache does not.
 *
 * device   for PTX and LTO-IR, the device whose linker and target are used; otherwise it may be
 *          NULL
 * threads  any; a caller that uses the object prevents concurrent compilations of the program
 * fails    CK_UNAVAILABLE without the tool; as ck_program_compile
 */
CK_API ck_status_t ck_program_get_native(ck_program_t *program, ck_device_t *device,
                                         void **out_native);

/* Makes a program from a compiler's own object, which the caller keeps alive longer than the
 * program: an nvrtcProgram (CK_PROGRAM_CUDA) or nvvmProgram (CK_PROGRAM_NVVM) of the library that
 * this process has loaded. Its code is not cached.
 *
 * options  copied; NULL: defaults. name_expressions, extra_sources and libdevice are added to the
 *          object; the others are used by the compilation
 * fails    CK_INVALID_ARGUMENT for another kind; CK_UNAVAILABLE without the tool; CK_COMPILE: the
 *          tool refuses what is added
 */
CK_API ck_status_t ck_program_from_native(ck_program_kind_t kind, void *native,
                                          const ck_program_options_t *options,
                                          ck_program_t **out_program);

/* The result of precompiled headers in the program's last compilation. */
typedef enum ck_pch_status {
  CK_PCH_NONE = 0, /* not requested, or the code came from the cache */
  CK_PCH_CREATED = 1,
  CK_PCH_NOT_ATTEMPTED = 2, /* NVRTC saw no gain in making one, or used an existing one */
  CK_PCH_FAILED = 3
} ck_pch_status_t;

CK_API ck_pch_status_t ck_program_pch_status(const ck_program_t *program);

/* ---- object code --------------------------------------------------------------------------- */

/* Makes object code from a cubin, PTX, a fatbin, LTO-IR or host code, which are recognised by their
 * first bytes. LTO-IR is for a linker (ck/linker.h): no device loads it.
 *
 * data     copied. PTX need not end in NUL
 * fails    CK_INVALID_ARGUMENT if it is none of them, if a part of the image is missing, or if its
 *          manifest is malformed: a cubin, a fatbin or host code must be followed by a complete
 *          manifest, by zeros, or by nothing. Code without a manifest is accepted, but its launches
 *          are not checked, and the host device does not load it
 */
CK_API ck_status_t ck_object_code_from_bytes(const void *data, size_t bytes,
                                             ck_object_code_t **out_code);
/* The same from a file; CK_IO or CK_NOT_FOUND if it can't be read. */
CK_API ck_status_t ck_object_code_from_file(const char *path, ck_object_code_t **out_code);

CK_API ck_object_code_t *ck_object_code_retain(ck_object_code_t *code);
CK_API void ck_object_code_release(ck_object_code_t *code);

/* Writes the code with its manifest to a file.
 *
 * fails    CK_IO
 */
CK_API ck_status_t ck_object_code_save(const ck_object_code_t *code, const char *path);

/* The code with its manifest. NULL if it can't be made, for code that is made in parts. */
CK_API const void *ck_object_code_bytes(const ck_object_code_t *code, size_t *out_bytes);
CK_API ck_emit_t ck_object_code_form(const ck_object_code_t *code); /* CK_EMIT_CUBIN and so on */
CK_API const char *ck_object_code_manifest(const ck_object_code_t *code); /* JSON; "" without one */

/* The name of the code in messages: `file_name` or `name` of its program, or `name` of its linker.
 * It is part of the manifest, and so survives in files; "" without a manifest. */
CK_API const char *ck_object_code_name(const ck_object_code_t *code);

/* The kernels of the manifest; 0 without a manifest. Names as written in CK. */
CK_API size_t ck_object_code_kernel_count(const ck_object_code_t *code);
CK_API const char *ck_object_code_kernel_name(const ck_object_code_t *code, size_t index);

/* The driver's objects for the code: its CUlibrary, its CUmodule in the device's context, and a
 * variable by name or symbol, including __managed__ variables of CUDA C++. These functions load the
 * code if necessary; all objects live as long as the code.
 *
 * fails  CK_NOT_FOUND: there is no such variable; CK_UNSUPPORTED for modules and variables on the
 *        host device
 */
CK_API ck_status_t ck_object_code_get_native(ck_object_code_t *code, ck_device_t *device,
                                             void **out_library);
CK_API ck_status_t ck_object_code_get_module(ck_object_code_t *code, ck_device_t *device,
                                             void **out_module);
CK_API ck_status_t ck_object_code_get_global(ck_object_code_t *code, ck_device_t *device,
                                             const char *name, uint64_t *out_address,
                                             size_t *out_bytes);

/* The symbols of CUDA C++ name expressions such as "saxpy<float>": by index from 0, sorted by name,
 * the symbol, and the expression in *out_name (may be NULL); NULL after the last. */
CK_API size_t ck_object_code_symbol_count(const ck_object_code_t *code);
CK_API const char *ck_object_code_symbol(const ck_object_code_t *code, size_t index,
                                         const char **out_name);

/* ---- cache --------------------------------------------------------------------------------- */

typedef struct ck_cache_stats {
  uint64_t memory_hits; /* found in the memory of this process */
  uint64_t disk_hits;   /* found in the cache folder */
  uint64_t misses;      /* compiled */
  uint64_t rejected;    /* damaged entries on disk, which were removed */
} ck_cache_stats_t;

/* Counts of this library's cache since the process started. */
CK_API void ck_cache_get_stats(ck_cache_stats_t *out_stats);

/* Drops the code that this process caches in memory. The folder does not change. */
CK_API void ck_cache_clear(void);

/* A cache that the caller supplies. The key is a byte string made of the source and options of a
 * program, its target, and the toolkit's files on this machine; the value is object code.
 *
 * threads  the functions are called on the compiling thread without a lock, so concurrently if
 *          several threads compile. They may call this library
 * fails    a status other than CK_OK is returned by ck_program_compile or ck_cache_remove_program
 *          with a message that says which function failed; if a call of this library caused it,
 *          the message of that call is kept
 */
typedef struct ck_cache_functions {
  size_t struct_size;
  /* Returns a reference to the code for a key, which the library releases: from
   * ck_object_code_from_bytes, _from_file or ck_object_code_retain. CK_OK with *out_code left NULL:
   * not found. */
  ck_status_t (*get)(void *data, const void *key, size_t key_bytes, ck_object_code_t **out_code);
  /* Stores code: its bytes (ck_object_code_bytes, ck_object_code_save), or a reference. The key may
   * be in use already. */
  ck_status_t (*put)(void *data, const void *key, size_t key_bytes, ck_object_code_t *code);
  /* Removes an entry; CK_NOT_FOUND if there is none. NULL: ck_cache_remove_program is
   * CK_UNSUPPORTED. */
  ck_status_t (*remove)(void *data, const void *key, size_t key_bytes);
  void *data; /* passed to these functions; borrowed by the program */
} ck_cache_functions_t;

/* How the code of a program is cached. */
typedef struct ck_cache_options {
  size_t struct_size;
  const ck_cache_functions_t *functions; /* copied; NULL: this library's cache in memory and in
                                          * its folder */
  /* Copied. Bytes that become part of the key. If not NULL, they stand for the contents of all
   * files that the program reads, so that its code is cached. */
  const void *extra_digest;
  size_t extra_digest_bytes;
  /* CK_ON: an error of the cache's folder is CK_IO. Otherwise it is only logged (CK_LOG=cache), and
   * the code is not cached. */
  ck_choice_t strict;
} ck_cache_options_t;

/* Sets how a program's code is cached, for programs in any language.
 *
 * options  NULL: as for a new program
 * threads  before the program is compiled, or while no thread compiles it
 * fails    CK_INVALID_ARGUMENT: functions without `get` or `put`, or a `strict` that is no
 *          ck_choice_t
 */
CK_API ck_status_t ck_program_set_cache(ck_program_t *program, const ck_cache_options_t *options);

/* Removes the program's code for a device from its cache, so that the next compilation compiles.
 * Code objects that exist stay valid.
 *
 * device   as for ck_program_compile
 * threads  any
 * fails    CK_NOT_FOUND: it is not in the cache, or not cached at all; CK_IO: an error of the
 *          folder, strict or not; CK_UNSUPPORTED: the caller's cache has no `remove`
 */
CK_API ck_status_t ck_cache_remove_program(ck_program_t *program, ck_device_t *device);

#ifdef __cplusplus
}
#endif
#endif
