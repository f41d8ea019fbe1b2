// == that is not declared compares members by their scalars, also those that have a == of their own.
// RUN: %run-test %s
// CALL: k(y=zeros:3)
// EXPECT: y = [1, 0, 1]
struct Word { v: i32; }
fn ==(a: Word, b: Word) -> bool = true;
struct Pair { a: Word; b: Word; }
kernel k(y: out i32[3]) launch(block = 1, grid = 1)
{
    y[0] = i32(Word(1) == Word(2));
    y[1] = i32(Pair(Word(1), Word(2)) == Pair(Word(3), Word(2)));
    y[2] = i32(Pair(Word(1), Word(2)) != Pair(Word(3), Word(2)));
}
