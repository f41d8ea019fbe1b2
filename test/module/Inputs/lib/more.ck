import "extra";
const MORE: u32 = 10;
