/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* jax_ffi.cc - handlers of XLA's foreign function interface that launch a CK kernel on the arrays of
 * JAX: ck_launch_cpu on the host device, ck_launch_cuda on a GPU, in XLA's stream.
 *
 * A call has the arrays of the kernel's `in` spans, in order, and results for its `out` spans. The
 * attribute `kernel` is the address of the ck_kernel_t. A scalar is the attribute of its name, or left
 * out if the shapes determine it. jax_ffi.py compiles this file with the headers of jaxlib.
 */
#include <string>
#include <vector>

#include <ck/kernel.h>
#include <ck/stream.h>
#include <xla/ffi/api/ffi.h>

namespace ffi = xla::ffi;

/* dlpack.h's. */
struct DLTensor {
  void *data;
  int32_t device_type, device_id;
  int32_t ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
};

static ffi::Error failed(const char *what)
{
  return ffi::Error(ffi::ErrorCode::kInvalidArgument, what);
}

/* The code of DLPack and the bits of an element; 0 bits of a type that CK doesn't have. */
static void set_type(DLTensor *tensor, ffi::DataType type)
{
  enum { INT, UINT, FLOAT, BFLOAT = 4, BOOL = 6 };
  tensor->lanes = 1;
  tensor->bits = (uint8_t)(8 * ffi::ByteWidth(type));
  switch (type) {
  case ffi::DataType::PRED: tensor->code = BOOL; break;
  case ffi::DataType::S8:
  case ffi::DataType::S16:
  case ffi::DataType::S32:
  case ffi::DataType::S64: tensor->code = INT; break;
  case ffi::DataType::U8:
  case ffi::DataType::U16:
  case ffi::DataType::U32:
  case ffi::DataType::U64: tensor->code = UINT; break;
  case ffi::DataType::F16:
  case ffi::DataType::F32:
  case ffi::DataType::F64: tensor->code = FLOAT; break;
  case ffi::DataType::BF16: tensor->code = BFLOAT; break;
  default: tensor->bits = 0;
  }
}

static DLTensor tensor_of(const ffi::AnyBuffer &buffer, int32_t device_type, int32_t device_id)
{
  DLTensor tensor = {};
  tensor.data = buffer.untyped_data();
  tensor.device_type = device_type;
  tensor.device_id = device_id;
  tensor.ndim = (int32_t)buffer.dimensions().size();
  tensor.shape = const_cast<int64_t *>(buffer.dimensions().begin());
  set_type(&tensor, buffer.element_type());
  return tensor;
}

/* A scalar from the attribute of its name; what the shapes determine if there is none. */
static ck_arg_t scalar_of(const ffi::Dictionary &attributes, const ck_param_t &param)
{
  if (ffi::ErrorOr<double> x = attributes.get<double>(param.name); x.has_value())
    return param.dtype == CK_F64 ? ck_f64(*x) : ck_f32((float)*x);
  if (ffi::ErrorOr<int64_t> n = attributes.get<int64_t>(param.name); n.has_value()) {
    switch (param.dtype) {
    case CK_I32: return ck_i32((int32_t)*n);
    case CK_U32: return ck_u32((uint32_t)*n);
    case CK_I64: return ck_i64(*n);
    case CK_F32: return ck_f32((float)*n);
    case CK_F64: return ck_f64((double)*n);
    default: return ck_u64((uint64_t)*n);
    }
  }
  return ck_inferred();
}

static ffi::Error launch(ck_stream_t *stream, ffi::RemainingArgs inputs, ffi::RemainingRets outputs,
                         const ffi::Dictionary &attributes)
{
  ffi::ErrorOr<int64_t> handle = attributes.get<int64_t>("kernel");
  if (!handle.has_value()) return failed("the attribute 'kernel' is missing");
  ck_kernel_t *kernel = reinterpret_cast<ck_kernel_t *>((intptr_t)*handle);
  const ck_device_t *device = ck_stream_device(stream);
  bool is_host = ck_device_is_host(device);
  size_t count = ck_kernel_param_count(kernel), input = 0, output = 0;
  std::vector<ck_arg_t> args(count);
  std::vector<DLTensor> tensors(count);
  for (size_t i = 0; i < count; ++i) {
    ck_param_t param;
    if (ck_kernel_get_param(kernel, i, &param) != CK_OK) return failed(ck_last_error());
    if (param.kind == CK_PARAM_SCALAR) {
      args[i] = scalar_of(attributes, param);
      continue;
    }
    bool is_input = param.access == CK_ACCESS_IN;
    if (is_input ? input == inputs.size() : output == outputs.size())
      return failed("the call has fewer arrays than the kernel has spans");
    tensors[i] = tensor_of(is_input ? *inputs.get<ffi::AnyBuffer>(input++)
                                    : **outputs.get<ffi::AnyBuffer>(output++),
                           is_host ? 1 : 2, is_host ? 0 : ck_device_ordinal(device));
    args[i] = ck_dltensor(&tensors[i], is_input ? CK_VIEW_READ_ONLY : 0);
  }
  if (ck_launch_args(stream, nullptr, kernel, args.data(), count) != CK_OK ||
      (is_host && ck_stream_sync(stream) != CK_OK))
    return failed(ck_last_error());
  return ffi::Error::Success();
}

static ffi::Error launch_cpu(ffi::RemainingArgs inputs, ffi::RemainingRets outputs,
                             ffi::Dictionary attributes)
{
  ck_device_t *device;
  ck_stream_t *stream = nullptr;
  if (ck_device_open_host(&device) != CK_OK) return failed(ck_last_error());
  ck_status_t status = ck_stream_open_default(device, &stream);
  ffi::Error error = status == CK_OK ? launch(stream, inputs, outputs, attributes)
                                     : failed(ck_last_error());
  ck_stream_release(stream);
  ck_device_release(device);
  return error;
}

static ffi::Error launch_cuda(void *native, ffi::RemainingArgs inputs, ffi::RemainingRets outputs,
                              ffi::Dictionary attributes)
{
  ck_stream_t *stream;
  if (ck_stream_from_native(nullptr, native, 0, &stream) != CK_OK) return failed(ck_last_error());
  ffi::Error error = launch(stream, inputs, outputs, attributes);
  ck_stream_release(stream);
  return error;
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(ck_launch_cpu, launch_cpu,
                              ffi::Ffi::Bind().RemainingArgs().RemainingRets().Attrs());
XLA_FFI_DEFINE_HANDLER_SYMBOL(
    ck_launch_cuda, launch_cuda,
    ffi::Ffi::Bind().Ctx<ffi::PlatformStream<void *>>().RemainingArgs().RemainingRets().Attrs());
