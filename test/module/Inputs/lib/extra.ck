import "more";
const EXTRA: u32 = MORE + 2;
