// '<' opens a list where its '>' is found and what follows does not go on with a value.
// RUN: %ckc %s --emit=tokens | FileCheck %s
f<a>(x);
(f<a>);
f(a<b, c>(d));
a.b<c>(d);
f<g<a>>(x);
f<a + 1>(x);
f<a[2]>(x);
f<(a)>(x);
a < b;
a < b(c);
a < b && c > d;
a < b >> c;
(a < b) + c > d;
f(a < b, c > d);
1 < a > (b);
f() < a;
// CHECK: {{^}}3:2 < of a list <
// CHECK: {{^}}4:3 < of a list <
// CHECK: {{^}}5:4 < of a list <
// CHECK: {{^}}6:4 < of a list <
// CHECK: {{^}}7:2 < of a list <
// CHECK: {{^}}8:2 < of a list <
// CHECK: {{^}}9:2 < of a list <
// CHECK: {{^}}10:2 < of a list <
// CHECK: {{^}}11:3 < <
// CHECK: {{^}}12:3 < <
// CHECK: {{^}}13:3 < <
// CHECK: {{^}}14:3 < <
// CHECK: {{^}}15:4 < <
// CHECK: {{^}}16:5 < <
// CHECK: {{^}}17:3 < <
// CHECK: {{^}}18:5 < <
