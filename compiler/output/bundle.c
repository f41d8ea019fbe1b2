/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* bundle.c - compiles one source for several targets and puts the images into one file: a fatbin,
 * or a C header.
 *
 *     --target=sm_80,sm_90a,sm_90,host --emit=header
 *         source --> sm_80  cubin -------+
 *                --> sm_90a cubin -------+--> fatbin --+
 *                --> sm_90  cubin + PTX -+             +--> C header
 *                --> host image -----------------------+
 *
 * needs   options that name the targets, separated by commas
 * gives   c->object: the fatbin. It holds a cubin for each GPU target, and the PTX of the newest
 *         target, which the driver compiles for GPUs that came later. PTX for a target with a
 *         suffix (sm_90a) is left out, because no other GPU accepts it.
 *         c->manifest: the newest target's; c->ptx: the header's text, for --emit=header
 * keeps   the order of the targets
 * fails   with the errors of the compilation for one of the targets; or if two targets disagree
 *         about the arguments or the launch of a kernel, which `comptime if` on the target makes
 *         possible
 *
 * Each target is a complete compilation, because the program can branch on its target at compile
 * time: not even the checked tree can be shared.
 */
#include "front/target.h"
#include "output/output_private.h"

#include <string.h>

enum { TARGETS_MAX = 32 };

typedef struct Bundle {
  Target targets[TARGETS_MAX];
  uint32_t count;
  uint32_t newest; /* index of the target whose manifest describes the file; see is_newer */
  Buf fatbin, host;
  /* the first target's parameters and launches, as JSON; the others' must equal it */
  const char *contract;
} Bundle;

static bool fail(Session *c, const char *text)
{
  buf_printf(&c->log, "error: %s\n", text);
  return false;
}

static bool split_targets(Session *c, Bundle *bundle)
{
  const char *list = c->options.target ? c->options.target : "host";
  bool is_header = c->options.emit == CK_EMIT_HEADER;
  for (const char *p = list; *p; p += strspn(p, ",")) {
    size_t len = strcspn(p, ",");
    Target *target = &bundle->targets[bundle->count];
    const char *name = arena_strndup(c->unit, p, len);
    p += len;
    if (bundle->count == TARGETS_MAX || !target_named(name, target)) {
      Buf known = BUF(&c->scratch);
      target_list(&known);
      return fail(c, arena_printf(&c->scratch, "there is no target '%s'; there are host, %s", name,
                                  buf_text(&known)));
    }
    if (!target->has_fatbin && !is_header)
      return fail(c, "a fatbin holds code for GPUs; --emit=header takes 'host' as well");
    bool is_known = false;
    for (uint32_t i = 0; i < bundle->count; ++i) is_known |= !strcmp(bundle->targets[i].name, name);
    const Target *newest = &bundle->targets[bundle->newest]; /* at first targets[0] */
    bool is_newer = !newest->has_fatbin || (newest->suffix && !target->suffix) ||
                    (!newest->suffix == !target->suffix && target->sm > newest->sm);
    if (is_newer && !is_known) bundle->newest = bundle->count;
    bundle->count += !is_known;
  }
  return bundle->count || fail(c, "no target is named");
}

/* Copies what the compilation for one target produced into the bundle. */
static bool add_image(Session *c, Bundle *bundle, uint32_t index, Session *made)
{
  const Target *target = &bundle->targets[index];
  const char *contract = buf_text(&made->contract);
  if (!bundle->contract) bundle->contract = arena_strdup(c->unit, contract);
  if (strcmp(bundle->contract, contract) != 0)
    return fail(c, arena_printf(&c->scratch,
                                "kernels for %s and %s differ in their arguments or launch: one "
                                "file can't hold both",
                                bundle->targets[0].name, target->name));
  /* the image ends with manifest, length and magic */
  size_t image_bytes = made->output_bytes - made->manifest.len - 16;
  if (!target->has_fatbin) {
    buf_bytes(&bundle->host, made->output, made->output_bytes);
  } else {
    if (!bundle->fatbin.len) fatbin_open(&bundle->fatbin);
    fatbin_cubin(&bundle->fatbin, target, &made->object, image_bytes);
    if (index == bundle->newest && !target->suffix)
      fatbin_ptx(&bundle->fatbin, target, buf_text(&made->ptx));
  }
  for (uint32_t i = 0; index == 0 && i < made->files.count; ++i)
    vec_push(c->unit, &c->files, arena_strdup(c->unit, made->files.at[i]));
  if (index == bundle->newest) buf_bytes(&c->manifest, made->manifest.data, made->manifest.len);
  return true;
}

static ck_status_t compile_target(Session *c, Bundle *bundle, uint32_t index, const char *source,
                                  size_t bytes, CompileOne *compile)
{
  const Target *target = &bundle->targets[index];
  ck_compile_options_t options = c->options;
  options.struct_size = sizeof options;
  options.target = target->name;
  options.emit = target->has_fatbin ? CK_EMIT_CUBIN : CK_EMIT_HOST;
  ck_status_t status;
  Session *made = compile(source, bytes, &options, &status);
  if (!made) memory_is_out(0, false);
  if (status != CK_OK || index == 0) buf_puts(&c->log, buf_text(&made->log));
  for (const char *line = buf_text(&made->times); *line; line += strcspn(line, "\n") + 1)
    buf_printf(&c->times, "%s:%.*s\n", target->name, (int)strcspn(line, "\n"), line);
  buf_puts(&c->report, buf_text(&made->report));
  if (status == CK_OK && !add_image(c, bundle, index, made)) status = CK_INVALID_ARGUMENT;
  if (status == CK_OK && index == 0 && c->options.emit == CK_EMIT_HEADER) {
    header_launches(made, &c->ir);
    arena_free(&made->scratch);
  }
  session_free(made);
  return status;
}

/* Replaces the manifest's "target": "sm_90" by the list of all targets: "target": "sm_80,sm_90". */
static void name_targets(Session *c, const Bundle *bundle)
{
  Buf text = BUF(c->unit);
  const char *own =
      arena_printf(&c->scratch, "\"target\": \"%s\"", bundle->targets[bundle->newest].name);
  const char *at = strstr(buf_text(&c->manifest), own);
  if (!at) die("a manifest without a target");
  buf_bytes(&text, c->manifest.data, (size_t)(at - c->manifest.data));
  buf_puts(&text, "\"target\": \"");
  const char *comma = "";
  for (uint32_t i = 0; i < bundle->count; ++i) {
    if (!bundle->targets[i].has_fatbin && bundle->fatbin.len) continue;
    buf_printf(&text, "%s%s", comma, bundle->targets[i].name);
    comma = ",";
  }
  buf_printf(&text, "\"%s", at + strlen(own));
  c->manifest = text;
}

ck_status_t bundle_compile(Session *c, const char *source, size_t bytes, CompileOne *compile)
{
  Bundle *bundle = NEW(c->unit, Bundle);
  bundle->fatbin = BUF(c->unit);
  bundle->host = BUF(c->unit);
  c->form = c->options.emit;
  if (c->options.stop_after || c->options.dump) {
    fail(c, "--dump and --stop-after show one target's passes: leave out fatbin and header");
    return CK_INVALID_ARGUMENT;
  }
  if (!split_targets(c, bundle)) return CK_INVALID_ARGUMENT;
  for (uint32_t i = 0; i < bundle->count; ++i) {
    ck_status_t status = compile_target(c, bundle, i, source, bytes, compile);
    if (status != CK_OK) return status;
  }
  name_targets(c, bundle);
  if (bundle->fatbin.len) {
    fatbin_close(&bundle->fatbin);
    image_add_manifest(c, &bundle->fatbin);
  }
  Buf *output = &bundle->fatbin;
  if (c->options.emit == CK_EMIT_HEADER)
    header_make(c, &c->ir, &bundle->fatbin, &bundle->host, output = &c->ptx);
  c->output = buf_text(output);
  c->output_bytes = output->len;
  return CK_OK;
}
