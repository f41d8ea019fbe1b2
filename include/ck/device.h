/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/device.h - devices: the GPUs of the CUDA driver, and the host device.
 *
 * The host device executes kernels that are compiled for the target "host" on the cores of the CPU,
 * and has streams, events and memory like a GPU. It serves machines without a GPU, and tests. One
 * process may use both kinds of devices.
 */
#ifndef CK_DEVICE_H
#define CK_DEVICE_H

#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ck_device ck_device_t;

/* The number of GPUs; 0 without a driver or with one that finds no device. Never fails. */
CK_API int ck_device_count(void);

/* Opens GPU `ordinal` and retains its primary context for the object's life.
 *
 * ordinal  0 to ck_device_count() - 1, in the driver's order (CUDA_VISIBLE_DEVICES applies)
 * threads  any; objects of the same ordinal share the context
 * fails    CK_UNAVAILABLE without a driver or device; CK_INVALID_ARGUMENT for the ordinal
 */
CK_API ck_status_t ck_device_open(int ordinal, ck_device_t **out_device);

/* Opens the host device. All its device objects share one context, which lives until the last of
 * them and of their children is released; opening the device after that makes a new context. That
 * is also how a program recovers from a kernel fault, after which every call on the context fails.
 *
 * fails    CK_OUT_OF_MEMORY
 */
CK_API ck_status_t ck_device_open_host(ck_device_t **out_device);

/* Opens the device that $CK_DEVICE names ("host", "cuda:1"). If it is not set, opens the first GPU,
 * or the host device if there is no GPU.
 *
 * fails    CK_INVALID_ARGUMENT if $CK_DEVICE has another form; as ck_device_open otherwise
 */
CK_API ck_status_t ck_device_open_auto(ck_device_t **out_device);

#define CK_TARGET_BYTES 16

/* Finds the device that ck_device_open_auto would open, without opening it: a context costs 0.2 s
 * and 500 MB of a GPU, and may be refused.
 *
 * out_ordinal  the ordinal of the GPU, -1 for the host device; may be NULL
 * out_target   what to compile for, as ck_device_target; may be NULL
 * fails        as ck_device_open_auto
 */
CK_API ck_status_t ck_device_find_auto(int *out_ordinal, char out_target[CK_TARGET_BYTES]);

/* Opens the GPU whose context is current on this thread; the first GPU if no context is current.
 *
 * fails    as ck_device_open
 */
CK_API ck_status_t ck_device_open_current(ck_device_t **out_device);

CK_API ck_device_t *ck_device_retain(ck_device_t *device);
CK_API void ck_device_release(ck_device_t *device);

CK_API int ck_device_is_host(const ck_device_t *device);
CK_API int ck_device_ordinal(const ck_device_t *device); /* 0 for the host device */
CK_API const char *ck_device_name(const ck_device_t *device);

/* The target to compile for: "sm_90", or "host". */
CK_API const char *ck_device_target(const ck_device_t *device);

/* Attributes of devices: CK_DEVICE_MULTIPROCESSOR_COUNT and so on, with the numbers of cuda.h. */
typedef enum ck_device_attribute {
#define CK_DEVICE_ATTR(name, value, host) CK_DEVICE_##name = value,
#include "ck/device_attrs.def"
  CK_DEVICE_ATTRIBUTE_FORCE_INT = 0x7fffffff
} ck_device_attribute_t;

/* Queries one attribute.
 *
 * fails    CK_INVALID_ARGUMENT if this driver does not know the attribute
 */
CK_API ck_status_t ck_device_get_attribute(ck_device_t *device, ck_device_attribute_t attribute,
                                           int *out_value);

/* The name of an attribute, such as "multiprocessor_count"; NULL for a number that is no attribute.
 */
CK_API const char *ck_device_attribute_name(ck_device_attribute_t attribute);

/* Free and total memory of the device, in bytes. Either output may be NULL. */
CK_API ck_status_t ck_device_get_memory(ck_device_t *device, size_t *out_free_bytes,
                                        size_t *out_total_bytes);

/* The UUID of the device, which is the same on every machine that it is put into. */
CK_API ck_status_t ck_device_get_uuid(ck_device_t *device, unsigned char out_uuid[16]);

#define CK_PCI_BUS_ID_BYTES 16

/* The PCI address, "0000:1b:00.0", as nvidia-smi and Linux write it; "" for the host device. */
CK_API ck_status_t ck_device_get_pci_bus_id(ck_device_t *device,
                                            char out_text[CK_PCI_BUS_ID_BYTES]);

/* The compute capability: 9 and 0 for sm_90; 0 and 0 for the host device. */
CK_API ck_status_t ck_device_get_compute_capability(ck_device_t *device, int *out_major,
                                                    int *out_minor);

/* Whether kernels on `device` can access memory of `peer` once access is granted
 * (ck_context_set_peer_access, or ck_memory_resource_set_access for a pool). */
CK_API ck_status_t ck_device_can_access_peer(ck_device_t *device, ck_device_t *peer, int *out_can);

/* Attributes of a pair of GPUs, with the numbers of cuda.h. */
typedef enum ck_peer_attribute {
  CK_PEER_PERFORMANCE_RANK = 1, /* a lower number is a faster link */
  CK_PEER_ACCESS_SUPPORTED = 2,
  CK_PEER_NATIVE_ATOMICS = 3,
  CK_PEER_ARRAY_ACCESS = 4,
  CK_PEER_ATTRIBUTE_FORCE_INT = 0x7fffffff
} ck_peer_attribute_t;

/* Queries an attribute of a pair of GPUs.
 *
 * fails    CK_INVALID_ARGUMENT if they are not two GPUs
 */
CK_API ck_status_t ck_device_get_peer_attribute(ck_device_t *device, ck_device_t *peer,
                                                ck_peer_attribute_t attribute, int *out_value);

/* Waits for all work on the device.
 *
 * fails    CK_KERNEL_FAULT and other errors of earlier work; CK_DRIVER while a stream of the device
 *          is captured or about to be captured. Captures of graph builders continue, unless they
 *          begin at the very moment of the call; captures by other code become invalid
 */
CK_API ck_status_t ck_device_sync(ck_device_t *device);

/* The CUdevice. That of the host device can be passed to its own driver functions only, not to
 * libcuda; so it is with its CUcontext, the native handle of ck_device_context. */
CK_API int ck_device_native(const ck_device_t *device);

#ifdef __cplusplus
}
#endif
#endif
