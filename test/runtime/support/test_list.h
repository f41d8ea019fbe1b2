/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_list.h - TEST, which defines a test and adds it to the list of the file's tests before main
 * begins, in the order of the file.
 *
 *   TEST(sum) { CHECK(1 + 1 == 2); }
 *   TEST(product) { CHECK(2 * 2 == 4); }
 *   int main(void) { run_all(); ... }
 *
 * A program that runs its tests on a condition, or in another order, names them: RUN(sum).
 */
#ifndef CK_TEST_LIST_H
#define CK_TEST_LIST_H

typedef struct Test {
  struct Test *next;
  const char *name;
  void (*function)(void);
} Test;

static struct TestList {
  Test *first, **end;
} tests = {.end = &tests.first};

#define TEST(name_)                                                                                \
  static void test_##name_(void);                                                                  \
  __attribute__((constructor)) static void list_##name_(void)                                      \
  {                                                                                                \
    static Test test = {.name = #name_, .function = test_##name_};                                 \
    *tests.end = &test;                                                                            \
    tests.end = &test.next;                                                                        \
  }                                                                                                \
  static void test_##name_(void)

#endif
