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

/* Finds a kernel and loads its code for the device, once per code and device.
 *
 * name     as written in CK, "softmax<bf16,512>"; blanks don't matter. Arguments may be left out at
 *          the end, "softmax<bf16>" or "softmax", if one kernel alone fits. Or the symbol
 * fails    CK_NOT_FOUND: the message lists the names that there are; CK_INVALID_ARGUMENT for code
 *          of another kind of device; CK_DRIVER if the driver does not load it
 */
CK_API ck_status_t ck_kernel_from_code(ck_object_code_t *code, ck_device_t *device,
                                       const char *name, ck_kernel_t **out_kernel);
CK_API ck_kernel_t *ck_kernel_retain(ck_kernel_t *kernel);
CK_API void ck_kernel_release(ck_kernel_t *kernel);

/* A kernel of another library's: a CUkernel of this device's driver, and of the same process. It is
 * launched unchecked. `native` has to live as long as the kernel: `code`, which may be NULL, is
 * retained. */
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

/* What a kernel says of a parameter. The texts live as long as the kernel. */
typedef struct ck_param {
  const char *name;
  ck_param_kind_t kind;
  ck_dtype_t dtype;   /* of the scalar, or of the elements or their components; CK_NONE: a struct */
  ck_access_t access; /* spans; CK_ACCESS_IN for scalars */
  uint32_t extent_count;  /* spans; 0: the span carries its own length */
  const char *extents[4]; /* expressions of docs/manifest.md, outermost first */
  uint32_t components;    /* of each element, which is a vector; 1: a scalar. 3 are stored as 4 */
  const char *layout;     /* CK_NONE: the scalars in it, as docs/manifest.md has them; or NULL */
  uint32_t bytes;         /* of the scalar or of an element */
  uint32_t rank;          /* textures, surfaces, tensor maps; dtype and components: what is read */
  int is_layered;
} ck_param_t;

CK_API int ck_kernel_has_manifest(const ck_kernel_t *kernel);
CK_API size_t ck_kernel_param_count(const ck_kernel_t *kernel); /* 0 without a manifest */
CK_API ck_status_t ck_kernel_get_param(const ck_kernel_t *kernel, size_t index,
                                       ck_param_t *out_param);

/* The parameters as the driver has them, by index from 0, for code without a manifest too: where
 * each lies among the arguments, and its size. A span with its own length is two.
 *
 * fails  CK_NOT_FOUND behind the last one; CK_UNSUPPORTED before CUDA 12.4 */
CK_API ck_status_t ck_kernel_get_param_place(const ck_kernel_t *kernel, size_t index,
                                             size_t *out_offset, size_t *out_bytes);

/* An algorithm is a kernel. Its result, if it has one, is the last parameter, `result`: one element
 * of device memory, made of these numbers. */
typedef struct ck_result_part {
  const char *name; /* the way to it: ".lo" of a struct, ".0" of a tuple, "[0]" of an array; "" */
  ck_dtype_t dtype;
  size_t offset; /* bytes */
} ck_result_part_t;

CK_API size_t ck_kernel_result_part_count(const ck_kernel_t *kernel); /* 0: it has no result */
CK_API ck_status_t ck_kernel_get_result_part(const ck_kernel_t *kernel, size_t index,
                                             ck_result_part_t *out_part);

/* The numbers are cuda.h's CU_FUNC_ATTRIBUTE_*. */
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

/* fails    CK_INVALID_ARGUMENT if this driver does not know the attribute */
CK_API ck_status_t ck_kernel_get_attribute(ck_kernel_t *kernel, ck_kernel_attribute_t attribute,
                                           int *out_value);

/* Attributes 8 to 15 can be set, but 10; 9 from -1, the driver's choice, to 100 percent, 15 to a
 * ck_cluster_policy_t. A launch opts into more than 48 KB by itself, so
 * CK_KERNEL_MAX_DYNAMIC_SHARED_BYTES need not be set before it. The kernel has them on its device
 * until the code is unloaded, for all who launch it.
 *
 * fails    CK_INVALID_ARGUMENT for one that can't be set, or a value out of range; CK_UNSUPPORTED
 */
CK_API ck_status_t ck_kernel_set_attribute(ck_kernel_t *kernel, ck_kernel_attribute_t attribute,
                                           int value);

/* "registers" and so on; NULL for a foreign number. */
CK_API const char *ck_kernel_attribute_name(ck_kernel_attribute_t attribute);

/* How many blocks of a size fit on one multiprocessor at a time. */
CK_API ck_status_t ck_kernel_get_occupancy(ck_kernel_t *kernel, uint32_t block_size,
                                           size_t dynamic_shared_bytes, int *out_blocks);

/* The block size that keeps most threads running, and how many blocks of it fill the device.
 *
 * dynamic_of   bytes of dynamic shared memory of a block of a size; NULL: dynamic_shared_bytes
 * most         threads of a block at most; 0: as many as the kernel takes
 * out_grid     may be NULL
 */
CK_API ck_status_t ck_kernel_get_best_block(ck_kernel_t *kernel, size_t dynamic_shared_bytes,
                                            size_t (*dynamic_of)(int block_size), uint32_t most,
                                            uint32_t *out_block, uint32_t *out_grid);

/* How much dynamic shared memory each block may have if `blocks` of them are to fit on a
 * multiprocessor. */
CK_API ck_status_t ck_kernel_get_available_shared(ck_kernel_t *kernel, uint32_t blocks,
                                                  uint32_t block_size, size_t *out_bytes);

/* ---- arguments ----------------------------------------------------------------------------- */

typedef enum ck_arg_kind {
  CK_ARG_SCALAR = 0, /* `dtype` says which member of the union has it */
  CK_ARG_BUFFER = 1, /* a span over a whole buffer */
  CK_ARG_SPAN = 2,   /* `count` elements of a buffer from element `offset` */
  CK_ARG_ADDRESS =
      3, /* a raw device address, of a span or for a pointer; `count` elements, if that is known */
  CK_ARG_BYTES = 4,     /* a struct by value: `count` bytes at `bytes`, read by the launch */
  CK_ARG_TEXTURE = 5,   /* its handle, which is a u64 */
  CK_ARG_SURFACE = 6,   /* likewise */
  CK_ARG_TENSOR_MAP = 7 /* by value: 128 bytes, read by the launch */
} ck_arg_kind_t;

#define CK_COUNT_UNKNOWN UINT64_MAX

/* One argument of a launch. Made by the functions below, or by ck_arg() from a C value. */
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
  } value;
  uint64_t offset; /* elements */
  uint64_t count;  /* elements */
} ck_arg_t;

/* `dtype` has to hold the value: of one that it does not, the low bytes may be what is passed. */
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

/* The bits of an f16 and of a bf16. */
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

/* A raw device address, for a span or a pointer. A span's extent is the caller's business;
 * alignment and overlap are checked, and that a span with elements is not at address 0. */
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

/* A struct, laid out as in C. It is copied by the launch. */
static inline ck_arg_t ck_struct(const void *value, size_t bytes)
{
  ck_arg_t arg = {CK_ARG_BYTES, 0, {0}, 0, bytes};
  arg.value.bytes = value;
  return arg;
}

/* A texture or surface, which has to live until the kernel is through. */
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

/* A tensor map, as it is now; its buffer has to live until the kernel is through. */
static inline ck_arg_t ck_arg_tensor_map(const ck_tensor_map_t *map)
{
  ck_arg_t arg = {CK_ARG_TENSOR_MAP, 0, {0}, 0, 0};
  arg.value.tensor_map = map;
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

#define CK_LAUNCH_COOPERATIVE  1u /* all blocks run at a time, a kernel with grid.sync() has it */
#define CK_LAUNCH_PROGRAMMATIC 2u /* may start before the launch ahead of it has ended (sm_90) */
#define CK_LAUNCH_UNCHECKED    4u /* no check of extents and overlap; types still count */

/* A programmatic launch starts once the launch ahead of it in the stream lets it
 * (grid.launch_dependents() in CK), and waits for its end and its results where it calls
 * grid.wait_dependencies(), which a kernel with a manifest has to, unless it is launched unchecked.
 * The host device runs one after the other all the same. */

/* A grid, block or cluster is not given if its x, y and z are 0: then it is the launch contract's.
 * In one that is given, y and z of 0 are 1, and x may not be 0. A grid counts blocks. */
typedef struct ck_launch_config {
  size_t struct_size;
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t cluster[3];                     /* blocks; not given: the contract's, else no clusters */
  uint32_t flags;                          /* CK_LAUNCH_* */
  size_t dynamic_shared_bytes;             /* 0: the contract's */
  const ck_launch_attribute_t *attributes; /* ck/launch_attribute.h; read by the launch */
  size_t attribute_count;
} ck_launch_config_t;

/* Puts a kernel into a stream.
 *
 * config   NULL: everything from the kernel's launch contract. A block or cluster that is given
 * must be the contract's; a grid may differ from it args     one per parameter as written in CK: a
 * span with its own length is one argument. An argument must have the parameter's type. An integer
 * may have another integer type if the value fits; an f32 may stand for an f64; nothing else
 * converts checks   count, types, extents (a span must hold the product of the parameter's
 * extents), alignment, `out` and `inout` spans against all others for overlap, block, grid and
 *          shared memory against contract and device
 * returns  CK_OK also for a contract's grid without blocks, as n = 0 makes one; nothing is launched
 *          then
 * async    yes; the arguments' values are copied
 * fails    CK_INVALID_ARGUMENT with kernel, parameter, expected and given; CK_DRIVER otherwise
 */
CK_API ck_status_t ck_launch_args(ck_stream_t *stream, const ck_launch_config_t *config,
                                  ck_kernel_t *kernel, const ck_arg_t *args, size_t arg_count);

/* The largest cluster that a launch could have, and how many clusters of its size run at a time.
 *
 * config   block, cluster and dynamic shared memory are looked at; grid where it is given. NULL, or
 *          zeros: the launch contract's, where that needs no argument
 * fails    CK_UNSUPPORTED: the device has no clusters; CK_INVALID_ARGUMENT without block or
 *          cluster, or without dynamic_shared_bytes that the contract makes of arguments
 */
CK_API ck_status_t ck_kernel_get_largest_cluster(ck_kernel_t *kernel,
                                                 const ck_launch_config_t *config,
                                                 uint32_t *out_blocks);
CK_API ck_status_t ck_kernel_get_active_clusters(ck_kernel_t *kernel,
                                                 const ck_launch_config_t *config,
                                                 uint32_t *out_clusters);

#ifdef __cplusplus
} /* extern "C" */

/* ck_launch(stream, config, kernel, args...): each argument a number, a buffer or a ck_arg_t. */
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
/* Any other pointer, a host's or none, would be taken for a truth value: ck_address() is for those
 * of devices. */
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
/* The argument that a C value stands for, by its type. */
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
 * number, a buffer or a ck_arg_t. The array starts with an element that stands for the kernel. */
#define ck_launch(stream, config, ...)                                                             \
  ck_launch_args((stream), (config), CK_FIRST_(__VA_ARGS__, 0),                                    \
                 (const ck_arg_t[]){CK_ARGS_(__VA_ARGS__)} + 1, CK_COUNT_(__VA_ARGS__))
#endif

#endif
