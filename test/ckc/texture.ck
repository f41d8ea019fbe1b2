// The manifest says what is read by a texture, the header takes the runtime's objects, and ckc run wants arrays for them.
// REQUIRES: host
// RUN: %ckc %s --emit=manifest --target=host | FileCheck %s
// RUN: %ckc %s --emit=header --target=host | FileCheck --check-prefix=HEADER %s
// RUN: not %ckc run %s k --device=host 2>&1 | FileCheck --check-prefix=ANSWER %s
kernel k(t: texture<2, f32x4>, a: texture_array<1, u8>, s: surface<3, f16>) launch(block = 1, grid = 1)
{
    s.store(0, 0, 0, f16(t.sample(0, 0).x + f32(a.fetch(0, 1))));
}
// CHECK: {"name": "t", "kind": "texture", "type": "f32x4", "rank": 2},
// CHECK: {"name": "a", "kind": "texture", "type": "u8", "rank": 1, "layered": true},
// CHECK: {"name": "s", "kind": "surface", "type": "f16", "rank": 3}
// HEADER: const ck_texture_t * t,
// HEADER-NEXT: const ck_texture_t * a,
// HEADER-NEXT: const ck_surface_t * s)
// HEADER: args[0] = ck_arg_texture(t);
// HEADER: args[2] = ck_arg_surface(s);
// ANSWER: k needs values for 't: texture<2, f32x4>', 'a: texture_array<1, u8>', 's: surface<3, f16>'
