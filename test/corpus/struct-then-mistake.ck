// A mistake in a function behind a struct, with braces in it.
struct S { a: u32; }
kernel k(x: in f32[4], y: out f32[4])
{
    let a = fast { x[0] };
    y[0] = q;
}
