/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* image.c - textures and surfaces as arguments: the CUDA arrays that they read and write.
 *
 * The value of a texture or surface is an array like that of a span, with rows outermost, and is
 * put into a buffer in the same way. From there it is copied into a CUDA array, whose layout the
 * device chooses. What a kernel wrote to a surface is copied back into the buffer before it is
 * read.
 *
 *     file, rand:N, text  ->  buffer  ->  array  ->  texture, surface
 *                               ^           |
 *                               +-----------+  image_fetch
 */
#include <string.h>

#include "test.h"

/* what it is --------------------------------------------------------------------------------- */

bool param_is_image(const Param *param)
{
  return param->info.kind == CK_PARAM_TEXTURE || param->info.kind == CK_PARAM_SURFACE;
}

const char *image_text(Arena *arena, const Param *param)
{
  const ck_param_t *info = &param->info;
  Buf text = BUF(arena);
  buf_printf(&text, "%s: %s%s<%u, %s", info->name,
             info->kind == CK_PARAM_TEXTURE ? "texture" : "surface",
             info->is_layered ? "_array" : "", info->rank, ck_dtype_name(param->reads));
  if (info->components > 1) buf_printf(&text, "x%u", info->components);
  buf_putc(&text, '>');
  return buf_text(&text);
}

/* A texture that gives floats may have elements of other types. */
bool image_set_type(Param *param, ck_dtype_t dtype)
{
  bool is_float = dtype == CK_F16 || dtype == CK_F32;
  bool is_narrow = dtype == CK_U8 || dtype == CK_I8 || dtype == CK_U16 || dtype == CK_I16;
  if (dtype != param->reads &&
      !(param->info.kind == CK_PARAM_TEXTURE && param->reads == CK_F32 && (is_float || is_narrow)))
    return false;
  param->info.dtype = dtype;
  param->info.bytes = (uint32_t)ck_dtype_bytes(dtype) * param->info.components;
  return true;
}

bool test_image_type(Param *param, const TestValue *from, Buf *why)
{
  if (!from->image || from->image->dtype == CK_NONE || !param_is_image(param)) return true;
  if (image_set_type(param, from->image->dtype)) return true;
  return buf_fail(why, "it reads %s, which elements of %s are not", ck_dtype_name(param->reads),
                  ck_dtype_name(from->image->dtype));
}

Exit image_check(Run *run, const Param *param)
{
  const ck_param_t *info = &param->info;
  uint32_t rank = info->rank + (info->is_layered != 0);
  if (param->shape.rank == rank && param->shape.count) return EXIT_OK;
  static const char *const examples[] = {"8", "8", "4x8", "2x4x8"};
  return fail(EXIT_INPUT, "'%s' has %s elements, '%s' needs %u extents%s, as in %s%s", info->name,
              shape_text(run->arena, &param->shape), image_text(run->arena, param), rank,
              info->is_layered ? ", the layers first" : "", info->is_layered ? "3x" : "",
              examples[info->rank <= 3 ? info->rank : 0]);
}

/* making it ---------------------------------------------------------------------------------- */

static ck_array_options_t options_of(const Param *param, const Shape *shape)
{
  ck_array_options_t out = CK_OPTIONS_INIT(ck_array_options_t);
  const ck_param_t *info = &param->info;
  const uint64_t *at = shape->at;
  out.dtype = info->dtype;
  out.channels = info->components;
  if (info->is_layered) out.layers = *at++;
  if (info->rank > 2) out.depth = *at++;
  if (info->rank > 1) out.height = *at++;
  out.width = *at;
  if (info->kind == CK_PARAM_SURFACE) out.flags = CK_ARRAY_SURFACE;
  return out;
}

static size_t bytes_of(const Param *param)
{
  return run_stored_shape(param).count * ck_dtype_bytes(param->info.dtype);
}

static ck_status_t copy(ck_array_t *array, ck_buffer_t *buffer, bool is_back, ck_stream_t *stream)
{
  ck_array_copy_t copy = CK_OPTIONS_INIT(ck_array_copy_t);
  (is_back ? &copy.src : &copy.dst)->array = array;
  (is_back ? &copy.dst : &copy.src)->buffer = buffer;
  return ck_array_copy(&copy, stream);
}

static ck_texture_options_t texture_options(const Param *param, const ImageSetup *setup)
{
  ck_texture_options_t out = CK_OPTIONS_INIT(ck_texture_options_t);
  if (setup) out = setup->options;
  if (param->reads == CK_F32 && number_is_integer(param->info.dtype))
    out.flags |= CK_TEXTURE_READ_NORMALIZED;
  return out;
}

/* Makes a texture of a buffer, whose rows have the pitch that the device requires. */
static ck_status_t texture_of_buffer(Run *run, Param *param, const ck_texture_options_t *options)
{
  ck_texture_resource_t from = CK_OPTIONS_INIT(ck_texture_resource_t);
  ck_array_options_t shape = options_of(param, &param->shape);
  int unit = 1;
  size_t row = shape.width * param->info.bytes;
  from.dtype = shape.dtype;
  from.channels = shape.channels;
  from.width = shape.width;
  from.height = shape.height;
  ck_status_t status = CK_OK;
  if (shape.height)
    status = ck_device_get_attribute(run->device, CK_DEVICE_TEXTURE_PITCH_ALIGNMENT, &unit);
  size_t align = unit > 1 ? (size_t)unit : 1, pitch = (row + align - 1) / align * align;
  if (shape.height) from.row_bytes = pitch;
  size_t rows = shape.height ? shape.height : 1;
  if (status == CK_OK)
    status = ck_buffer_create(run->device, rows * pitch, run->stream, &param->rows);
  for (size_t i = 0; i < rows && status == CK_OK; ++i)
    status = ck_buffer_copy(param->rows, i * pitch, param->buffer, i * row, row, run->stream);
  from.buffer = param->rows;
  return status == CK_OK ? ck_texture_create(&from, options, &param->texture) : status;
}

/* Fills a level of a mipmap. A level has half of each extent of the one before, at least 1; the
 * number of layers stays. */
static Exit fill_level(Run *run, const Param *param, const ImageSetup *setup, uint32_t level,
                       ck_mipmap_t *mipmap)
{
  ck_array_t *array = NULL;
  Shape want = param->shape;
  const Value *value = level ? &setup->levels[level - 1] : NULL;
  for (uint32_t i = param->info.is_layered != 0; i < want.rank; ++i)
    want.at[i] = want.at[i] >> level ? want.at[i] >> level : 1;
  if (run_components(param) > 1) want.at[want.rank++] = run_components(param);
  shape_set_count(&want);
  if (value && !shape_is_same(&value->shape, &want))
    return fail(EXIT_INPUT, "'%s': level %u has %s elements, %s are needed", param->info.name,
                level, shape_text(run->arena, &value->shape), shape_text(run->arena, &want));
  ck_status_t status = ck_mipmap_get_level(mipmap, level, &array);
  if (status == CK_OK && !level) status = copy(array, param->buffer, false, run->stream);
  else if (status == CK_OK)
    status = ck_array_write(array, value->data, ck_array_bytes(array), run->stream);
  if (status == CK_OK) status = ck_stream_sync(run->stream);
  ck_array_release(array);
  return status == CK_OK ? EXIT_OK : fail_status(status);
}

static Exit texture_of_levels(Run *run, Param *param, const ImageSetup *setup,
                              const ck_texture_options_t *options)
{
  ck_mipmap_t *mipmap = NULL;
  ck_array_options_t shape = options_of(param, &param->shape);
  ck_status_t status = ck_mipmap_create(run->device, &shape, setup->level_count + 1, &mipmap);
  Exit exit = status == CK_OK ? EXIT_OK : fail_status(status);
  for (uint32_t i = 0; i <= setup->level_count && exit == EXIT_OK; ++i)
    exit = fill_level(run, param, setup, i, mipmap);
  ck_texture_resource_t from = CK_OPTIONS_INIT(ck_texture_resource_t);
  from.mipmap = mipmap;
  if (exit == EXIT_OK) {
    status = ck_texture_create(&from, options, &param->texture);
    if (status != CK_OK) exit = fail_status(status);
  }
  ck_mipmap_release(mipmap);
  return exit;
}

static ck_status_t make_array(Run *run, Param *param)
{
  ck_array_options_t shape = options_of(param, &param->shape);
  ck_status_t status = ck_array_create(run->device, &shape, &param->array);
  return status == CK_OK ? copy(param->array, param->buffer, false, run->stream) : status;
}

static Exit share(Param *param, const Param *from, const ImageSetup *setup)
{
  bool is_surface = param->info.kind == CK_PARAM_SURFACE;
  ck_status_t status = CK_OK;
  ck_texture_options_t options = texture_options(param, setup);
  param->array = from->array ? ck_array_retain(from->array) : NULL;
  if (!is_surface && from->texture && !setup) param->texture = ck_texture_retain(from->texture);
  else if (!from->array)
    return fail(EXIT_INPUT, "'%s': the texture '%s' is made of no array", param->info.name,
                from->info.name);
  else if (is_surface) status = ck_surface_create(param->array, &param->surface);
  else status = ck_texture_from_array(param->array, &options, &param->texture);
  return status == CK_OK ? EXIT_OK : fail_status(status);
}

Exit image_make(Run *run, Param *param)
{
  const ImageSetup *setup = param->value->setup;
  ck_texture_options_t options = texture_options(param, setup);
  ck_status_t status = CK_OK;
  Exit exit = EXIT_OK;
  if (param->value->kind == VALUE_SHARED) exit = share(param, param->value->shared, setup);
  else if (setup && setup->level_count) exit = texture_of_levels(run, param, setup, &options);
  else if (setup && setup->is_buffer) status = texture_of_buffer(run, param, &options);
  else {
    status = make_array(run, param);
    if (status == CK_OK && param->info.kind == CK_PARAM_SURFACE)
      status = ck_surface_create(param->array, &param->surface);
    else if (status == CK_OK)
      status = ck_texture_from_array(param->array, &options, &param->texture);
  }
  if (status != CK_OK) return fail_status(status);
  param->arg = param->surface ? ck_arg_surface(param->surface) : ck_arg_texture(param->texture);
  return exit;
}

/* and back ----------------------------------------------------------------------------------- */

ck_status_t image_restore(const Run *run, const Param *param)
{
  return param->array ? copy(param->array, param->initial, false, run->stream) : CK_OK;
}

Exit image_fetch(const Run *run, Param *param)
{
  ck_status_t status = CK_OK;
  if (!param_is_image(param) || !param->array) return EXIT_OK;
  if (!param->buffer)
    status = ck_buffer_create(run->device, bytes_of(param), run->stream, &param->buffer);
  if (status == CK_OK) status = copy(param->array, param->buffer, true, run->stream);
  return status == CK_OK ? EXIT_OK : fail_status(status);
}

void image_release(Param *param)
{
  ck_texture_release(param->texture);
  ck_surface_release(param->surface);
  ck_array_release(param->array);
  ck_buffer_release(param->rows);
}
