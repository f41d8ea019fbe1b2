import "cycle_a.ck";
