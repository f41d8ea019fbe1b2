// -I names folders for imports; the library's files are imported by name.
// RUN: %ckc %s --target=sm_90 --emit=ptx -I %S/Inputs/folder -o %t.1
// RUN: %if ptxas %{ %ptxas-verify < %t.1 %}
// RUN: %ckc %s --target=sm_90 --emit=ptx --backend=nvptx -I %S/Inputs/folder -o %t.2
// RUN: %if ptxas %{ %ptxas-verify < %t.2 %}
import "third.ck";
import "math";
kernel k(x: inout f32[1]) launch(block = 1, grid = 1) { x[0] = third(sqrt(x[0])); }
