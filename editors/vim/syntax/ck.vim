" ck.vim - syntax of CK for Vim, made by editors/grammar.py.
if exists("b:current_syntax")
  finish
endif
syn case match

syn keyword ckStatement if switch case else while for break continue return unroll
syn keyword ckStructure const fn enum kernel struct algorithm let var
syn keyword ckStorageClass export launch shared scratch in inout comptime fast dyn
syn keyword ckBoolean true false
syn keyword ckKeyword import static_assert
syn keyword ckType bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64
syn match ckStructure /\v<type>(\s+[a-zA-Z_][a-zA-Z0-9_]*\s*\=(=)@!)@=/
syn match ckStructure /\v(shared )@<=<union>(\s*\{)@=/
syn match ckStatement /\v%((^\s*)@<=|([;{}])@<=|([;{}] )@<=)<split>(\s*\{)@=/
syn match ckStatement /\v%((^\s*)@<=|([;{}:])@<=|([;{}:] )@<=)<default>(\s*:(\s*%([a-z]+[0-9]+|bool)%(<|>))@!)@=/
syn match ckStorageClass /\v%((:)@<=|(: )@<=)<out>/
syn match ckNumber /\v<%(0[xX][a-zA-Z0-9_]*)/
syn match ckNumber /\v<%(0bf16)/
syn match ckNumber /\v<%(0[bB][a-zA-Z0-9_]*)/
syn match ckNumber /\v<%([0-9][a-zA-Z0-9_]*)/
syn match ckFloat /\v\.@<!\.[0-9][a-zA-Z0-9_]*/
syn match ckFloat /\v<[0-9][0-9_]*\.[fF]([^a-zA-Z_0-9])@=/
syn match ckFloat /\v<[0-9][0-9_]*\.([^.a-zA-Z_0-9])@=/
syn match ckFloat /\v<[0-9][0-9_]*\.[0-9][a-zA-Z0-9_]*/
syn match ckFloat /\v\.@<!\.[0-9][0-9_]*[eE][+-]?[0-9][a-zA-Z0-9_]*/
syn match ckFloat /\v<[0-9][0-9_]*%(\.[0-9_]*)?[eE][+-]?[0-9][a-zA-Z0-9_]*/
syn match ckFloat /\v<0[xX][0-9a-fA-F_]+[pP][+-]?[0-9][a-zA-Z0-9_]*/
syn match ckFloat /\v<0[xX][0-9a-fA-F_]*\.[0-9a-fA-F_]*[pP][+-]?[0-9][a-zA-Z0-9_]*/
syn match ckString /\v["]%([^"\\\n]|\\[^\n])*["]/
syn match ckComment +//.*$+
syn region ckComment start=+/[*]+ end=+[*]/+

hi def link ckStatement Statement
hi def link ckStructure Structure
hi def link ckStorageClass StorageClass
hi def link ckBoolean Boolean
hi def link ckKeyword Keyword
hi def link ckType Type
hi def link ckNumber Number
hi def link ckFloat Float
hi def link ckString String
hi def link ckComment Comment
let b:current_syntax = "ck"
