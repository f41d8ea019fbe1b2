// texture.ck: an image scaled by a texture. Point sampling returns the nearest element, linear
// sampling interpolates between neighbours in the GPU's filter. texture.c creates the textures.

// Samples the image at intervals of `step` elements, starting at its first element's centre.
kernel resample(h: u32, w: u32, step: f32, image: texture<2, f32>, y: out f32[h, w])
    launch(block = (16, 16), grid = (ceil_div(w, 16), ceil_div(h, 16)))
{
    let (r, c) = (block.id.y * 16 + thread.y, block.id.x * 16 + thread.x);
    if (r < h && c < w) y[r, c] = image.sample(0.5 + f32(c) * step, 0.5 + f32(r) * step);
}

// Writes the samples to an array of half precision.
kernel resample_to(h: u32, w: u32, step: f32, image: texture<2, f32>, y: surface<2, f16>)
    launch(block = (16, 16), grid = (ceil_div(w, 16), ceil_div(h, 16)))
{
    let (r, c) = (block.id.y * 16 + thread.y, block.id.x * 16 + thread.x);
    if (r < h && c < w) y.store(c, r, f16(image.sample(0.5 + f32(c) * step, 0.5 + f32(r) * step)));
}
