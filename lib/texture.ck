// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// texture.ck - reads of textures, and reads and writes of surfaces (ck/texture.h).
//
// texture<RANK, T>: RANK is 1 to 3. texture_array<RANK, T> has layers, and RANK 1 or 2. T is the
// type of a read: f32, f32x2 or f32x4 for arrays of floats and for normalized reads, otherwise the
// array's integer type. surface<RANK, T>, surface_array<RANK, T>: T is the array's element type.
// The compiler (check/handle.c) rejects kernel parameters with other types, and the runtime rejects
// arguments that don't match the parameter.
//
// An object consists of its handle only. On a GPU, tex returns the bits of four channels whatever
// their type is (PTX ISA, "tex"); on the host device the runtime samples (host_texture.c).

struct texture<const RANK: u32, T: type> { __handle: u64; }
struct texture_array<const RANK: u32, T: type> { __handle: u64; }
struct surface<const RANK: u32, T: type> { __handle: u64; }
struct surface_array<const RANK: u32, T: type> { __handle: u64; }

// ---- from four channels to a T ----

fn __texel<T: int>(v: u32[4], none: T) -> T = T(v[0]);
fn __texel(v: u32[4], none: f32) -> f32 = bit_cast<f32>(v[0]);
fn __texel<T: int>(v: u32[4], none: vec<T, 2>) -> vec<T, 2> = vec<T, 2>(T(v[0]), T(v[1]));
fn __texel<T: int>(v: u32[4], none: vec<T, 4>) -> vec<T, 4> = vec<T, 4>(T(v[0]), T(v[1]), T(v[2]), T(v[3]));
fn __texel(v: u32[4], none: f32x2) -> f32x2 = f32x2(bit_cast<f32>(v[0]), bit_cast<f32>(v[1]));
fn __texel(v: u32[4], none: f32x4) -> f32x4 = bit_cast<f32x4>(v);
fn __texel_of<T: type>(v: u32[4]) -> T {
    var none: T;
    return __texel(v, none);
}
fn __four(v: (u32, u32, u32, u32)) -> u32[4] = [v[0], v[1], v[2], v[3]];

fn __host_sample(handle: u64, x: f32, y: f32, z: f32, layer: u32, level: f32) -> u32[4] {
    var v: u32[4];
    __texture_sample(handle, x, y, z, layer, level, u64(address(v[0])));
    return v;
}
fn __host_fetch(handle: u64, x: i32, y: i32, z: i32, layer: u32) -> u32[4] {
    var v: u32[4];
    __texture_fetch(handle, x, y, z, layer, u64(address(v[0])));
    return v;
}

// ---- sample at a point: coordinates in elements, where 0.5 is the first one's centre, or 0 to 1 ----

fn texture.sample(x: f32) -> T {
    static_assert(RANK == 1, "sample(x) is for a texture of one dimension");
    comptime if (target.is_host) return __texel_of<T>(__host_sample(self.__handle, x, 0, 0, 0, 0));
    else return __texel_of<T>(__four(asm<(u32, u32, u32, u32)>("tex.1d.v4.u32.f32 {$0, $1, $2, $3}, [$4, {$5}];", self.__handle, x)));
}
fn texture.sample(x: f32, y: f32) -> T {
    static_assert(RANK == 2, "sample(x, y) is for a texture of two dimensions");
    comptime if (target.is_host) return __texel_of<T>(__host_sample(self.__handle, x, y, 0, 0, 0));
    else return __texel_of<T>(__four(asm<(u32, u32, u32, u32)>("tex.2d.v4.u32.f32 {$0, $1, $2, $3}, [$4, {$5, $6}];", self.__handle, x, y)));
}
fn texture.sample(x: f32, y: f32, z: f32) -> T {
    static_assert(RANK == 3, "sample(x, y, z) is for a texture of three dimensions");
    comptime if (target.is_host) return __texel_of<T>(__host_sample(self.__handle, x, y, z, 0, 0));
    else return __texel_of<T>(__four(asm<(u32, u32, u32, u32)>("tex.3d.v4.u32.f32 {$0, $1, $2, $3}, [$4, {$5, $6, $7, $7}];", self.__handle, x, y, z)));
}
fn texture_array.sample<L: int>(x: f32, layer: L) -> T {
    static_assert(RANK == 1, "sample(x, layer) is for a texture_array of one dimension");
    comptime if (target.is_host) return __texel_of<T>(__host_sample(self.__handle, x, 0, 0, u32(layer), 0));
    else return __texel_of<T>(__four(asm<(u32, u32, u32, u32)>("tex.a1d.v4.u32.f32 {$0, $1, $2, $3}, [$4, {$5, $6}];", self.__handle, u32(layer), x)));
}
fn texture_array.sample<L: int>(x: f32, y: f32, layer: L) -> T {
    static_assert(RANK == 2, "sample(x, y, layer) is for a texture_array of two dimensions");
    comptime if (target.is_host) return __texel_of<T>(__host_sample(self.__handle, x, y, 0, u32(layer), 0));
    else return __texel_of<T>(__four(asm<(u32, u32, u32, u32)>("tex.a2d.v4.u32.f32 {$0, $1, $2, $3}, [$4, {$5, $6, $7, $7}];", self.__handle, u32(layer), x, y)));
}

// ---- sample a level of a mipmap, 0 the largest; the level filter interpolates between two ----

fn texture.lod(x: f32, level: f32) -> T {
    static_assert(RANK == 1, "lod(x, level) is for a texture of one dimension");
    comptime if (target.is_host) return __texel_of<T>(__host_sample(self.__handle, x, 0, 0, 0, level));
    else return __texel_of<T>(__four(asm<(u32, u32, u32, u32)>("tex.level.1d.v4.u32.f32 {$0, $1, $2, $3}, [$4, {$5}], $6;", self.__handle, x, level)));
}
fn texture.lod(x: f32, y: f32, level: f32) -> T {
    static_assert(RANK == 2, "lod(x, y, level) is for a texture of two dimensions");
    comptime if (target.is_host) return __texel_of<T>(__host_sample(self.__handle, x, y, 0, 0, level));
    else return __texel_of<T>(__four(asm<(u32, u32, u32, u32)>("tex.level.2d.v4.u32.f32 {$0, $1, $2, $3}, [$4, {$5, $6}], $7;", self.__handle, x, y, level)));
}
fn texture.lod(x: f32, y: f32, z: f32, level: f32) -> T {
    static_assert(RANK == 3, "lod(x, y, z, level) is for a texture of three dimensions");
    comptime if (target.is_host) return __texel_of<T>(__host_sample(self.__handle, x, y, z, 0, level));
    else return __texel_of<T>(__four(asm<(u32, u32, u32, u32)>("tex.level.3d.v4.u32.f32 {$0, $1, $2, $3}, [$4, {$5, $6, $7, $7}], $8;", self.__handle, x, y, z, level)));
}
fn texture_array.lod<L: int>(x: f32, layer: L, level: f32) -> T {
    static_assert(RANK == 1, "lod(x, layer, level) is for a texture_array of one dimension");
    comptime if (target.is_host) return __texel_of<T>(__host_sample(self.__handle, x, 0, 0, u32(layer), level));
    else return __texel_of<T>(__four(asm<(u32, u32, u32, u32)>("tex.level.a1d.v4.u32.f32 {$0, $1, $2, $3}, [$4, {$5, $6}], $7;", self.__handle, u32(layer), x, level)));
}
fn texture_array.lod<L: int>(x: f32, y: f32, layer: L, level: f32) -> T {
    static_assert(RANK == 2, "lod(x, y, layer, level) is for a texture_array of two dimensions");
    comptime if (target.is_host) return __texel_of<T>(__host_sample(self.__handle, x, y, 0, u32(layer), level));
    else return __texel_of<T>(__four(asm<(u32, u32, u32, u32)>("tex.level.a2d.v4.u32.f32 {$0, $1, $2, $3}, [$4, {$5, $6, $7, $7}], $8;", self.__handle, u32(layer), x, y, level)));
}

// ---- fetch an element by its index, unfiltered; the program must keep it in range ----

fn texture.fetch<I: int>(x: I) -> T {
    static_assert(RANK == 1, "fetch(x) is for a texture of one dimension");
    // layer ~0: the texture may be linear memory
    comptime if (target.is_host) return __texel_of<T>(__host_fetch(self.__handle, i32(x), 0, 0, ~0u32));
    else return __texel_of<T>(__four(asm<(u32, u32, u32, u32)>("tex.1d.v4.u32.s32 {$0, $1, $2, $3}, [$4, {$5}];", self.__handle, i32(x))));
}
fn texture.fetch<I: int, J: int>(x: I, y: J) -> T {
    static_assert(RANK == 2, "fetch(x, y) is for a texture of two dimensions");
    comptime if (target.is_host) return __texel_of<T>(__host_fetch(self.__handle, i32(x), i32(y), 0, 0));
    else return __texel_of<T>(__four(asm<(u32, u32, u32, u32)>("tex.2d.v4.u32.s32 {$0, $1, $2, $3}, [$4, {$5, $6}];", self.__handle, i32(x), i32(y))));
}
fn texture.fetch<I: int, J: int, K: int>(x: I, y: J, z: K) -> T {
    static_assert(RANK == 3, "fetch(x, y, z) is for a texture of three dimensions");
    comptime if (target.is_host) return __texel_of<T>(__host_fetch(self.__handle, i32(x), i32(y), i32(z), 0));
    else return __texel_of<T>(__four(asm<(u32, u32, u32, u32)>("tex.3d.v4.u32.s32 {$0, $1, $2, $3}, [$4, {$5, $6, $7, $7}];", self.__handle, i32(x), i32(y), i32(z))));
}
fn texture_array.fetch<I: int, L: int>(x: I, layer: L) -> T {
    static_assert(RANK == 1, "fetch(x, layer) is for a texture_array of one dimension");
    comptime if (target.is_host) return __texel_of<T>(__host_fetch(self.__handle, i32(x), 0, 0, u32(layer)));
    else return __texel_of<T>(__four(asm<(u32, u32, u32, u32)>("tex.a1d.v4.u32.s32 {$0, $1, $2, $3}, [$4, {$5, $6}];", self.__handle, u32(layer), i32(x))));
}
fn texture_array.fetch<I: int, J: int, L: int>(x: I, y: J, layer: L) -> T {
    static_assert(RANK == 2, "fetch(x, y, layer) is for a texture_array of two dimensions");
    comptime if (target.is_host) return __texel_of<T>(__host_fetch(self.__handle, i32(x), i32(y), 0, u32(layer)));
    else return __texel_of<T>(__four(asm<(u32, u32, u32, u32)>("tex.a2d.v4.u32.s32 {$0, $1, $2, $3}, [$4, {$5, $6, $7, $7}];", self.__handle, u32(layer), i32(x), i32(y))));
}

// ---- surfaces: an element by its index. An index out of range aborts the kernel ----

// An index that doesn't fit in i32 becomes the smallest i32, which is out of range for every
// surface here and every tensor in tensor_map.ck.
fn __coordinate<I: int>(x: I) -> i32 {
    comptime if (sizeof<I> == 8) return i64(x) == i64(i32(x)) ? i32(x) : -2147483648;
    else return i32(x);
}
// On a GPU, x counts bytes. The conversion saturates, so that a product that overflows doesn't
// become a valid index.
fn __surface_x<T: type, I: int>(x: I) -> i32 {
    comptime if (sizeof<T> == 1) return __coordinate(x);
    else return clamp(__coordinate(x), -1, 1 << 26) * i32(sizeof<T>);
}
fn __host_load<T: type>(handle: u64, x: i32, y: i32, z: i32) -> T {
    var v: T;
    __surface_load(handle, x, y, z, sizeof<T>, u64(address(v)));
    return v;
}
fn __host_store<T: type>(handle: u64, x: i32, y: i32, z: i32, v: T) {
    var copy = v;
    __surface_store(handle, x, y, z, sizeof<T>, u64(address(copy)));
}
fn surface.load<I: int>(x: I) -> T {
    static_assert(RANK == 1, "load(x) is for a surface of one dimension");
    comptime if (target.is_host) return __host_load<T>(self.__handle, __coordinate(x), 0, 0);
    else comptime if (sizeof<T> == 1) return bit_cast<T>(asm<u8>("suld.b.1d.b8.trap $0, [$1, {$2}];", self.__handle, __surface_x<T>(x), volatile = true, memory = true));
    else comptime if (sizeof<T> == 2) return bit_cast<T>(asm<u16>("suld.b.1d.b16.trap $0, [$1, {$2}];", self.__handle, __surface_x<T>(x), volatile = true, memory = true));
    else comptime if (sizeof<T> == 4) return bit_cast<T>(asm<u32>("suld.b.1d.b32.trap $0, [$1, {$2}];", self.__handle, __surface_x<T>(x), volatile = true, memory = true));
    else comptime if (sizeof<T> == 8) return bit_cast<T>(asm<(u32, u32)>("suld.b.1d.v2.b32.trap {$0, $1}, [$2, {$3}];", self.__handle, __surface_x<T>(x), volatile = true, memory = true));
    else return bit_cast<T>(asm<(u32, u32, u32, u32)>("suld.b.1d.v4.b32.trap {$0, $1, $2, $3}, [$4, {$5}];", self.__handle, __surface_x<T>(x), volatile = true, memory = true));
}
fn surface.store<I: int>(x: I, v: T) {
    static_assert(RANK == 1, "store(x, v) is for a surface of one dimension");
    comptime if (target.is_host) __host_store(self.__handle, __coordinate(x), 0, 0, v);
    else comptime if (sizeof<T> == 1) asm("sust.b.1d.b8.trap [$0, {$1}], $2;", self.__handle, __surface_x<T>(x), bit_cast<u8>(v), memory = true);
    else comptime if (sizeof<T> == 2) asm("sust.b.1d.b16.trap [$0, {$1}], $2;", self.__handle, __surface_x<T>(x), bit_cast<u16>(v), memory = true);
    else comptime if (sizeof<T> == 4) asm("sust.b.1d.b32.trap [$0, {$1}], $2;", self.__handle, __surface_x<T>(x), bit_cast<u32>(v), memory = true);
    else comptime if (sizeof<T> == 8) {
        let w = bit_cast<u32[2]>(v);
        asm("sust.b.1d.v2.b32.trap [$0, {$1}], {$2, $3};", self.__handle, __surface_x<T>(x), w[0], w[1], memory = true);
    }
    else {
        let w = bit_cast<u32[4]>(v);
        asm("sust.b.1d.v4.b32.trap [$0, {$1}], {$2, $3, $4, $5};", self.__handle, __surface_x<T>(x), w[0], w[1], w[2], w[3], memory = true);
    }
}
fn surface.load<I: int, J: int>(x: I, y: J) -> T {
    static_assert(RANK == 2, "load(x, y) is for a surface of two dimensions");
    comptime if (target.is_host) return __host_load<T>(self.__handle, __coordinate(x), __coordinate(y), 0);
    else comptime if (sizeof<T> == 1) return bit_cast<T>(asm<u8>("suld.b.2d.b8.trap $0, [$1, {$2, $3}];", self.__handle, __surface_x<T>(x), __coordinate(y), volatile = true, memory = true));
    else comptime if (sizeof<T> == 2) return bit_cast<T>(asm<u16>("suld.b.2d.b16.trap $0, [$1, {$2, $3}];", self.__handle, __surface_x<T>(x), __coordinate(y), volatile = true, memory = true));
    else comptime if (sizeof<T> == 4) return bit_cast<T>(asm<u32>("suld.b.2d.b32.trap $0, [$1, {$2, $3}];", self.__handle, __surface_x<T>(x), __coordinate(y), volatile = true, memory = true));
    else comptime if (sizeof<T> == 8) return bit_cast<T>(asm<(u32, u32)>("suld.b.2d.v2.b32.trap {$0, $1}, [$2, {$3, $4}];", self.__handle, __surface_x<T>(x), __coordinate(y), volatile = true, memory = true));
    else return bit_cast<T>(asm<(u32, u32, u32, u32)>("suld.b.2d.v4.b32.trap {$0, $1, $2, $3}, [$4, {$5, $6}];", self.__handle, __surface_x<T>(x), __coordinate(y), volatile = true, memory = true));
}
fn surface.store<I: int, J: int>(x: I, y: J, v: T) {
    static_assert(RANK == 2, "store(x, y, v) is for a surface of two dimensions");
    comptime if (target.is_host) __host_store(self.__handle, __coordinate(x), __coordinate(y), 0, v);
    else comptime if (sizeof<T> == 1) asm("sust.b.2d.b8.trap [$0, {$1, $2}], $3;", self.__handle, __surface_x<T>(x), __coordinate(y), bit_cast<u8>(v), memory = true);
    else comptime if (sizeof<T> == 2) asm("sust.b.2d.b16.trap [$0, {$1, $2}], $3;", self.__handle, __surface_x<T>(x), __coordinate(y), bit_cast<u16>(v), memory = true);
    else comptime if (sizeof<T> == 4) asm("sust.b.2d.b32.trap [$0, {$1, $2}], $3;", self.__handle, __surface_x<T>(x), __coordinate(y), bit_cast<u32>(v), memory = true);
    else comptime if (sizeof<T> == 8) {
        let w = bit_cast<u32[2]>(v);
        asm("sust.b.2d.v2.b32.trap [$0, {$1, $2}], {$3, $4};", self.__handle, __surface_x<T>(x), __coordinate(y), w[0], w[1], memory = true);
    }
    else {
        let w = bit_cast<u32[4]>(v);
        asm("sust.b.2d.v4.b32.trap [$0, {$1, $2}], {$3, $4, $5, $6};", self.__handle, __surface_x<T>(x), __coordinate(y), w[0], w[1], w[2], w[3], memory = true);
    }
}
fn surface.load<I: int, J: int, K: int>(x: I, y: J, z: K) -> T {
    static_assert(RANK == 3, "load(x, y, z) is for a surface of three dimensions");
    comptime if (target.is_host) return __host_load<T>(self.__handle, __coordinate(x), __coordinate(y), __coordinate(z));
    else comptime if (sizeof<T> == 1) return bit_cast<T>(asm<u8>("suld.b.3d.b8.trap $0, [$1, {$2, $3, $4, $4}];", self.__handle, __surface_x<T>(x), __coordinate(y), __coordinate(z), volatile = true, memory = true));
    else comptime if (sizeof<T> == 2) return bit_cast<T>(asm<u16>("suld.b.3d.b16.trap $0, [$1, {$2, $3, $4, $4}];", self.__handle, __surface_x<T>(x), __coordinate(y), __coordinate(z), volatile = true, memory = true));
    else comptime if (sizeof<T> == 4) return bit_cast<T>(asm<u32>("suld.b.3d.b32.trap $0, [$1, {$2, $3, $4, $4}];", self.__handle, __surface_x<T>(x), __coordinate(y), __coordinate(z), volatile = true, memory = true));
    else comptime if (sizeof<T> == 8) return bit_cast<T>(asm<(u32, u32)>("suld.b.3d.v2.b32.trap {$0, $1}, [$2, {$3, $4, $5, $5}];", self.__handle, __surface_x<T>(x), __coordinate(y), __coordinate(z), volatile = true, memory = true));
    else return bit_cast<T>(asm<(u32, u32, u32, u32)>("suld.b.3d.v4.b32.trap {$0, $1, $2, $3}, [$4, {$5, $6, $7, $7}];", self.__handle, __surface_x<T>(x), __coordinate(y), __coordinate(z), volatile = true, memory = true));
}
fn surface.store<I: int, J: int, K: int>(x: I, y: J, z: K, v: T) {
    static_assert(RANK == 3, "store(x, y, z, v) is for a surface of three dimensions");
    comptime if (target.is_host) __host_store(self.__handle, __coordinate(x), __coordinate(y), __coordinate(z), v);
    else comptime if (sizeof<T> == 1) asm("sust.b.3d.b8.trap [$0, {$1, $2, $3, $3}], $4;", self.__handle, __surface_x<T>(x), __coordinate(y), __coordinate(z), bit_cast<u8>(v), memory = true);
    else comptime if (sizeof<T> == 2) asm("sust.b.3d.b16.trap [$0, {$1, $2, $3, $3}], $4;", self.__handle, __surface_x<T>(x), __coordinate(y), __coordinate(z), bit_cast<u16>(v), memory = true);
    else comptime if (sizeof<T> == 4) asm("sust.b.3d.b32.trap [$0, {$1, $2, $3, $3}], $4;", self.__handle, __surface_x<T>(x), __coordinate(y), __coordinate(z), bit_cast<u32>(v), memory = true);
    else comptime if (sizeof<T> == 8) {
        let w = bit_cast<u32[2]>(v);
        asm("sust.b.3d.v2.b32.trap [$0, {$1, $2, $3, $3}], {$4, $5};", self.__handle, __surface_x<T>(x), __coordinate(y), __coordinate(z), w[0], w[1], memory = true);
    }
    else {
        let w = bit_cast<u32[4]>(v);
        asm("sust.b.3d.v4.b32.trap [$0, {$1, $2, $3, $3}], {$4, $5, $6, $7};", self.__handle, __surface_x<T>(x), __coordinate(y), __coordinate(z), w[0], w[1], w[2], w[3], memory = true);
    }
}
fn surface_array.load<I: int, L: int>(x: I, layer: L) -> T {
    static_assert(RANK == 1, "load(x, layer) is for a surface_array of one dimension");
    comptime if (target.is_host) return __host_load<T>(self.__handle, __coordinate(x), 0, __coordinate(layer));
    else comptime if (sizeof<T> == 1) return bit_cast<T>(asm<u8>("suld.b.a1d.b8.trap $0, [$1, {$2, $3}];", self.__handle, __coordinate(layer), __surface_x<T>(x), volatile = true, memory = true));
    else comptime if (sizeof<T> == 2) return bit_cast<T>(asm<u16>("suld.b.a1d.b16.trap $0, [$1, {$2, $3}];", self.__handle, __coordinate(layer), __surface_x<T>(x), volatile = true, memory = true));
    else comptime if (sizeof<T> == 4) return bit_cast<T>(asm<u32>("suld.b.a1d.b32.trap $0, [$1, {$2, $3}];", self.__handle, __coordinate(layer), __surface_x<T>(x), volatile = true, memory = true));
    else comptime if (sizeof<T> == 8) return bit_cast<T>(asm<(u32, u32)>("suld.b.a1d.v2.b32.trap {$0, $1}, [$2, {$3, $4}];", self.__handle, __coordinate(layer), __surface_x<T>(x), volatile = true, memory = true));
    else return bit_cast<T>(asm<(u32, u32, u32, u32)>("suld.b.a1d.v4.b32.trap {$0, $1, $2, $3}, [$4, {$5, $6}];", self.__handle, __coordinate(layer), __surface_x<T>(x), volatile = true, memory = true));
}
fn surface_array.store<I: int, L: int>(x: I, layer: L, v: T) {
    static_assert(RANK == 1, "store(x, layer, v) is for a surface_array of one dimension");
    comptime if (target.is_host) __host_store(self.__handle, __coordinate(x), 0, __coordinate(layer), v);
    else comptime if (sizeof<T> == 1) asm("sust.b.a1d.b8.trap [$0, {$1, $2}], $3;", self.__handle, __coordinate(layer), __surface_x<T>(x), bit_cast<u8>(v), memory = true);
    else comptime if (sizeof<T> == 2) asm("sust.b.a1d.b16.trap [$0, {$1, $2}], $3;", self.__handle, __coordinate(layer), __surface_x<T>(x), bit_cast<u16>(v), memory = true);
    else comptime if (sizeof<T> == 4) asm("sust.b.a1d.b32.trap [$0, {$1, $2}], $3;", self.__handle, __coordinate(layer), __surface_x<T>(x), bit_cast<u32>(v), memory = true);
    else comptime if (sizeof<T> == 8) {
        let w = bit_cast<u32[2]>(v);
        asm("sust.b.a1d.v2.b32.trap [$0, {$1, $2}], {$3, $4};", self.__handle, __coordinate(layer), __surface_x<T>(x), w[0], w[1], memory = true);
    }
    else {
        let w = bit_cast<u32[4]>(v);
        asm("sust.b.a1d.v4.b32.trap [$0, {$1, $2}], {$3, $4, $5, $6};", self.__handle, __coordinate(layer), __surface_x<T>(x), w[0], w[1], w[2], w[3], memory = true);
    }
}
fn surface_array.load<I: int, J: int, L: int>(x: I, y: J, layer: L) -> T {
    static_assert(RANK == 2, "load(x, y, layer) is for a surface_array of two dimensions");
    comptime if (target.is_host) return __host_load<T>(self.__handle, __coordinate(x), __coordinate(y), __coordinate(layer));
    else comptime if (sizeof<T> == 1) return bit_cast<T>(asm<u8>("suld.b.a2d.b8.trap $0, [$1, {$2, $3, $4, $4}];", self.__handle, __coordinate(layer), __surface_x<T>(x), __coordinate(y), volatile = true, memory = true));
    else comptime if (sizeof<T> == 2) return bit_cast<T>(asm<u16>("suld.b.a2d.b16.trap $0, [$1, {$2, $3, $4, $4}];", self.__handle, __coordinate(layer), __surface_x<T>(x), __coordinate(y), volatile = true, memory = true));
    else comptime if (sizeof<T> == 4) return bit_cast<T>(asm<u32>("suld.b.a2d.b32.trap $0, [$1, {$2, $3, $4, $4}];", self.__handle, __coordinate(layer), __surface_x<T>(x), __coordinate(y), volatile = true, memory = true));
    else comptime if (sizeof<T> == 8) return bit_cast<T>(asm<(u32, u32)>("suld.b.a2d.v2.b32.trap {$0, $1}, [$2, {$3, $4, $5, $5}];", self.__handle, __coordinate(layer), __surface_x<T>(x), __coordinate(y), volatile = true, memory = true));
    else return bit_cast<T>(asm<(u32, u32, u32, u32)>("suld.b.a2d.v4.b32.trap {$0, $1, $2, $3}, [$4, {$5, $6, $7, $7}];", self.__handle, __coordinate(layer), __surface_x<T>(x), __coordinate(y), volatile = true, memory = true));
}
fn surface_array.store<I: int, J: int, L: int>(x: I, y: J, layer: L, v: T) {
    static_assert(RANK == 2, "store(x, y, layer, v) is for a surface_array of two dimensions");
    comptime if (target.is_host) __host_store(self.__handle, __coordinate(x), __coordinate(y), __coordinate(layer), v);
    else comptime if (sizeof<T> == 1) asm("sust.b.a2d.b8.trap [$0, {$1, $2, $3, $3}], $4;", self.__handle, __coordinate(layer), __surface_x<T>(x), __coordinate(y), bit_cast<u8>(v), memory = true);
    else comptime if (sizeof<T> == 2) asm("sust.b.a2d.b16.trap [$0, {$1, $2, $3, $3}], $4;", self.__handle, __coordinate(layer), __surface_x<T>(x), __coordinate(y), bit_cast<u16>(v), memory = true);
    else comptime if (sizeof<T> == 4) asm("sust.b.a2d.b32.trap [$0, {$1, $2, $3, $3}], $4;", self.__handle, __coordinate(layer), __surface_x<T>(x), __coordinate(y), bit_cast<u32>(v), memory = true);
    else comptime if (sizeof<T> == 8) {
        let w = bit_cast<u32[2]>(v);
        asm("sust.b.a2d.v2.b32.trap [$0, {$1, $2, $3, $3}], {$4, $5};", self.__handle, __coordinate(layer), __surface_x<T>(x), __coordinate(y), w[0], w[1], memory = true);
    }
    else {
        let w = bit_cast<u32[4]>(v);
        asm("sust.b.a2d.v4.b32.trap [$0, {$1, $2, $3, $3}], {$4, $5, $6, $7};", self.__handle, __coordinate(layer), __surface_x<T>(x), __coordinate(y), w[0], w[1], w[2], w[3], memory = true);
    }
}
