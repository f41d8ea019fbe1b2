/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/kernel.h - kernels, their parameters and attributes, and launches. */
#ifndef CK_KERNEL_H
#define CK_KERNEL_H

#include "ck/args.h"
#include "ck/device.h"
#include "ck/launch_attribute.h"
#include "ck/memory.h"
#include "ck/program.h"
#include "ck/stream.h"
#include "ck/tensor_map.h"
#include "ck/texture.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ck_kernel ck_kernel_t;

/* ---- kernels ------------------------------------------------------------------------------- */

/* Finds a kernel and loads its code onto the device; code is loaded once per device.
 *
 * name     as written in CK, "softmax<bf16,512>"; blanks don't matter. Trailing arguments may be
 *          left out, "softmax<bf16>" or "softmax", if exactly one kernel matches. Or the symbol
 * fails    CK_NOT_FOUND: the message lists the existing names; CK_INVALID_ARGUMENT for code of
 *          another kind of device; CK_DRIVER if the driver can't load it
 */
CK_API ck_status_t ck_kernel_from_code(ck_object_code_t *code, ck_device_t *device,
                                       const char *name, ck_kernel_t **out_kernel);
CK_API ck_kernel_t *ck_kernel_retain(ck_kernel_t *kernel);
CK_API void ck_kernel_release(ck_kernel_t *kernel);

/* Adopts a CUkernel that other code loaded with the driver of this device in this process. Its
 * launches are not checked. `native` must live as long as the kernel object; to ensure it, `code`,
 * which may be NULL, is retained. */
CK_API ck_status_t ck_kernel_from_native(ck_device_t *device, void *native, ck_object_code_t *code,
                                         ck_kernel_t **out_kernel);

CK_API const char *ck_kernel_name(const ck_kernel_t *kernel);
CK_API ck_device_t *ck_kernel_device(const ck_kernel_t *kernel); /* borrowed */
CK_API void *ck_kernel_native(const ck_kernel_t *kernel);        /* the CUkernel */

typedef enum ck_param_kind {
  CK_PARAM_SCALAR = 0,
  CK_PARAM_SPAN = 1,
  CK_PARAM_TEXTURE = 2,   /* a ck_texture_t */
  CK_PARAM_SURFACE = 3,   /* a ck_surface_t */
  CK_PARAM_TENSOR_MAP = 4 /* a ck_tensor_map_t */
} ck_param_kind_t;
typedef enum ck_access { CK_ACCESS_IN = 1, CK_ACCESS_OUT = 2, CK_ACCESS_INOUT = 3 } ck_access_t;

/* A parameter as the manifest describes it. The texts live as long as the kernel. */
typedef struct ck_param {
  const char *name;
  ck_param_kind_t kind;
  ck_dtype_t dtype;       /* of the scalar, or of an element or its components; CK_NONE: a struct */
  ck_access_t access;     /* spans; CK_ACCESS_IN for scalars */
  uint32_t extent_count;  /* spans; 0: the span carries its own length */
  const char *extents[4]; /* expressions (docs/manifest.md), outermost first */
  uint32_t components;    /* of a vector element; 1: a scalar. 3 are stored as 4 */
  const char *layout;     /* of a struct: its scalars as in docs/manifest.md; else NULL */
  uint32_t bytes;         /* size of the scalar or of an element */
  uint32_t rank;          /* textures, surfaces, tensor maps; dtype and components are of what
                           * they read */
  int is_layered;
} ck_param_t;

CK_API int ck_kernel_has_manifest(const ck_kernel_t *kernel);
CK_API size_t ck_kernel_param_count(const ck_kernel_t *kernel); /* 0 without a manifest */
CK_API ck_status_t ck_kernel_get_param(const ck_kernel_t *kernel, size_t index,
                                       ck_param_t *out_param);

/* The position and size of a parameter in the argument buffer, by index from 0, as the driver knows
 * it; also for code without a manifest. A span with its own length is two parameters here.
 *
 * fails    CK_NOT_FOUND after the last one; CK_UNSUPPORTED before CUDA 12.4
 */
CK_API ck_status_t ck_kernel_get_param_place(const ck_kernel_t *kernel, size_t index,
                                             size_t *out_offset, size_t *out_bytes);

/* An algorithm is a kernel too. Its result, if it has one, is the last parameter, `result`: one
 * element of device memory, whose scalars these functions list. */
typedef struct ck_result_part {
  const char *name; /* path to the scalar: ".lo" in a struct, ".0" in a tuple, "[0]" in an array;
                     * "" */
  ck_dtype_t dtype;
  size_t offset; /* bytes */
} ck_result_part_t;

CK_API size_t ck_kernel_result_part_count(const ck_kernel_t *kernel); /* 0 without a result */
CK_API ck_status_t ck_kernel_get_result_part(const ck_kernel_t *kernel, size_t index,
                                             ck_result_part_t *out_part);

/* Attributes of kernels, with the numbers of cuda.h's CU_FUNC_ATTRIBUTE_*. */
typedef enum ck_kernel_attribute {
  CK_KERNEL_MAX_THREADS_PER_BLOCK = 0,
  CK_KERNEL_SHARED_BYTES = 1,
  CK_KERNEL_CONST_BYTES = 2,
  CK_KERNEL_LOCAL_BYTES = 3,
  CK_KERNEL_REGISTERS = 4,
  CK_KERNEL_PTX_VERSION = 5,
  CK_KERNEL_BINARY_VERSION = 6,
  CK_KERNEL_CACHE_MODE_CA = 7,
  CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES = 8,
  CK_KERNEL_PREFERRED_SHARED_CARVEOUT = 9,
  CK_KERNEL_CLUSTER_SIZE_MUST_BE_SET = 10,
  CK_KERNEL_REQUIRED_CLUSTER_WIDTH = 11,
  CK_KERNEL_REQUIRED_CLUSTER_HEIGHT = 12,
  CK_KERNEL_REQUIRED_CLUSTER_DEPTH = 13,
  CK_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
  CK_KERNEL_CLUSTER_SCHEDULING_POLICY = 15
} ck_kernel_attribute_t;

/* Queries an attribute.
 *
 * fails    CK_INVALID_ARGUMENT if this driver does not know the attribute
 */
CK_API ck_status_t ck_kernel_get_attribute(ck_kernel_t *kernel, ck_kernel_attribute_t attribute,
                                           int *out_value);

/* Sets an attribute of the kernel on its device, for all launches of it until its code is unloaded.
 * Attributes 8 to 15 except 10 can be set; 9 from -1, the driver's choice, to 100 percent; 15 to a
 * ck_cluster_policy_t. A launch with more than 48 KB of shared memory sets
 * CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES itself.
 *
 * fails    CK_INVALID_ARGUMENT for an attribute that can't be set, or a value out of range;
 *          CK_UNSUPPORTED
 */
CK_API ck_status_t ck_kernel_set_attribute(ck_kernel_t *kernel, ck_kernel_attribute_t attribute,
                                           int value);

/* The name of an attribute, such as "registers"; NULL for a number that is no attribute. */
CK_API const char *ck_kernel_attribute_name(ck_kernel_attribute_t attribute);

/* The number of blocks of a size that are resident on one multiprocessor at a time (occupancy). */
CK_API ck_status_t ck_kernel_get_occupancy(ck_kernel_t *kernel, uint32_t block_size,
                                           size_t dynamic_shared_bytes, int *out_blocks);

/* The block size with the highest occupancy, and the number of such blocks that fills the device.
 *
 * dynamic_of  returns the bytes of dynamic shared memory for a block size; NULL:
 *             dynamic_shared_bytes for all
 * most        limit for the threads of a block; 0: the kernel's own limit
 * out_grid    may be NULL
 */
CK_API ck_status_t ck_kernel_get_best_block(ck_kernel_t *kernel, size_t dynamic_shared_bytes,
                                            size_t (*dynamic_of)(int block_size), uint32_t most,
                                            uint32_t *out_block, uint32_t *out_grid);

/* The dynamic shared memory that each block may use so that `blocks` of them are resident on a
 * multiprocessor. */
CK_API ck_status_t ck_kernel_get_available_shared(ck_kernel_t *kernel, uint32_t blocks,
                                                  uint32_t block_size, size_t *out_bytes);

/* ---- arguments ----------------------------------------------------------------------------- */

typedef enum ck_arg_kind {
  CK_ARG_SCALAR = 0, /* `dtype` selects the member of the union */
  CK_ARG_BUFFER = 1, /* a span over a whole buffer */
  CK_ARG_SPAN = 2,   /* `count` elements of a buffer from element `offset` */
  CK_ARG_ADDRESS =
      3, /* a raw device address, for a span or a pointer; of `count` elements, if that is known */
  CK_ARG_BYTES = 4,      /* a struct by value: `count` bytes at `bytes`, copied by the launch */
  CK_ARG_TEXTURE = 5,    /* passed as its handle, a u64 */
  CK_ARG_SURFACE = 6,    /* likewise */
  CK_ARG_TENSOR_MAP = 7, /* 128 bytes by value, copied by the launch */
  CK_ARG_DLTENSOR = 8,   /* another library's array: ck_dltensor */
  CK_ARG_INFERRED = 9    /* an integer that the shapes of DLTensors determine */
} ck_arg_kind_t;

#define CK_COUNT_UNKNOWN UINT64_MAX

/* One argument of a launch, made by the functions below, or by ck_arg() from a C value. */
typedef struct ck_arg {
  uint32_t kind;  /* ck_arg_kind_t */
  uint32_t dtype; /* ck_dtype_t of a scalar; CK_NONE otherwise */
  union {
    int64_t i;  /* CK_BOOL, CK_I8 ... CK_I64 */
    uint64_t u; /* CK_U8 ... CK_U64; the bits of CK_F16 and CK_BF16; an address */
    float f;
    double d;
    const ck_buffer_t *buffer;
    const void *bytes;
    const ck_texture_t *texture;
    const ck_surface_t *surface;
    const ck_tensor_map_t *tensor_map;
    const void *dltensor; /* a DLTensor of dlpack.h */
  } value;
  uint64_t offset; /* elements */
  uint64_t count;  /* elements */
} ck_arg_t;

/* `dtype` must be able to hold the value: only the low bytes of a value that is too large are
 * passed. */
static inline ck_arg_t ck_arg_signed(int64_t value, ck_dtype_t dtype)
{
  ck_arg_t arg = {CK_ARG_SCALAR, (uint32_t)dtype, {0}, 0, 0};
  arg.value.i = value;
  return arg;
}

static inline ck_arg_t ck_arg_unsigned(uint64_t value, ck_dtype_t dtype)
{
  ck_arg_t arg = {CK_ARG_SCALAR, (uint32_t)dtype, {0}, 0, 0};
  arg.value.u = value;
  return arg;
}

static inline ck_arg_t ck_arg_self(ck_arg_t arg)
{
  return arg;
}

/* An f16 and a bf16, by their bits. */
static inline ck_arg_t ck_f16(uint16_t bits)
{
  return ck_arg_unsigned(bits, CK_F16);
}
static inline ck_arg_t ck_bf16(uint16_t bits)
{
  return ck_arg_unsigned(bits, CK_BF16);
}

static inline ck_arg_t ck_f32(float value)
{
  ck_arg_t arg = {CK_ARG_SCALAR, (uint32_t)CK_F32, {0}, 0, 0};
  arg.value.f = value;
  return arg;
}

static inline ck_arg_t ck_f64(double value)
{
  ck_arg_t arg = {CK_ARG_SCALAR, (uint32_t)CK_F64, {0}, 0, 0};
  arg.value.d = value;
  return arg;
}

/* A whole buffer. */
static inline ck_arg_t ck_whole(const ck_buffer_t *buffer)
{
  ck_arg_t arg = {CK_ARG_BUFFER, 0, {0}, 0, 0};
  arg.value.buffer = buffer;
  return arg;
}

/* `count` elements of the parameter's type, from element `offset` of a buffer. */
static inline ck_arg_t ck_span(const ck_buffer_t *buffer, uint64_t offset, uint64_t count)
{
  ck_arg_t arg = {CK_ARG_SPAN, 0, {0}, offset, count};
  arg.value.buffer = buffer;
  return arg;
}

/* A raw device address, for a span or a pointer. The length of the span is not checked; its
 * alignment and overlap are, and that a span with elements is not at address 0. */
static inline ck_arg_t ck_address(uint64_t address)
{
  ck_arg_t arg = {CK_ARG_ADDRESS, 0, {0}, 0, CK_COUNT_UNKNOWN};
  arg.value.u = address;
  return arg;
}

/* A raw device address of `count` elements, for spans that carry their own length. */
static inline ck_arg_t ck_address_span(uint64_t address, uint64_t count)
{
  ck_arg_t arg = {CK_ARG_ADDRESS, 0, {0}, 0, count};
  arg.value.u = address;
  return arg;
}

/* A struct with the layout that C gives it. The launch copies it. */
static inline ck_arg_t ck_struct(const void *value, size_t bytes)
{
  ck_arg_t arg = {CK_ARG_BYTES, 0, {0}, 0, bytes};
  arg.value.bytes = value;
  return arg;
}

/* A texture or surface, which must live until the kernel has finished. */
static inline ck_arg_t ck_arg_texture(const ck_texture_t *texture)
{
  ck_arg_t arg = {CK_ARG_TEXTURE, 0, {0}, 0, 0};
  arg.value.texture = texture;
  return arg;
}
static inline ck_arg_t ck_arg_surface(const ck_surface_t *surface)
{
  ck_arg_t arg = {CK_ARG_SURFACE, 0, {0}, 0, 0};
  arg.value.surface = surface;
  return arg;
}

/* A tensor map, copied as it is now; its buffer must live until the kernel has finished. */
static inline ck_arg_t ck_arg_tensor_map(const ck_tensor_map_t *map)
{
  ck_arg_t arg = {CK_ARG_TENSOR_MAP, 0, {0}, 0, 0};
  arg.value.tensor_map = map;
  return arg;
}

/* An array of another library, as DLPack's DLTensor, which is read during the call; the memory must
 * live until the kernel has finished, and the caller orders streams. Besides what is checked of a
 * span, its element type, its axes and their extents, its strides and its device must be the
 * parameter's:
 *
 *   in f32[rows, n]   rank 2, float of 32 bits, extents rows and n, dense in row-major order
 *   out f32x4[n]      4 lanes and rank 1, or 1 lane and rank 2 with extents n and 4
 *   in Pair[n]        for a struct: kDLOpaqueHandle of 8 bits, as many lanes as sizeof(Pair)
 *
 * The outermost extent may be larger than the parameter's, unless a scalar is left out. Complex
 * numbers are accepted for vectors of two, and uint of 16 bits, the bits, for bf16.
 *
 * tensor  a DLTensor, for which dlpack.h has no name that could be declared here
 * flags   CK_VIEW_READ_ONLY: refused for `out` and `inout`
 */
static inline ck_arg_t ck_dltensor(const void *tensor, uint32_t flags)
{
  ck_arg_t arg = {CK_ARG_DLTENSOR, 0, {0}, flags, 0};
  arg.value.dltensor = tensor;
  return arg;
}

/* Stands for an integer that is left out: the shapes of the DLTensors among the arguments determine
 * it, as `n` of x: in f32[n]. */
static inline ck_arg_t ck_inferred(void)
{
  ck_arg_t arg = {CK_ARG_INFERRED, 0, {0}, 0, 0};
  return arg;
}

static inline ck_arg_t ck_i8(int8_t value)
{
  return ck_arg_signed(value, CK_I8);
}
static inline ck_arg_t ck_i16(int16_t value)
{
  return ck_arg_signed(value, CK_I16);
}
static inline ck_arg_t ck_i32(int32_t value)
{
  return ck_arg_signed(value, CK_I32);
}
static inline ck_arg_t ck_i64(int64_t value)
{
  return ck_arg_signed(value, CK_I64);
}
static inline ck_arg_t ck_u8(uint8_t value)
{
  return ck_arg_unsigned(value, CK_U8);
}
static inline ck_arg_t ck_u16(uint16_t value)
{
  return ck_arg_unsigned(value, CK_U16);
}
static inline ck_arg_t ck_u32(uint32_t value)
{
  return ck_arg_unsigned(value, CK_U32);
}
static inline ck_arg_t ck_u64(uint64_t value)
{
  return ck_arg_unsigned(value, CK_U64);
}
static inline ck_arg_t ck_bool(int value)
{
  return ck_arg_signed(value != 0, CK_BOOL);
}

/* ---- launches ------------------------------------------------------------------------------ */

#define CK_LAUNCH_COOPERATIVE                                                                      \
  1u                              /* all blocks are resident at once; kernels with grid.sync()
                                   * have it anyway */
#define CK_LAUNCH_PROGRAMMATIC 2u /* programmatic dependent launch, see below (sm_90) */
#define CK_LAUNCH_UNCHECKED    4u /* extents and overlap are not checked; types are */

/* A programmatic launch may start before the previous launch in the stream has ended, once that
 * calls grid.launch_dependents() in CK. Its kernel waits for the end and the results of the
 * previous launch by calling grid.wait_dependencies(); a kernel with a manifest must call it,
 * unless the launch is unchecked. The host device executes the two launches one after the other. */

/* The shape and options of a launch. A grid, block or cluster with x = y = z = 0 is not given, and
 * the kernel's launch contract determines it. In one that is given, y and z of 0 mean 1, and x must
 * not be 0. A grid is counted in blocks. */
typedef struct ck_launch_config {
  size_t struct_size;
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t cluster[3];                     /* in blocks; not given: the contract's, or no
                                            * clusters */
  uint32_t flags;                          /* CK_LAUNCH_* */
  size_t dynamic_shared_bytes;             /* 0: the contract's */
  const ck_launch_attribute_t *attributes; /* ck/launch_attribute.h; read during the call */
  size_t attribute_count;
  /* Scratch memory of an algorithm of several kernels. Without both it is kept for the stream, or
   * allocated in its order. */
  const ck_buffer_t *scratch; /* the caller's, from byte scratch_offset on, a multiple of 256; in
                               * use until the launches have run, and as long as a graph of them */
  size_t scratch_offset;
  ck_memory_resource_t *scratch_resource; /* it is allocated and freed there, in the stream's
                                           * order; must live until the launches have run */
} ck_launch_config_t;

/* Launches a kernel in a stream.
 *
 * config   NULL: everything from the kernel's launch contract. A given block or cluster must equal
 *          the contract's; a given grid may differ from it
 * args     one for each parameter in CK: a span with its own length is one argument. Types must
 *          match, except that an integer may have another integer type if the value fits, and an
 *          f32 is accepted for an f64
 * checks   the number and types of arguments; extents (a span must hold the product of the
 *          parameter's extents); alignment; overlap of `out` and `inout` spans with all other
 *          spans; block, grid and shared memory against contract and device
 * returns  CK_OK also if the contract gives a grid without blocks, for example for n = 0; then
 *          nothing is launched
 * async    yes; the values of the arguments are copied
 * fails    CK_INVALID_ARGUMENT with kernel, parameter, expected and given value; CK_DRIVER
 *          otherwise
 */
CK_API ck_status_t ck_launch_args(ck_stream_t *stream, const ck_launch_config_t *config,
                                  ck_kernel_t *kernel, const ck_arg_t *args, size_t arg_count);

/* The bytes of scratch memory that a launch of an algorithm needs, for ck_launch_config_t.
 * Persistent memory, which is kept for each stream, isn't counted. Nothing is launched; kernels
 * that the launch would compile are compiled.
 *
 * out_bytes  0 for a kernel
 * fails      as ck_launch_args
 */
CK_API ck_status_t ck_kernel_get_scratch_bytes(ck_kernel_t *kernel, ck_stream_t *stream,
                                               const ck_arg_t *args, size_t arg_count,
                                               size_t *out_bytes);

/* The largest cluster that a launch could have, and how many clusters of the configured size can be
 * active at a time.
 *
 * config   block, cluster and dynamic shared memory are used; grid if it is given. NULL, or zeros:
 *          the launch contract's, if it does not depend on arguments
 * fails    CK_UNSUPPORTED: the device has no clusters; CK_INVALID_ARGUMENT without block or
 *          cluster, or without dynamic_shared_bytes if the contract computes them from arguments
 */
CK_API ck_status_t ck_kernel_get_largest_cluster(ck_kernel_t *kernel,
                                                 const ck_launch_config_t *config,
                                                 uint32_t *out_blocks);
CK_API ck_status_t ck_kernel_get_active_clusters(ck_kernel_t *kernel,
                                                 const ck_launch_config_t *config,
                                                 uint32_t *out_clusters);

#ifdef __cplusplus
} /* extern "C" */

/* ck_launch(stream, config, kernel, args...): each argument is a number, a buffer or a ck_arg_t. */
inline ck_arg_t ck_arg(ck_arg_t value)
{
  return value;
}
inline ck_arg_t ck_arg(bool value)
{
  return ck_bool(value);
}
inline ck_arg_t ck_arg(float value)
{
  return ck_f32(value);
}
inline ck_arg_t ck_arg(double value)
{
  return ck_f64(value);
}
inline ck_arg_t ck_arg(signed char value)
{
  return ck_i8(value);
}
inline ck_arg_t ck_arg(short value)
{
  return ck_i16(value);
}
inline ck_arg_t ck_arg(int value)
{
  return ck_i32(value);
}
inline ck_arg_t ck_arg(long value)
{
  return ck_i64(value);
}
inline ck_arg_t ck_arg(long long value)
{
  return ck_i64(value);
}
inline ck_arg_t ck_arg(unsigned char value)
{
  return ck_u8(value);
}
inline ck_arg_t ck_arg(unsigned short value)
{
  return ck_u16(value);
}
inline ck_arg_t ck_arg(unsigned int value)
{
  return ck_u32(value);
}
inline ck_arg_t ck_arg(unsigned long value)
{
  return ck_u64(value);
}
inline ck_arg_t ck_arg(unsigned long long value)
{
  return ck_u64(value);
}
inline ck_arg_t ck_arg(const ck_buffer_t *value)
{
  return ck_whole(value);
}
inline ck_arg_t ck_arg(ck_buffer_t *value)
{
  return ck_whole(value);
}
inline ck_arg_t ck_arg(const ck_texture_t *value)
{
  return ck_arg_texture(value);
}
inline ck_arg_t ck_arg(ck_texture_t *value)
{
  return ck_arg_texture(value);
}
inline ck_arg_t ck_arg(const ck_surface_t *value)
{
  return ck_arg_surface(value);
}
inline ck_arg_t ck_arg(ck_surface_t *value)
{
  return ck_arg_surface(value);
}
inline ck_arg_t ck_arg(const ck_tensor_map_t *value)
{
  return ck_arg_tensor_map(value);
}
inline ck_arg_t ck_arg(ck_tensor_map_t *value)
{
  return ck_arg_tensor_map(value);
}
/* Other pointers are refused, since they would convert to bool: use ck_address() for device
 * addresses. */
template <typename T> ck_arg_t ck_arg(T *) = delete;
template <typename T, typename C> ck_arg_t ck_arg(T C::*) = delete;

template <typename... A>
inline ck_status_t ck_launch(ck_stream_t *stream, const ck_launch_config_t *config,
                             ck_kernel_t *kernel, A... values)
{
  const ck_arg_t args[] = {ck_arg(values)..., ck_arg_t()};
  return ck_launch_args(stream, config, kernel, args, sizeof...(values));
}

#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
/* Makes an argument from a C value, by its type. */
#define ck_arg(value)                                                                              \
  _Generic((value),                                                                                \
      ck_arg_t: ck_arg_self,                                                                       \
      ck_buffer_t *: ck_whole,                                                                     \
      const ck_buffer_t *: ck_whole,                                                               \
      ck_texture_t *: ck_arg_texture,                                                              \
      const ck_texture_t *: ck_arg_texture,                                                        \
      ck_surface_t *: ck_arg_surface,                                                              \
      const ck_surface_t *: ck_arg_surface,                                                        \
      ck_tensor_map_t *: ck_arg_tensor_map,                                                        \
      const ck_tensor_map_t *: ck_arg_tensor_map,                                                  \
      _Bool: ck_bool,                                                                              \
      char: ck_i32,                                                                                \
      float: ck_f32,                                                                               \
      double: ck_f64,                                                                              \
      signed char: ck_i8,                                                                          \
      short: ck_i16,                                                                               \
      int: ck_i32,                                                                                 \
      long: ck_i64,                                                                                \
      long long: ck_i64,                                                                           \
      unsigned char: ck_u8,                                                                        \
      unsigned short: ck_u16,                                                                      \
      unsigned int: ck_u32,                                                                        \
      unsigned long: ck_u64,                                                                       \
      unsigned long long: ck_u64)(value)

/* ck_launch(stream, config, kernel, args...): ck_launch_args with up to 32 arguments, each a
 * number, a buffer or a ck_arg_t. The array has an extra first element, which stands for the kernel
 * (ck/args.h). */
#define ck_launch(stream, config, ...)                                                             \
  ck_launch_args((stream), (config), CK_FIRST_(__VA_ARGS__, 0),                                    \
                 (const ck_arg_t[]){CK_ARGS_(__VA_ARGS__)} + 1, CK_COUNT_(__VA_ARGS__))
#endif

#endif
