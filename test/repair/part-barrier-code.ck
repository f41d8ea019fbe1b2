// The machine code of barriers behind shuffles of parts of a warp, with the repair part_barrier and without.
// Both programs have other code for lanes that come late, behind EXIT. Without the repair the block's barriers are there
// a second time, among the shuffles. With it each barrier has late lanes of its own, who wait for the whole warp.
// REQUIRES: sass
// RUN: %ckc %S/../run/tile-late.ck --emit=ptx --target=sm_80 --backend=nvptx -o - | %sass | FileCheck %s --check-prefix=OWN80
// RUN: %ckc %S/../run/tile-late.ck --no-repair=part_barrier --emit=ptx --target=sm_80 --backend=nvptx -o - | %sass | FileCheck %s --check-prefix=TWICE80
// RUN: %ckc %S/../run/warp-exchange.ck --emit=ptx --target=sm_90 --backend=nvptx -o - | %sass | FileCheck %s --check-prefix=OWN90
// RUN: %ckc %S/../run/warp-exchange.ck --no-repair=part_barrier --emit=ptx --target=sm_90 --backend=nvptx -o - | %sass | FileCheck %s --check-prefix=TWICE90
// OWN80:     BRA.CONV ~URZ, {{.*}} ;
// OWN80:     CALL.REL.NOINC {{.*}}barrier_sync_0
// OWN80:     BAR.SYNC 0x0 ;
// OWN80:     EXIT ;
// OWN80:     WARPSYNC 0xffffffff ;
// OWN80-NEXT: BAR.SYNC 0x0 ;
// OWN80-NEXT: RET
// TWICE80:   BAR.SYNC.DEFER_BLOCKING 0x0 ;
// TWICE80:   EXIT ;
// TWICE80:   shflsync_bfly
// TWICE80:   BAR.SYNC.DEFER_BLOCKING 0x0 ;
// OWN90:     .text.exchange_1_1_1_2_16:
// OWN90:     BRA.DIV
// OWN90:     BAR.SYNC.DEFER_BLOCKING 0x0 ;
// OWN90:     EXIT ;
// OWN90:     WARPSYNC.COLLECTIVE.ALL
// OWN90:     BAR.SYNC.DEFER_BLOCKING R
// TWICE90:   .text.exchange_1_1_1_2_16:
// TWICE90:   BAR.SYNC.DEFER_BLOCKING 0x0 ;
// TWICE90:   EXIT ;
// TWICE90:   WARPSYNC.COLLECTIVE R
// TWICE90:   BAR.SYNC.DEFER_BLOCKING 0x0 ;
