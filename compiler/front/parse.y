/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* parse.y - the grammar of the language. An action builds one node and does nothing else.
 *
 * in      tokens of one source
 * out     NODE_module; no name is looked up
 * fails   with DIAG_expected, then goes on behind the next ";" or "}"
 *
 * Different from C, so that the grammar is LALR(1) without conflicts: an assignment is a statement,
 * so that `order = relaxed` in a call is a named argument; `name<...>` is opened by a token of its
 * own, which the lexer decides on; an operator is an argument if "," or ")" follows it.
 */
%code requires {
#include "front/front_private.h"
}
%code provides {
int ckyylex(CKYYSTYPE *value, Span *span, Lexer *lexer);
const char *parse_token_name(int token);
typedef CKYYSTYPE YYSTYPE;
}
%code {
#include "parse.h"

#include <string.h>

#define YYMAXDEPTH (8 * NESTING_MAX)
/* The stacks grow when needed. AddressSanitizer marks them anew at each label of the parser: with
 * Bison's default of 200, that is most of the time of a compilation in such a build. */
#define YYINITDEPTH 16
#define YYLLOC_DEFAULT(out, in, n)                                                                 \
  ((out).lo = (n) ? YYRHSLOC(in, 1).lo : YYRHSLOC(in, 0).hi,                                       \
   (out).hi = (n) ? YYRHSLOC(in, n).hi : YYRHSLOC(in, 0).hi)

static void yyerror(Span *span, Lexer *lexer, Session *c, const char *message);

/* Shorthand for actions: C is the arena of the tree. */
static Node *node(Session *c, NodeKind kind, Span span, Node *a, Node *b, Node *cc, Node *d);
static Node *named(Session *c, NodeKind kind, Span span, const Name *name, Node *a, Node *b, Node *cc, Node *d);
static Node *with_op(Node *node, Op op);
static Node *with_flag(Node *node, enum NodeFlag flag);
static Node *with_attributes(Node *node, List attributes);
static Node *consts(Session *c, List generics, List *params);
static List append(List list, Node *node);
static const Name *path(Session *c, Span first, Span last);
static Node *union_of(Session *c, Span span, Node *parts);
static Node *scratch_of(Session *c, Span span, const Name *word, Node *scratch);
static Node *one(Session *c, Span span);
static const Name *op_name(Session *c, const char *text);
#define N(kind, ...)        node(c, NODE_##kind, __VA_ARGS__)
#define NAMED(kind, ...)    named(c, NODE_##kind, __VA_ARGS__)
}
%define api.pure full
%define api.prefix {ckyy}
%define api.token.prefix {TOK_}
%union {
  const Name *name;
  Node *node;
  List list;
  Op op;
}
%define api.location.type {Span}
%define parse.error custom
%define parse.lac full
%locations
%lex-param   {Lexer *lexer}
%parse-param {Lexer *lexer} {Session *c}
%initial-action { @$ = (Span){lexer->source->base, lexer->source->base}; }
%expect 0

%token END 0 "the end of the file"
%token IMPORT "import" CONST "const" FN "fn" TYPE "type" ENUM "enum" KERNEL "kernel" STRUCT "struct" ALGORITHM "algorithm" EXPORT "export" LAUNCH "launch" STATIC_ASSERT "static_assert"
%token LET "let" VAR "var" SHARED "shared" SCRATCH "scratch" UNION "union" IF "if" SPLIT "split" SWITCH "switch" CASE "case" DEFAULT "default" ELSE "else" WHILE "while" FOR "for" IN "in" OUT "out" INOUT "inout"
%token BREAK "break" CONTINUE "continue" RETURN "return" UNROLL "unroll" COMPTIME "comptime" FAST "fast" DYN "dyn" TRUE "true" FALSE "false"
%token LPAREN "(" RPAREN ")" LBRACKET "[" RBRACKET "]" LBRACE "{" RBRACE "}" LANGLE "< of a list" RANGLE "> of a list"
%token SEMI ";" COMMA "," COLON ":" QUESTION "?" DOT "." DOTS ".." AT "@" ARROW "->"
%token ASSIGN "=" ADD_ASSIGN "+=" SUB_ASSIGN "-=" MUL_ASSIGN "*=" DIV_ASSIGN "/=" REM_ASSIGN "%=" AND_ASSIGN "&=" OR_ASSIGN "|=" XOR_ASSIGN "^=" SHL_ASSIGN "<<=" SHR_ASSIGN ">>="
%token INCREMENT "++" DECREMENT "--" NOT "!" TILDE "~"
%token <name> NAME "a name"
%token <node> INT "an integer" FLOAT "a number" STRING "a text"

%token OR_ELSE "||" AND_THEN "&&" BAR "|" CARET "^" AMP "&" EQ "==" NE "!=" LT "<" LE "<=" GT ">" GE ">=" SHL "<<" SHR ">>" PLUS "+" MINUS "-" STAR "*" SLASH "/" PERCENT "%"

%precedence THEN
%precedence "else"
%left "||"
%left "&&"
%left "|"
%left "^"
%left "&"
%left "==" "!="
%left "<" "<=" ">" ">="
%left "<<" ">>"
%left "+" "-"
%left "*" "/" "%"
%precedence PREFIX

%type <list> cases labels label parts roles
%type <node> case part role
%type <node> alias enumeration enumerator
%type <list> enumerators
%type <list> commas extent_list items generics_items params_items args args_items statements types exprs names bindings members attributes extents generic_args
%type <node> method item import constant function kernel structure member algorithm export static_assert attribute generic constraint_default
%type <node> param type type_or_none value_or_none result body launch argument
%type <node> statement block simple binding for_head unroll_count expr choose binary postfix lambda lambda_param extent generic_arg sum type_postfix
%type <name> operator_name
%type <op> access assign_op bare_op
%type <list> generics params
%%

module:
  items                                   { c->module = N(module, @$, $1.first, NULL, NULL, NULL); }
;
items:
  %empty                                  { $$ = (List){0}; }
| items item                              { $$ = append($1, $2); }
| items error ";"                         { $$ = $1; yyerrok; }
| items error "}"                         { $$ = $1; yyerrok; }
;
item:
  import | constant | static_assert | export
| attributes function                     { $$ = with_attributes($2, $1); }
| attributes kernel                       { $$ = with_attributes($2, $1); }
| structure | algorithm | alias | enumeration
;
alias:
  "type" NAME "=" type ";"                { $$ = NAMED(alias, @2, $2, $4, NULL, NULL, NULL); }
;
enumeration:
  "enum" NAME type_or_none "{" enumerators "}" { $$ = NAMED(enumeration, @2, $2, $3, $5.first, NULL, NULL); }
| "enum" NAME type_or_none "{" enumerators "," "}" { $$ = NAMED(enumeration, @2, $2, $3, $5.first, NULL, NULL); }
;
enumerators:
  enumerator                              { $$ = append((List){0}, $1); }
| enumerators "," enumerator              { $$ = append($1, $3); }
;
enumerator:
  NAME                                    { $$ = NAMED(enumerator, @1, $1, NULL, NULL, NULL, NULL); }
| NAME "=" expr                           { $$ = NAMED(enumerator, @1, $1, $3, NULL, NULL, NULL); }
;
attributes:
  %empty                                  { $$ = (List){0}; }
| attributes attribute                    { $$ = append($1, $2); }
;
attribute:
  "@" NAME "(" args ")"                   { $$ = NAMED(attribute, @$, $2, $4.first, NULL, NULL, NULL); }
;
import:
  "import" STRING ";"                     { $$ = N(import, @$, NULL, NULL, NULL, NULL); $$->text = $2->text; $$->text_bytes = $2->text_bytes; }
| "import" "fn" NAME params result ";"    { Node *all = consts(c, (List){0}, &$4); $$ = with_flag(NAMED(function, @3, $3, all, $4.first, $5, NULL), FLAG_imported); }
;
constant:
  "const" NAME type_or_none "=" expr ";"  { $$ = NAMED(constant, @2, $2, $3, $5, NULL, NULL); }
;
static_assert:
  "static_assert" "(" expr ")" ";"        { $$ = N(static_assert, @3, $3, NULL, NULL, NULL); }
| "static_assert" "(" expr "," STRING ")" ";" { $$ = N(static_assert, @3, $3, $5, NULL, NULL); }
;
export:
  "export" exprs ";"                      { $$ = N(export, @$, $2.first, NULL, NULL, NULL); }
| "export" function                       { $$ = with_flag($2, FLAG_exported); }
;
function:
  "fn" NAME generics params result body   { Node *all = consts(c, $3, &$4); $$ = NAMED(function, @2, $2, all, $4.first, $5, $6); }
| "fn" operator_name generics params result body { Node *all = consts(c, $3, &$4); $$ = NAMED(function, @2, $2, all, $4.first, $5, $6); }
| "fn" method generics params result body { Node *all = consts(c, $3, &$4); $2->b->next = $4.first; $$ = NAMED(function, $2->span, $2->name, all, $2->b, $5, $6); }
| "fn" method generics result body        { $$ = with_flag(NAMED(function, $2->span, $2->name, $3.first, $2->b, $4, $5), FLAG_property); }
;
operator_name:
  bare_op                                 { $$ = op_name(c, op_text($1)); }
| "!"                                     { $$ = op_name(c, "!"); }
| "~"                                     { $$ = op_name(c, "~"); }
| "<<"                                    { $$ = op_name(c, "<<"); }
| ">>"                                    { $$ = op_name(c, ">>"); }
| "[" "]"                                 { $$ = op_name(c, "[]"); }
| "[" "]" "="                             { $$ = op_name(c, "[]="); }
;
method:
  NAME "." NAME                           { $$ = NAMED(function, @3, $3, NULL, NAMED(receiver, @1, $1, NULL, NULL, NULL, NULL), NULL, NULL); }
| NAME "." NAME "." NAME                  { $$ = NAMED(function, @5, $5, NULL, NAMED(receiver, @1, path(c, @1, @3), NULL, NULL, NULL, NULL), NULL, NULL); }
;
kernel:
  "kernel" NAME generics params launch block { Node *all = consts(c, $3, &$4); $$ = NAMED(kernel, @2, $2, all, $4.first, $5, $6); }
;
launch:
  %empty                                  { $$ = NULL; }
| "launch" "(" args ")"                   { $$ = $3.first; }
;
structure:
  "struct" NAME generics "{" members "}"  { $$ = NAMED(structure, @2, $2, $3.first, $5.first, NULL, NULL); }
;
members:
  %empty                                  { $$ = (List){0}; }
| members member                          { $$ = append($1, $2); }
;
member:
  NAME ":" type value_or_none ";"         { $$ = NAMED(field, @1, $1, $3, $4, NULL, NULL); }
| function
| "fn" NAME result body                   { $$ = with_flag(NAMED(function, @2, $2, NULL, NULL, $3, $4), FLAG_property); }
;
algorithm:
  "algorithm" NAME generics params result body { Node *all = consts(c, $3, &$4); $$ = NAMED(algorithm, @2, $2, all, $4.first, $5, $6); }
| "algorithm" method generics params result body { Node *all = consts(c, $3, &$4); $2->b->next = $4.first; $$ = NAMED(algorithm, $2->span, $2->name, all, $2->b, $5, $6); }
;
result:
  %empty                                  { $$ = NULL; }
| "->" type                               { $$ = $2; }
;
body:
  block
| "=" expr ";"                            { $$ = with_flag(N(block, @2, N(return, @2, $2, NULL, NULL, NULL), NULL, NULL, NULL), FLAG_expression); }
;

generics:
  %empty                                  { $$ = (List){0}; }
| "< of a list" generics_items "> of a list" { $$ = $2; }
;
generics_items:
  generic                                 { $$ = append((List){0}, $1); }
| generics_items "," generic              { $$ = append($1, $3); }
;
generic:
  NAME ":" "fn"                           { $$ = NAMED(type_param, @1, $1, NAMED(name, @3, path(c, @3, @3), NULL, NULL, NULL, NULL), NULL, NULL, NULL); }
| NAME type_or_none constraint_default    { $$ = NAMED(type_param, @1, $1, $2, $3, NULL, NULL); }
| "const" NAME ":" type                   { $$ = NAMED(const_param, @2, $2, $4, NULL, NULL, NULL); }
| "const" NAME ":" type "=" sum           { $$ = NAMED(const_param, @2, $2, $4, $6, NULL, NULL); }
;
constraint_default:
  %empty                                  { $$ = NULL; }
| "=" type                                { $$ = $2; }
;
params:
  "(" ")"                                 { $$ = (List){0}; }
| "(" params_items ")"                    { $$ = $2; }
| "(" params_items "," ")"                { $$ = $2; }
;
params_items:
  param                                   { $$ = append((List){0}, $1); }
| params_items "," param                  { $$ = append($1, $3); }
;
param:
  NAME ":" access type value_or_none      { $$ = with_op(NAMED(param, @$, $1, $4, $5, NULL, NULL), $3); $$->span = @1; }
| "const" NAME ":" type value_or_none     { $$ = NAMED(const_param, @2, $2, $4, $5, NULL, NULL); }
;
access:
  %empty                                  { $$ = OP_none; }
| "in"                                    { $$ = OP_in; }
| "out"                                   { $$ = OP_out; }
| "inout"                                 { $$ = OP_inout; }
;
type_or_none:
  %empty                                  { $$ = NULL; }
| ":" type                                { $$ = $2; }
;
value_or_none:
  %empty                                  { $$ = NULL; }
| "=" expr                                { $$ = $2; }
;
type:
  type_postfix
;
type_postfix:
  NAME                                    { $$ = NAMED(name, @$, $1, NULL, NULL, NULL, NULL); }
| NAME "< of a list" generic_args "> of a list" { $$ = N(instance, @$, NAMED(name, @1, $1, NULL, NULL, NULL, NULL), $3.first, NULL, NULL); }
| "(" types ")"                           { $$ = N(tuple, @$, $2.first, NULL, NULL, NULL); }
| type_postfix "[" extents "]"            { $$ = N(index, @$, $1, $3.first, NULL, NULL); }
;
types:
  type "," type                           { $$ = append(append((List){0}, $1), $3); }
| types "," type                          { $$ = append($1, $3); }
;
extents:
  %empty                                  { $$ = (List){0}; }
| commas                                  { $$ = append($1, N(open, @$, NULL, NULL, NULL, NULL)); }
| extent_list
;
extent_list:
  extent                                  { $$ = append((List){0}, $1); }
| extent_list "," extent                  { $$ = append($1, $3); }
;
commas:
  ","                                     { $$ = append((List){0}, N(open, @1, NULL, NULL, NULL, NULL)); }
| commas ","                              { $$ = append($1, N(open, @2, NULL, NULL, NULL, NULL)); }
;
extent:
  expr
| "dyn" expr                              { $$ = N(dynamic, @$, $2, NULL, NULL, NULL); }
;

block:
  "{" statements "}"                      { $$ = N(block, @$, $2.first, NULL, NULL, NULL); }
;
statements:
  %empty                                  { $$ = (List){0}; }
| statements statement                    { $$ = append($1, $2); }
| statements error ";"                    { $$ = $1; yyerrok; }
;
statement:
  block
| constant | static_assert | alias
| simple ";"
| "let" NAME type_or_none "=" expr ";"    { $$ = NAMED(let, @2, $2, $3, $5, NULL, NULL); }
| "let" "(" names ")" "=" expr ";"        { $$ = N(unpack, @$, $3.first, $6, NULL, NULL); }
| "var" NAME type_or_none value_or_none ";" { $$ = NAMED(var, @2, $2, $3, $4, NULL, NULL); }
| "var" "(" bindings ")" "=" expr ";"     { $$ = N(unpack, @$, $3.first, $6, NULL, NULL); }
| "shared" NAME ":" type ";"              { $$ = NAMED(shared, @2, $2, $4, NULL, NULL, NULL); }
| "shared" "union" "{" parts "}"          { $$ = union_of(c, @$, $4.first); }
| "scratch" NAME ":" type ";"             { $$ = NAMED(scratch, @2, $2, $4, NULL, NULL, NULL); }
| "scratch" NAME NAME ":" type ";"        { $$ = scratch_of(c, @2, $2, NAMED(scratch, @3, $3, $5, NULL, NULL, NULL)); }
| "launch" postfix ";"                    { $$ = N(launch, @2, $2, NULL, NULL, NULL); }
| "if" "(" expr ")" statement %prec THEN { $$ = N(if, @3, $3, $5, NULL, NULL); }
| "if" "(" expr ")" statement "else" statement { $$ = N(if, @3, $3, $5, $7, NULL); }
| "comptime" "if" "(" expr ")" statement %prec THEN { $$ = with_op(N(if, @4, $4, $6, NULL, NULL), OP_comptime); }
| "comptime" "if" "(" expr ")" statement "else" statement { $$ = with_op(N(if, @4, $4, $6, $8, NULL), OP_comptime); }
| "split" "{" roles "}"                   { $$ = N(split, @1, $3.first, NULL, NULL, NULL); split_words(c); }
| "switch" "(" expr ")" "{" cases "}"     { $$ = N(switch, @1, $3, $6.first, NULL, NULL); }
| "while" "(" expr ")" statement          { $$ = N(while, @3, $3, $5, NULL, NULL); }
| "for" for_head statement                { $$ = N(for, $2->span, $2->a, $3, NULL, $2->d); $$->name = $2->name; }
| "unroll" unroll_count "for" for_head statement { $$ = with_op(N(for, $4->span, $4->a, $5, $2, $4->d), OP_unroll); $$->name = $4->name; }
| "break" ";"                             { $$ = N(break, @1, NULL, NULL, NULL, NULL); }
| "continue" ";"                          { $$ = N(continue, @1, NULL, NULL, NULL, NULL); }
| "return" ";"                            { $$ = N(return, @1, NULL, NULL, NULL, NULL); }
| "return" expr ";"                       { $$ = N(return, @$, $2, NULL, NULL, NULL); }
| ";"                                     { $$ = N(block, @$, NULL, NULL, NULL, NULL); }
;
parts:
  part                                    { $$ = append((List){0}, $1); }
| parts part                              { $$ = append($1, $2); }
| error ";"                               { $$ = (List){0}; yyerrok; }
| parts error ";"                         { $$ = $1; yyerrok; }
;
part:
  NAME ":" type ";"                       { $$ = NAMED(shared, @1, $1, $3, NULL, NULL, NULL); $$->flags |= FLAG_union; }
;
roles:
  role                                    { $$ = append((List){0}, $1); }
| roles role                              { $$ = append($1, $2); }
;
role:
  NAME "(" args ")" block                 { $$ = NAMED(role, @1, $1, $3.first, $5, NULL, NULL); }
;
cases:
  %empty                                  { $$ = (List){0}; }
| cases case                              { $$ = append($1, $2); }
;
case:
  labels statement                        { $$ = N(case, @1, $1.first, $2, NULL, NULL); }
| case statement                          { $$ = $1; append((List){$1->b, node_last($1->b)}, $2); }
| case error ";"                          { $$ = $1; yyerrok; }
;
labels:
  label
| labels label                            { $1.last->next = $2.first; $$ = (List){$1.first, $2.last}; }
;
label:
  "case" exprs ":"                        { $$ = $2; }
| "default" ":"                           { $$ = append((List){0}, N(open, @1, NULL, NULL, NULL, NULL)); }
;
for_head:
  "(" NAME type_or_none "in" expr ")"     { $$ = NAMED(for, @2, $2, $5, NULL, NULL, $3); }
;
unroll_count:
  %empty                                  { $$ = NULL; }
| "(" expr ")"                            { $$ = $2; }
;
names:
  NAME "," NAME                           { $$ = append(append((List){0}, NAMED(let, @1, $1, NULL, NULL, NULL, NULL)), NAMED(let, @3, $3, NULL, NULL, NULL, NULL)); }
| names "," NAME                          { $$ = append($1, NAMED(let, @3, $3, NULL, NULL, NULL, NULL)); }
;
bindings:
  NAME "," NAME                           { $$ = append(append((List){0}, NAMED(var, @1, $1, NULL, NULL, NULL, NULL)), NAMED(var, @3, $3, NULL, NULL, NULL, NULL)); }
| bindings "," NAME                       { $$ = append($1, NAMED(var, @3, $3, NULL, NULL, NULL, NULL)); }
;
simple:
  expr                                    { $$ = N(evaluate, @$, $1, NULL, NULL, NULL); }
| expr assign_op expr                     { $$ = with_op(N(assign, @$, $1, $3, NULL, NULL), $2); }
| binding
;
binding:
  expr "++"                               { $$ = with_op(N(assign, @$, $1, one(c, @2), NULL, NULL), OP_add); }
| expr "--"                               { $$ = with_op(N(assign, @$, $1, one(c, @2), NULL, NULL), OP_sub); }
| "++" sum %prec PREFIX                   { $$ = with_op(N(assign, @$, $2, one(c, @1), NULL, NULL), OP_add); }
| "--" sum %prec PREFIX                   { $$ = with_op(N(assign, @$, $2, one(c, @1), NULL, NULL), OP_sub); }
;
assign_op:
  "="  { $$ = OP_none; } | "+=" { $$ = OP_add; } | "-=" { $$ = OP_sub; } | "*=" { $$ = OP_mul; } | "/=" { $$ = OP_div; }
| "%=" { $$ = OP_rem; }  | "&=" { $$ = OP_and; } | "|=" { $$ = OP_or; }  | "^=" { $$ = OP_xor; }
| "<<=" { $$ = OP_shl; } | ">>=" { $$ = OP_shr; }
;

/* Few levels of rules, since a value that is just a name is reduced through all of them. */
expr:
  binary
| binary "?" expr ":" choose              { $$ = N(choose, @$, $1, $3, $5, NULL); }
| choose ".." choose                      { $$ = N(range, @$, $1, $3, NULL, NULL); }
| lambda
;
lambda:
  "|" params_lambda_items "|" expr        { $$ = N(lambda, @$, $2.first, $4, NULL, NULL); }
| "||" expr                               { $$ = N(lambda, @$, NULL, $2, NULL, NULL); }
| "|" params_lambda_items "|" block       { $$ = N(lambda, @$, $2.first, $4, NULL, NULL); }
| "||" block                              { $$ = N(lambda, @$, NULL, $2, NULL, NULL); }
;
%type <list> params_lambda_items;
params_lambda_items:
  lambda_param                            { $$ = append((List){0}, $1); }
| params_lambda_items "," lambda_param    { $$ = append($1, $3); }
;
lambda_param:
  NAME type_or_none                       { $$ = NAMED(param, @1, $1, $2, NULL, NULL, NULL); }
;
choose:
  binary
| binary "?" expr ":" choose              { $$ = N(choose, @$, $1, $3, $5, NULL); }
;
binary:
  sum
| binary "<<" binary                      { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_shl); }
| binary ">>" binary                      { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_shr); }
| binary "<" binary                       { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_lt); }
| binary "<=" binary                      { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_le); }
| binary ">" binary                       { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_gt); }
| binary ">=" binary                      { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_ge); }
| binary "==" binary                      { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_eq); }
| binary "!=" binary                      { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_ne); }
| binary "&" binary                       { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_and); }
| binary "^" binary                       { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_xor); }
| binary "|" binary                       { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_or); }
| binary "&&" binary                      { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_and_then); }
| binary "||" binary                      { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_or_else); }
;
sum:
  postfix
| "-" sum %prec PREFIX                    { $$ = with_op(N(unary, @$, $2, NULL, NULL, NULL), OP_negate); }
| "+" sum %prec PREFIX                    { $$ = with_op(N(unary, @$, $2, NULL, NULL, NULL), OP_plus); }
| "!" sum %prec PREFIX                    { $$ = with_op(N(unary, @$, $2, NULL, NULL, NULL), OP_not); }
| "~" sum %prec PREFIX                    { $$ = with_op(N(unary, @$, $2, NULL, NULL, NULL), OP_invert); }
| sum "+" sum                             { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_add); }
| sum "-" sum                             { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_sub); }
| sum "*" sum                             { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_mul); }
| sum "/" sum                             { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_div); }
| sum "%" sum                             { $$ = with_op(N(binary, @$, $1, $3, NULL, NULL), OP_rem); }
;
postfix:
  NAME                                    { $$ = NAMED(name, @$, $1, NULL, NULL, NULL, NULL); }
| INT | FLOAT | STRING
| "true"                                  { $$ = N(bool, @$, NULL, NULL, NULL, NULL); $$->bits = 1; }
| "false"                                 { $$ = N(bool, @$, NULL, NULL, NULL, NULL); }
| "(" expr ")"                            { $$ = $2; $$->flags |= FLAG_parens; if (!($$->flags & FLAG_literal)) $$->span = @$; }
| "(" expr "," exprs ")"                  { List list = append((List){0}, $2); list.last->next = $4.first; $$ = N(tuple, @$, list.first, NULL, NULL, NULL); }
| "[" exprs "]"                           { $$ = N(list, @$, $2.first, NULL, NULL, NULL); }
| "fast" "{" expr "}"                     { $$ = N(fast, @$, $3, NULL, NULL, NULL); }
| postfix "(" args ")"                    { $$ = N(call, @$, $1, $3.first, NULL, NULL); }
| postfix "[" exprs "]"                   { $$ = N(index, @$, $1, $3.first, NULL, NULL); }
| postfix "[" "]"                         { $$ = N(index, @$, $1, NULL, NULL, NULL); }
| postfix "." NAME                        { $$ = NAMED(member, @$, $3, $1, NULL, NULL, NULL); }
| postfix "< of a list" generic_args "> of a list" { $$ = N(instance, @$, $1, $3.first, NULL, NULL); }
;
exprs:
  expr                                    { $$ = append((List){0}, $1); }
| exprs "," expr                          { $$ = append($1, $3); }
;
generic_args:
  generic_arg                             { $$ = append((List){0}, $1); }
| generic_args "," generic_arg            { $$ = append($1, $3); }
;
generic_arg:
  sum
| "shared"                                { $$ = NAMED(name, @1, op_name(c, "shared"), NULL, NULL, NULL, NULL); }
;
args:
  %empty                                  { $$ = (List){0}; }
| args_items
| args_items ","                          { $$ = $1; }
;
args_items:
  argument                                { $$ = append((List){0}, $1); }
| args_items "," argument                 { $$ = append($1, $3); }
;
argument:
  expr
| NAME "=" expr                           { $$ = NAMED(argument, @$, $1, $3, NULL, NULL, NULL); }
| bare_op                                 { $$ = with_op(N(operator, @$, NULL, NULL, NULL, NULL), $1); }
;
bare_op:
  "+" { $$ = OP_add; } | "-" { $$ = OP_sub; } | "*" { $$ = OP_mul; } | "/" { $$ = OP_div; } | "%" { $$ = OP_rem; }
| "&" { $$ = OP_and; } | "|" { $$ = OP_or; } | "^" { $$ = OP_xor; } | "&&" { $$ = OP_and_then; } | "||" { $$ = OP_or_else; }
| "<" { $$ = OP_lt; } | "<=" { $$ = OP_le; } | ">" { $$ = OP_gt; } | ">=" { $$ = OP_ge; } | "==" { $$ = OP_eq; } | "!=" { $$ = OP_ne; }
;
%%

static Node *node(Session *c, NodeKind kind, Span span, Node *a, Node *b, Node *cc, Node *d)
{
  Node *made = node_make(c->unit, kind, span, a, b, cc, d);
  if (made->depth > NESTING_MAX && !c->is_too_deep) {
    diag_at(&c->diag, DIAG_nesting, span, (unsigned)NESTING_MAX);
    c->is_too_deep = true; /* the lexer ends the text here */
  }
  return made;
}

static Node *named(Session *c, NodeKind kind, Span span, const Name *name, Node *a, Node *b, Node *cc, Node *d)
{
  Node *made = node(c, kind, span, a, b, cc, d);
  made->name = name;
  return made;
}

static Node *with_op(Node *made, Op op)
{
  made->op = (uint8_t)op;
  return made;
}

static Node *with_flag(Node *made, enum NodeFlag flag)
{
  made->flags |= (uint32_t)flag;
  return made;
}

/* Puts attributes before the compile-time parameters, in the same list. */
static Node *with_attributes(Node *made, List attributes)
{
  if (!attributes.first) return made;
  attributes.last->next = made->a;
  made->a = attributes.first;
  return made;
}

static List append(List list, Node *made)
{
  if (!made) return list;
  if (list.last) list.last->next = made;
  else list.first = made;
  list.last = node_last(made);
  return list;
}

/* A union: its first member, with the others below it. */
static Node *union_of(Session *c, Span span, Node *parts)
{
  if (!parts) return N(block, span, NULL, NULL, NULL, NULL); /* an error was reported */
  parts->d = parts->next;
  parts->next = NULL;
  for (const Node *part = parts->d; part; part = part->next)
    if (parts->depth <= part->depth) parts->depth = (uint16_t)(part->depth + 1);
  return parts;
}

/* `scratch persistent x: T[n];` and `scratch result x: T[1];` */
static Node *scratch_of(Session *c, Span span, const Name *word, Node *scratch)
{
  if (!strcmp(word->text, "persistent")) return with_flag(scratch, FLAG_persistent);
  if (!strcmp(word->text, "result")) return with_flag(scratch, FLAG_plan);
  diag_at(&c->diag, DIAG_scratch_word, span, word->text);
  return scratch;
}

/* Moves parameters `const n: u32` in (...) to those in <...>; each knows its position in (...). */
static Node *consts(Session *c, List generics, List *params)
{
  List rest = {0};
  uint64_t place = 0;
  for (Node *param = params->first, *next; param; param = next, ++place) {
    next = param->next;
    param->next = NULL;
    if (param->kind != NODE_const_param) {
      rest = append(rest, param);
      continue;
    }
    param->c = node_new(c->unit, NODE_int, param->span);
    param->c->type = c->types->int_literal;
    param->c->bits = place;
    generics = append(generics, param);
  }
  *params = rest;
  return generics.first;
}

/* The text from one name to another, as one name: `block.id`. */
static const Name *path(Session *c, Span first, Span last)
{
  return name_of(&c->names, source_text(&c->sources, first), last.hi - first.lo);
}

static const Name *op_name(Session *c, const char *text)
{
  return name_of(&c->names, text, strlen(text));
}

/* The 1 of `i++`. */
static Node *one(Session *c, Span span)
{
  Node *made = node_new(c->unit, NODE_int, span);
  made->type = c->types->int_literal;
  made->bits = 1;
  return made;
}

/* "';'" for a spelling, "a name" for a class of tokens (its alias starts with an article). */
static const char *token_text(Session *c, yysymbol_kind_t symbol)
{
  const char *name = yysymbol_name(symbol);
  bool is_class = !strncmp(name, "a ", 2) || !strncmp(name, "an ", 3) || !strncmp(name, "the ", 4);
  if (!strcmp(name, "< of a list")) name = "<";
  if (!strcmp(name, "> of a list")) name = ">";
  return is_class ? name : arena_printf(c->unit, "'%s'", name);
}

/* Adds a hint for mistakes that often lead to a syntax error. */
static void expected_hint(Session *c, const Lexer *lexer, yysymbol_kind_t token, bool is_start, bool is_name)
{
  bool is_word = token >= YYSYMBOL_IMPORT && token <= YYSYMBOL_FALSE;
  if (token == YYSYMBOL_INCREMENT || token == YYSYMBOL_DECREMENT) diag_hint(&c->diag, "'++' and '--' are statements of their own.");
  else if (token == YYSYMBOL_ELSE) diag_hint(&c->diag, "No 'if' ends right before it: several statements behind one stand in braces.");
  else if (token == YYSYMBOL_RBRACE && lexer->is_unopened) diag_hint(&c->diag, "No '{' is open here.");
  else if (is_start && (token == YYSYMBOL_FN || token == YYSYMBOL_KERNEL)) diag_hint(&c->diag, "Functions stand outside of each other; inside, there are lambdas: let f = |x| x * x;.");
  else if (is_word && is_name) diag_hint(&c->diag, "'%s' is a word of the language.", yysymbol_name(token));
}

/* Was a comment behind `end` meant as a division, z[0] // 2? It isn't a sentence then: it ends like
 * a statement, or closes what the text has opened. */
static bool is_division(const char *end, const char *to)
{
  const char *p = end + strspn(end, " \t");
  if (p >= to || strncmp(p, "//", 2) != 0) return false;
  p += 2 + strspn(p + 2, " \t");
  size_t len = strcspn(p, "\n");
  int depth = 0, least = 0;
  for (size_t i = 0; i < len; ++i) {
    depth += p[i] == '(' || p[i] == '[' ? 1 : p[i] == ')' || p[i] == ']' ? -1 : 0;
    if (depth < least) least = depth;
  }
  if (least < 0) return true;
  while (len && strchr(" \t\r}", p[len - 1])) --len;
  return len && (p[len - 1] == ';' || !memchr(p, ' ', len));
}

/* Is it Python's choice: `if` behind a value on one line, and its `else`? */
static bool is_choice(const char *end, const char *token)
{
  const char *other = strstr(token, "else"), *stop = token + strcspn(token, ";{\n");
  return !memchr(end, '\n', (size_t)(token - end)) && other && other < stop;
}

static void assign_hint(Session *c, yysymbol_kind_t token, bool is_value)
{
  if (token == YYSYMBOL_ASSIGN && is_value) diag_hint(&c->diag, "An assignment is a statement of its own; '==' compares.");
}

static int yyreport_syntax_error(const yypcontext_t *context, Lexer *lexer, Session *c)
{
  enum { SHOWN_MAX = 5, EXPECTED_MAX = 80 };
  if (c->is_too_deep) return 0;
  yysymbol_kind_t expected[EXPECTED_MAX], token = yypcontext_token(context);
  int count = yypcontext_expected_tokens(context, expected, EXPECTED_MAX);
  for (int i = 0; i < count; ++i) /* a name is what most want there */
    if (expected[i] == YYSYMBOL_UNION) expected[i--] = expected[--count];
  Span span = *yypcontext_location(context);
  /* at the start of a statement, where ";" is one of many possibilities */
  bool is_semi = false, is_start = false;
  bool is_value = false;                  /* the token follows a complete value */
  bool is_operand = false, is_item = false, is_name = false;
  yysymbol_kind_t close = YYSYMBOL_YYEMPTY;
  for (int i = 0; i < count; ++i) {
    is_semi |= expected[i] == YYSYMBOL_SEMI;
    is_start |= expected[i] == YYSYMBOL_LET;
    is_value |= expected[i] == YYSYMBOL_STAR;
    is_operand |= expected[i] == YYSYMBOL_MINUS;
    is_item |= expected[i] == YYSYMBOL_KERNEL;
    is_name |= expected[i] == YYSYMBOL_NAME;
    if (expected[i] == YYSYMBOL_RPAREN || expected[i] == YYSYMBOL_RBRACKET) close = expected[i];
  }
  if (token == YYSYMBOL_LBRACE) lexer->braces -= lexer->braces > 0;
  lexer->is_skipping = lexer->braces == 0 && token != YYSYMBOL_SEMI && token != YYSYMBOL_RBRACE;
  /* An unexpected end of the text follows from an error that the lexer has reported, as an open
   * comment. */
  if (token == YYSYMBOL_YYEOF && c->diag.error_count) return 0;
  /* What is missing here was read as part of an unclosed string. */
  if (lexer->torn_hi && lexer->torn_hi == lexer->prev_hi) return 0;
  if (cuda_spelling(c, lexer, span)) return 0;
  bool is_closing = token == YYSYMBOL_RPAREN || token == YYSYMBOL_RBRACKET;
  if (is_semi && !is_start && token != YYSYMBOL_SEMI && !is_closing) {
    uint32_t end = lexer->prev_hi;
    const char *between = source_text(&c->sources, (Span){end, end});
    diag_at(&c->diag, DIAG_expected, (Span){end, end}, "expected ';'");
    if (is_division(between, between + (span.lo - end))) {
      diag_hint(&c->diag, "'//' starts a comment; integers are divided by '/', towards zero.");
      return 0;
    }
    if (end < span.lo && memchr(between, '\n', span.lo - end)) diag_fix(&c->diag, (Span){end, end}, ";");
    if (token == YYSYMBOL_COMMA && lexer->in_struct && lexer->braces == 1) {
      diag_fix(&c->diag, span, ";");
    } else if (token == YYSYMBOL_COMMA) {
      diag_hint(&c->diag, "A declaration has one name: var i = 0; var j = 1;.");
    } else if (token == YYSYMBOL_LBRACE && is_value) {
      diag_hint(&c->diag, "A struct is made by a call, P(1, 2); a list is [1, 2].");
    } else if (token == YYSYMBOL_RBRACE && lexer->ends_lambda && is_value) {
      diag_hint(&c->diag, "The value of a block is said by 'return': |x| { return x + 1; }, or |x| x + 1.");
    } else if (token == YYSYMBOL_IF && is_value && is_choice(between, between + (span.lo - end))) {
      diag_hint(&c->diag, "A choice is written condition ? a : b.");
    }
    assign_hint(c, token, is_value);
    return 0;
  }
  Buf text = BUF(c->unit);
  if (count > 0 && count <= SHOWN_MAX) {
    buf_puts(&text, "expected ");
    for (int i = 0; i < count; ++i)
      buf_printf(&text, "%s%s", i == 0 ? "" : i == count - 1 ? " or " : ", ", token_text(c, expected[i]));
    buf_puts(&text, " before ");
  } else if (is_value && close != YYSYMBOL_YYEMPTY) {
    buf_printf(&text, "expected %s or an operator before ", token_text(c, close));
  } else if (is_item && token != YYSYMBOL_RBRACE) {
    buf_puts(&text, "expected 'kernel', 'fn', 'const' or another declaration before ");
  } else if (is_operand && !is_start && !is_value) {
    buf_puts(&text, "expected a value before ");
  } else {
    buf_puts(&text, "unexpected ");
  }
  if (token == YYSYMBOL_YYEMPTY || token == YYSYMBOL_YYUNDEF) buf_puts(&text, "this");
  else if (token == YYSYMBOL_NAME) buf_printf(&text, "'%.*s'", (int)(span.hi - span.lo), source_text(&c->sources, span));
  else buf_puts(&text, token_text(c, token));
  diag_at(&c->diag, DIAG_expected, span, buf_text(&text));
  if (token == YYSYMBOL_YYEOF && lexer->open.count) {
    diag_note(&c->diag, DIAG_open_brace, lexer->open.at[lexer->open.count - 1]);
    return 0;
  }
  char before = lexer->prev_hi > lexer->source->base ? *source_text(&c->sources, (Span){lexer->prev_hi - 1, lexer->prev_hi}) : 0;
  if (token == YYSYMBOL_DOT && (before == '(' || before == ',')) diag_hint(&c->diag, "A field is given by its name: P(x = 1).");
  if (before == ':' && is_start) diag_hint(&c->diag, "A case has a statement: ';' alone does nothing.");
  if (token == YYSYMBOL_LAUNCH && is_item) diag_hint(&c->diag, "'launch' stands between a kernel's parameters and its block.");
  for (int i = 0; token == YYSYMBOL_SEMI && !is_semi && i < count && count <= SHOWN_MAX; ++i)
    if (expected[i] == YYSYMBOL_ASSIGN) diag_hint(&c->diag, "'let' and 'const' have a value; a 'var' with a type starts as 0.");
  if (is_closing && is_semi) diag_hint(&c->diag, "Nothing is open here that it closes.");
  for (int i = 0; token == YYSYMBOL_COLON && i < count; ++i)
    if (expected[i] == YYSYMBOL_ARROW) diag_fix(&c->diag, span, " ->");
  const char *behind = source_text(&c->sources, (Span){lexer->prev_hi, lexer->prev_hi});
  if (is_value && is_division(behind, source_text(&c->sources, span)))
    diag_hint(&c->diag, "'//' starts a comment; integers are divided by '/', towards zero.");
  expected_hint(c, lexer, token, is_start, is_name);
  assign_hint(c, token, is_value);
  return 0;
}

/* Called only if the parser's stack is full. */
static void yyerror(Span *span, Lexer *lexer, Session *c, const char *message)
{
  (void)lexer, (void)message;
  diag_at(&c->diag, DIAG_nesting, *span, (unsigned)NESTING_MAX);
  c->is_too_deep = true;
}

const char *parse_token_name(int token)
{
  return yysymbol_name(YYTRANSLATE(token));
}

static Node *parse(Session *c, Lexer *lexer)
{
  c->module = NULL;
  yyparse(lexer, c);
  return c->module ? c->module : node_new(c->unit, NODE_module, (Span){lexer->source->base, lexer->source->base});
}

Node *parse_source(Session *c, const Source *source)
{
  Lexer lexer;
  if (lexer_open(&lexer, c, source)) return parse(c, &lexer);
  return node_new(c->unit, NODE_module, (Span){source->base, source->base});
}

Node *parse_piece(Session *c, const Source *source, uint32_t lo, uint32_t hi)
{
  Lexer lexer;
  lexer_open_piece(&lexer, c, source, lo, hi);
  return parse(c, &lexer);
}

Node *parse_again(Session *c, const Node *function)
{
  Lexer lexer;
  Node *module = c->module;
  bool is_repairing = c->is_repairing;
  c->is_repairing = false;
  lexer_open_function(&lexer, c, function);
  Node *item = parse(c, &lexer)->a;
  c->module = module;
  c->is_repairing = is_repairing;
  bool is_kernel = function->kind == NODE_kernel || function->flags & FLAG_algorithm;
  if (!item || item->kind != (is_kernel ? NODE_kernel : NODE_function) || item->next) die("'%s' reads otherwise now", function->name->text);
  if (function->kind == NODE_kernel || !is_kernel) return item;
  item->kind = NODE_function; /* the launch says block and grid, so the contract is left out */
  item->c = NULL;
  item->flags |= FLAG_algorithm;
  return item;
}
