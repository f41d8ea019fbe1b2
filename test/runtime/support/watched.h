/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* watched.h - memory that says when nobody holds it any more: how tests see what a graph keeps.
 * Behind both.h. */
#ifndef CK_WATCHED_H
#define CK_WATCHED_H

#include "both.h"

typedef struct Watched {
  ck_buffer_t *memory, *buffer; /* the buffer is a view that is released by hand */
  int released;
} Watched;

static void on_release(void *data)
{
  ++((Watched *)data)->released;
}

/* A view of `memory`, which is given away. */
static void watch(Watched *watched, ck_buffer_t *memory)
{
  *watched = (Watched){.memory = memory};
  CHECK_OK(ck_buffer_from_native(device, ck_buffer_native(watched->memory), 16, on_release, watched,
                                 &watched->buffer));
}

/* Nobody has it any more. */
static void close_watched(Watched *watched)
{
  CHECK(becomes_one(&watched->released));
  ck_buffer_release(watched->memory);
}

#endif
