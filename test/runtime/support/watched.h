/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* watched.h - memory that reports its release, with which tests check what a graph retains. Include
 * it after both.h. */
#ifndef CK_WATCHED_H
#define CK_WATCHED_H

#include "both.h"

typedef struct Watched {
  ck_buffer_t *memory, *buffer; /* `buffer` is a view that the test releases */
  int released;
} Watched;

static void on_release(void *data)
{
  ++((Watched *)data)->released;
}

/* Creates a view of `memory`, and takes over the reference to it. */
static void watch(Watched *watched, ck_buffer_t *memory)
{
  *watched = (Watched){.memory = memory};
  CHECK_OK(ck_buffer_from_native(device, ck_buffer_native(watched->memory), 16, on_release, watched,
                                 &watched->buffer));
}

/* Checks that nothing retains it any more. */
static void close_watched(Watched *watched)
{
  CHECK(becomes_one(&watched->released));
  ck_buffer_release(watched->memory);
}

#endif
