/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm_random.c - random iterators of up to four levels, read by an algorithm and by a model
 * in C.
 *
 * A tree is made of an array, counts and constants. The model knows the length of each node and its
 * element i:
 *
 *     reverse                       at(i) = part(n - 1 - i)
 *       transform "|v| v * 3 - k"   at(i) = part(i) * 3 - k
 *         take 7                    n = min(part's n, 7)
 *
 * A failure prints the seed of its case and the text (random.h).
 */
#include "algorithm.h"
#include "random.h"

enum { ARRAY = 40, NODES = 24, ENDLESS = 1 << 28 };

static int64_t data[ARRAY];
static ck_buffer_t *ddata, *dout;
static uint64_t state;

typedef struct Node {
  ck_iterator_t it;
  ck_op_t op;
  ck_op_state_t op_state;
  const struct Node *a, *b;
  int64_t n, number;
  int what;
} Node;

static Node nodes[NODES];
static int node_count;

static int64_t some_below(int64_t n)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)((state >> 33) % (uint64_t)n);
}

static int64_t at(const Node *node, int64_t i)
{
  switch (node->what) {
  case 0: return data[i];
  case 1: return node->number + i;
  case 2: return node->number;
  case 3: return at(node->a, i) * 3 - node->number;
  case 4: return at(node->a, i) + 2 * at(node->b, i);
  case 5: return at(node->a, node->a->n - 1 - i);
  case 6: return at(node->a, i * node->number);
  case 7: return at(node->a, i);
  case 8: return at(node->a, i + node->number);
  case 9: return at(node->a, i) - at(node->a, i + 1) + at(node->a, i + 2);
  case 10: return at(node->a, i) + i;
  default: return at(node->a, (int64_t)((uint64_t)at(node->b, i) % (uint64_t)node->a->n));
  }
}

static const Node *make(int depth);

/* Numbers that are the state of an operation differ in each case, and compile nothing. */
static void set_op(Node *node, const char *text)
{
  node->op_state =
      (ck_op_state_t){"k", ck_type_scalar(CK_I64), ck_i64(node->number), (ck_access_t)0};
  node->op = ck_op_with_state(text, &node->op_state, 1);
}

static Node *node_new(int what)
{
  Node *node = &nodes[node_count++];
  memset(node, 0, sizeof *node);
  node->what = what;
  return node;
}

/* A node above others that an iterator of C needs and the model doesn't. */
static const ck_iterator_t *helper(ck_iterator_t it)
{
  Node *node = node_new(-1);
  node->it = it;
  return &node->it;
}

static const Node *leaf(void)
{
  Node *node = node_new((int)some_below(4) % 3);
  node->number = some_below(9) + 1;
  node->n = ENDLESS;
  if (node->what == 0) {
    node->n = ARRAY;
    node->it = ck_iterator_array(ck_whole(ddata), CK_I64);
  } else if (node->what == 1) {
    node->it = ck_iterator_count(ck_i64(node->number));
  } else {
    node->it = ck_iterator_constant(ck_i64(node->number));
  }
  return node;
}

static const Node *make(int depth)
{
  if (!depth || node_count > NODES / 2) return leaf();
  const Node *a = make(depth - 1);
  int what = 3 + (int)some_below(9);
  bool is_endless = a->n >= ENDLESS;
  if (is_endless && (what == 5 || what == 11 || what == 10)) what = 7;
  if (a->n < 3 && (what == 6 || what == 8 || what == 9)) what = 3;
  Node *node = node_new(what);
  node->a = a;
  node->n = a->n;
  node->number = some_below(3) + 1;
  switch (what) {
  case 3:
    set_op(node, "|v| v * 3 - k");
    node->it = ck_iterator_transform(&a->it, &node->op);
    break;
  case 4:
    node->b = make(depth - 1);
    if (node->b->n < node->n) node->n = node->b->n;
    set_op(node, "|p| p[0] + 2 * p[1] + 0 * k");
    node->it = ck_iterator_transform(helper(ck_iterator_zip(&a->it, &node->b->it)), &node->op);
    break;
  case 5: node->it = ck_iterator_reverse(&a->it); break;
  case 6:
    if (!is_endless) node->n = (a->n + node->number - 1) / node->number;
    node->it = ck_iterator_strided(&a->it, (uint64_t)node->number);
    break;
  case 7:
    node->number = some_below(30) + 3;
    if (node->number < node->n) node->n = node->number;
    node->it = ck_iterator_take(&a->it, (uint64_t)node->number);
    break;
  case 8:
    if (!is_endless) node->n = a->n > node->number ? a->n - node->number : 0;
    node->it = ck_iterator_drop(&a->it, (uint64_t)node->number);
    break;
  case 9:
    if (!is_endless) node->n = a->n - 2;
    set_op(node, "|w| w[0] - w[1] + w[2] + 0 * k");
    node->it = ck_iterator_transform(helper(ck_iterator_window(&a->it, 3)), &node->op);
    break;
  case 10:
    set_op(node, "|p| p[1] + i64(p[0]) + 0 * k");
    node->it = ck_iterator_transform(helper(ck_iterator_enumerate(&a->it)), &node->op);
    break;
  default:
    node->b = make(depth - 1);
    node->n = node->b->n;
    if (a->n) {
      node->number = a->n;
      set_op(node, "|v| u64(v) % u64(k)");
      const ck_iterator_t *index = helper(ck_iterator_transform(&node->b->it, &node->op));
      node->it = ck_iterator_gather(&a->it, index);
    } else {
      *node = *a;
    }
  }
  return node;
}

static void run_case(uint64_t seed)
{
  state = seed * 0x9e3779b97f4a7c15u + 1;
  node_count = 0;
  const Node *top = make((int)some_below(4) + 1);
  int64_t n = top->n < 50 ? top->n : 50, got[64], sum = 5, total;
  int wrong = 0;
  ck_op_t same = ck_op("|v| v"), plus = ck_op("+");
  ck_iterator_t it = ck_iterator_take(&top->it, (uint64_t)n);
  ck_iterator_t to = ck_iterator_array(ck_span(dout, 0, 60), CK_I64);
  ck_iterator_t result = ck_iterator_array(ck_span(dout, 63, 1), CK_I64);
  ck_iterator_t init = ck_iterator_constant(ck_i64(5));
  CHECK_OK(ck_transform(stream, &it, &to, &same, NULL));
  CHECK_OK(ck_reduce(stream, &it, &plus, &init, &result, NULL));
  array_read(dout, got, sizeof got);
  total = got[63];
  for (int64_t i = 0; i < n; ++i) {
    sum += at(top, i);
    wrong += got[i] != at(top, i);
  }
  CHECK(!wrong && total == sum);
  if (wrong || total != sum) {
    const void *operands[] = {&it, &plus, &init, &result};
    const char *text = "";
    ck_algorithm_get_text(CK_ALGORITHM_REDUCE, operands, 4, NULL, &text);
    fprintf(stderr, "seed %llu, %d of %lld elements:\n%s", (unsigned long long)seed, wrong,
            (long long)n, text);
  }
}

int main(int argc, char **argv)
{
  random_open(argc, argv, 40);
  if (!tests_open()) return 1;
  for (int i = 0; i < ARRAY; ++i) data[i] = i * i % 23 + 1;
  ddata = array_new(sizeof data, data);
  dout = array_new(64 * 8, NULL);
  for (uint64_t i = 0; i < random_count && failed < 5; ++i) run_case(random_seed + i);
  ck_buffer_release(ddata);
  ck_buffer_release(dout);
  return run_tests();
}
