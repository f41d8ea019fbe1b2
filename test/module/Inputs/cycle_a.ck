import "cycle_b.ck";
