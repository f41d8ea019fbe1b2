// A fatbin refuses what it can not hold, and a dump of several targets at a time.
// REQUIRES: nvjitlink, nvvm
// RUN: not %ckc %s --emit=fatbin --target=sm_80,sm_90,host -o %t 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: not %ckc %s --emit=fatbin --target=sm_80,sm_1 -o %t 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %ckc %s --emit=fatbin --target=sm_80,sm_90 -o %t --dump=gen 2>&1 | FileCheck %s --check-prefix=DUMP
kernel k() {}
// HOST: error: a fatbin holds code for GPUs; --emit=header takes 'host' as well
// NONE: error: there is no target 'sm_1'; there are host, sm_75
// DUMP: error: --dump and --stop-after show one target's passes: leave out fatbin and header
