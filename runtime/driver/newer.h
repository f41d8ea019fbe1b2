/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* newer.h - what newer drivers take and the oldest cuda.h that this builds with, 13.0's, has not.
 *
 * Functions and their types are declared for such a cuda.h as the newer one declares them. Members
 * that a struct or union got later are read and written by place, under names of our own; where
 * cuda.h has them, the places are compared.
 */
#ifndef CK_DRIVER_NEWER_H
#define CK_DRIVER_NEWER_H

#include <assert.h>
#include <cuda.h>
#include <stddef.h>
#include <string.h>

/* CUDA 13.1: resources of green contexts ------------------------------------------------------- */

#if CUDA_VERSION < 13010
typedef struct CU_DEV_SM_RESOURCE_GROUP_PARAMS_st {
  unsigned smCount, coscheduledSmCount, preferredCoscheduledSmCount, flags;
  unsigned reserved[12];
} CU_DEV_SM_RESOURCE_GROUP_PARAMS;

CUresult CUDAAPI cuDevSmResourceSplit(CUdevResource *result, unsigned nbGroups,
                                      const CUdevResource *input, CUdevResource *remainder,
                                      unsigned flags, CU_DEV_SM_RESOURCE_GROUP_PARAMS *groupParams);
#endif

enum { SM_GROUP_BACKFILL = 1 };

/* The multiprocessors of a resource: CUdevSmResource with its flags. */
typedef struct SmResource {
  unsigned sm_count, min_partition_size, coscheduled_alignment, flags;
} SmResource;

/* CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG, a CUdevWorkqueueConfigResource. */
#define RESOURCE_WORKQUEUES ((CUdevResourceType)1000)
typedef struct WorkqueueResource {
  CUdevice device;
  unsigned concurrency_limit, scope;
} WorkqueueResource;

static_assert(sizeof(CU_DEV_SM_RESOURCE_GROUP_PARAMS) == 64 && sizeof(CUdevResource) == 144 &&
                  offsetof(CUdevResource, sm) == 96 &&
                  offsetof(CUdevResource, sm.smCoscheduledAlignment) ==
                      96 + offsetof(SmResource, coscheduled_alignment),
              "resources are laid out as the driver has them");
#if CUDA_VERSION >= 13010
static_assert((int)CU_DEV_SM_RESOURCE_GROUP_BACKFILL == SM_GROUP_BACKFILL &&
                  CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG == RESOURCE_WORKQUEUES &&
                  offsetof(CUdevResource, sm.flags) == 96 + offsetof(SmResource, flags) &&
                  offsetof(CUdevResource, wqConfig) == 96 &&
                  offsetof(CUdevWorkqueueConfigResource, wqConcurrencyLimit) ==
                      offsetof(WorkqueueResource, concurrency_limit) &&
                  offsetof(CUdevWorkqueueConfigResource, sharingScope) ==
                      offsetof(WorkqueueResource, scope) &&
                  sizeof(CUdevWorkqueueConfigResource) == sizeof(WorkqueueResource),
              "resources are laid out as cuda.h has them");
#endif

static inline SmResource resource_sms(const CUdevResource *resource)
{
  SmResource sms;
  memcpy(&sms, (const char *)resource + offsetof(CUdevResource, sm), sizeof sms);
  return sms;
}

static inline void resource_set_sms(CUdevResource *resource, SmResource sms)
{
  resource->type = CU_DEV_RESOURCE_TYPE_SM;
  memcpy((char *)resource + offsetof(CUdevResource, sm), &sms, sizeof sms);
}

static inline WorkqueueResource resource_workqueues(const CUdevResource *resource)
{
  WorkqueueResource queues;
  memcpy(&queues, (const char *)resource + offsetof(CUdevResource, sm), sizeof queues);
  return queues;
}

static inline void resource_set_workqueues(CUdevResource *resource, WorkqueueResource queues)
{
  resource->type = RESOURCE_WORKQUEUES;
  memcpy((char *)resource + offsetof(CUdevResource, sm), &queues, sizeof queues);
}

/* CUDA 13.2: attributes of launches ---------------------------------------------------------------
 */

enum { CUDA_WITH_MODES = 13020 };

#if CUDA_VERSION < 13020
#define CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE ((CUlaunchAttributeID)17)
#define CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE         ((CUlaunchAttributeID)18)
#else
static_assert(sizeof(CUsharedMemoryMode) == 4 &&
                  sizeof(CUlaunchAttributePortableClusterMode) == 4 &&
                  offsetof(CUlaunchAttributeValue, sharedMemoryMode) == 0 &&
                  offsetof(CUlaunchAttributeValue, portableClusterSizeMode) == 0,
              "modes are laid out as cuda.h has them");
#endif

/* The value of both: 0 as the kernel has it, 1 what any device of the architecture has, 2 more. */
static inline unsigned attribute_mode(const CUlaunchAttributeValue *value)
{
  unsigned mode;
  memcpy(&mode, value, sizeof mode);
  return mode;
}

static inline void attribute_set_mode(CUlaunchAttributeValue *value, unsigned mode)
{
  memcpy(value, &mode, sizeof mode);
}

#endif
