/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* image.c - embeds the manifest in the code, so that one file is enough to launch a kernel.
 * docs/manifest.md specifies the places:
 *
 *     cubin, fatbin, host   image | manifest | its length, 8 bytes | "CKMANIF1"
 *     LTO-IR                head | manifest | length | "CKMANIF1" | body
 *     PTX                   text | one line "//ck: ..." for each line of the manifest
 *
 * needs   c->manifest; the finished code
 * gives   the code with its manifest
 * keeps   the code: the driver and the linker read it as they did before
 * fails   never
 */
#include "output/output_private.h"

#include <string.h>

void image_add_manifest(Session *c, Buf *image)
{
  uint64_t bytes = c->manifest.len;
  unsigned char length[8];
  for (int i = 0; i < 8; ++i) length[i] = (unsigned char)(bytes >> (8 * i));
  buf_bytes(image, c->manifest.data, c->manifest.len);
  buf_bytes(image, length, sizeof length);
  buf_bytes(image, "CKMANIF1", 8);
}

/* The loader of host code trusts every byte of it, so a damaged image would crash the process. The
 * runtime compares this digest before it loads the image. */
void image_add_digest(Session *c)
{
  char digest[DIGEST_TEXT_BYTES];
  digest_text(digest_of(c->object.data, c->object.len), digest);
  c->manifest.len -= strlen(MANIFEST_END);
  buf_printf(&c->manifest, ",\n  \"image\": \"%s\"" MANIFEST_END, digest);
}

/* Readers of libNVVM's LTO-IR take everything up to its end as the body, so nothing can be
 * appended. But the body's offset is the sixth word of the head: the manifest goes between the two,
 * and the offset grows. A file with another head (a later format) is left without a manifest. */
void image_add_in_head(Session *c, Buf *ltoir)
{
  enum { MAGIC = 0x7f4e43ed, BODY_WORD = 5, HEAD_WORDS = 6, ALIGNMENT = 4 };
  uint32_t head[HEAD_WORDS], body;
  if (ltoir->len < sizeof head) return;
  memcpy(head, ltoir->data, sizeof head);
  body = head[BODY_WORD];
  if (head[0] != MAGIC || body < sizeof head || body > ltoir->len) return;
  Buf whole = BUF(c->unit);
  while ((c->manifest.len + body) % ALIGNMENT) buf_putc(&c->manifest, '\n');
  buf_bytes(&whole, ltoir->data, body);
  image_add_manifest(c, &whole);
  uint32_t moved = (uint32_t)whole.len;
  memcpy(whole.data + BODY_WORD * sizeof moved, &moved, sizeof moved);
  buf_bytes(&whole, ltoir->data + body, ltoir->len - body);
  *ltoir = whole;
}

void image_add_lines(Session *c, Buf *ptx)
{
  for (const char *p = buf_text(&c->manifest); *p;) {
    size_t len = strcspn(p, "\n");
    buf_puts(ptx, "//ck: ");
    buf_bytes(ptx, p, len);
    buf_putc(ptx, '\n');
    p += len + (p[len] == '\n');
  }
}
