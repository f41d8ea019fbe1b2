#include "fixture.h"
int main(void)
{
  return tests_report();
}
