// The manifest says what the code was made of: files with their digests, options.
// RUN: %ckc %s --emit=manifest --target=sm_90 -O1 -lineinfo -D TILE=8 --instance='other<2>' | FileCheck %s
import "../../module/Inputs/sub/a.ck";
export scale;
// CHECK:      "imports": ["/{{.*}}/a.ck", "/{{.*}}/b.ck"],
// CHECK-NEXT: "looked_for": ["{{.*}}manifest/../../module/Inputs/sub/a.ck", "{{.*}}sub/{{.*}}b.ck"],
// CHECK:      "sources": [
// CHECK-NEXT: {"file": "{{.*}}origin.ck", "digest": "{{[0-9a-f]+}}"},
// CHECK-NEXT: {"file": "{{.*}}sub/a.ck", "digest": "{{[0-9a-f]+}}"},
// CHECK-NEXT: {"file": "{{.*}}b.ck", "digest": "{{[0-9a-f]+}}"}
// CHECK:      "options": {"opt_level": 1, "lineinfo": true, "defines": ["TILE=8"], "instances": ["other<2>"]},
// CHECK:      "name": "scale",
// CHECK:      "file": "{{.*}}sub/a.ck",
// CHECK-NEXT: "line": 5,
// CHECK:      "name": "other<2>",
