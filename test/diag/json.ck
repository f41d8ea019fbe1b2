// --diagnostics=json is an object a line: places, notes, hints and fixes with their bytes.
// RUN: split-file %s %t
// RUN: cd %t
// RUN: not %ckc in.ck --stop-after=check --diagnostics=json > /dev/null 2> log
// RUN: FileCheck %s --strict-whitespace --match-full-lines < log
// RUN: %python -c "import json; [json.loads(line) for line in open('log', encoding='utf-8')]"
//--- in.ck
// é "quoted"
fn f(count: u32) -> u32 = count;
fn g() -> u32 = f(cuont = 1, 2) + zzyzx;
//--- expect
// CHECK:{"severity":"error","id":"unknown_argument","message":"'f' has no parameter 'cuont'","file":"in.ck","line":3,"column":19,"end_line":3,"end_column":24,"start":66,"end":71,"notes":[{"severity":"note","id":"candidate","message":"candidate: f(count: u32)",{{.*}}}],"hints":["Did you mean 'count'?"],"fixes":[{"message":"write 'count' instead","edits":[{"replacement":"count","file":"in.ck","line":3,"column":19,"end_line":3,"end_column":24,"start":66,"end":71}]}]}
// CHECK-NEXT:{"severity":"error","id":"undeclared","message":"'zzyzx' is not declared",{{.*}}"hints":[],"fixes":[]}
