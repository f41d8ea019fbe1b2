/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* hash.c - content digests for caches: XXH3 with 128 bits.
 *
 * Not cryptographic: whoever can write to a cache could forge an entry. Caches are in folders that
 * only their owner can write to, and they verify an entry's content when they read it.
 */
#include "base.h"

#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

Digest digest_of(const void *data, size_t bytes)
{
  XXH128_hash_t hash = XXH3_128bits(data, bytes);
  return (Digest){hash.low64, hash.high64};
}

Digest digest_more(Digest so_far, const void *data, size_t bytes)
{
  Digest part = digest_of(data, bytes);
  uint64_t both[5] = {so_far.lo, so_far.hi, part.lo, part.hi, bytes};
  return digest_of(both, sizeof both);
}

void digest_text(Digest digest, char out[DIGEST_TEXT_BYTES])
{
  snprintf(out, DIGEST_TEXT_BYTES, "%016llx%016llx", (unsigned long long)digest.hi,
           (unsigned long long)digest.lo);
}
