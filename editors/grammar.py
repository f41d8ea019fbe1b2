#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""grammar.py - makes the grammars of editors from the compiler's lexer.

    grammar.py [--write]                      compares, or writes, the files below
    grammar.py --check CKC FILE.ck...         compares the grammar's tokens with the compiler's
    grammar.py --vim CKC FILE.ck...           the same with what Vim shows at the first byte of each

    vscode/syntaxes/ck.tmLanguage.json        TextMate: VS Code, GitHub
    sublime/CK.tmLanguage                     the same for Sublime Text
    vim/syntax/ck.vim                         Vim

Words, numbers, texts and operators are the rules of compiler/front/lex.re, in which re2c's
expressions become those of the editors; types are the rows of type.def. re2c takes the longest match
of all rules, an editor the first one, so rules are sorted: exponents before other numbers, and long
operators before short ones.

Five words are words of the language only in some places, which lex.re decides by C code. PLACES has
an expression for each. Editors read a text line by line, so these see no other line. A new such word
without a row ends this program.
"""
import json
import os
import plistlib
import re
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
FRONT = os.path.join(os.path.dirname(FOLDER), "compiler/front")
TEXTMATE = os.path.join(FOLDER, "vscode/syntaxes/ck.tmLanguage.json")
SUBLIME = os.path.join(FOLDER, "sublime/CK.tmLanguage")
VIM = os.path.join(FOLDER, "vim/syntax/ck.vim")

NAME = "[a-zA-Z_][a-zA-Z0-9_]*"
# The function of lex.re that decides: what stands before the word, and what behind it.
PLACES = {
    "names_type": ("", rf"(?=\s+{NAME}\s*=(?!=))"),
    "is_union": (r"(?<=shared )", r"(?=\s*\{)"),
    "is_split": (r"(?:^\s*|(?<=[;{}])|(?<=[;{}] ))", r"(?=\s*\{)"),
    "is_label": (r"(?:^\s*|(?<=[;{}:])|(?<=[;{}:] ))", r"(?=\s*:(?!\s*(?:[a-z]+[0-9]+|bool)\b))"),
    "lexer->prev != TOK_COLON": (r"(?:(?<=:)|(?<=: ))", ""),
}
SCOPES = {
    "keyword.control.ck": "if else while for break continue return switch case default split unroll",
    "storage.type.ck": "kernel fn struct enum type algorithm const let var union",
    "storage.modifier.ck": "shared scratch in out inout export launch comptime fast dyn",
    "constant.language.ck": "true false",
}
VIM_GROUPS = {"keyword.control.ck": "Statement", "storage.type.ck": "Structure",
              "storage.modifier.ck": "StorageClass", "constant.language.ck": "Boolean",
              "keyword.other.ck": "Keyword"}


def expression(rule, names):
    """An expression of re2c as one of Python, TextMate and others."""
    out = ""
    for part in re.finditer(r'"((?:[^"\\]|\\.)*)"|(\[(?:[^\]\\]|\\.)+\])|(/)|([a-z]\w*)|([()|*+?])|\s+', rule):
        text, chars, context, name, sign = part.groups()
        if text is not None:
            text = text.replace("\\\\", "\\")
            out += re.escape(text) if len(text) == 1 or not out else f"(?:{re.escape(text)})"
        elif chars:
            out += re.sub(r"\\x00", "", chars)
        elif context:
            return out + f"(?={expression(rule[part.end():], names)})"
        elif name:
            out += f"(?:{names[name]})" if len(names[name]) > 1 and names[name][0] != "[" else names[name]
        elif sign:
            out += "(?:" if sign == "(" else sign
    return out


def scope_of(word):
    return next((scope for scope, words in SCOPES.items() if word in words.split()), "keyword.other.ck")


class Rules:
    """words: word to (before, behind); numbers, floats: expressions; text; signs."""

    def __init__(self):
        with open(os.path.join(FRONT, "lex.re"), encoding="utf-8") as file:
            text = file.read()
        text = text[text.index("/*!re2c"):text.index("#undef GIVE")]
        names = {}
        for name, rule in re.findall(r"(?m)^ +(\w+) += (.*);$", text[:text.index("goto again")]):
            names[name] = expression(rule, names)
        self.words, self.signs, self.integers, self.floats, self.text = {}, set(), [], [], ""
        for word, condition in re.findall(r'(?m)^ +"([a-z_]+)" +\{ (?:if \((.*)\) VALUE\(lex_name\(.*?\)\); )?GIVE', text):
            if condition and not any(key in condition for key in PLACES):
                sys.exit(f"grammar.py: PLACES has no row for '{word}', a word where {condition}")
            self.words[word] = next((place for key, place in PLACES.items() if key in condition), ("", ""))
        for rule, kind in re.findall(r"(?m)^ +(.*?) +\{ VALUE\(lex_(int|float)\(", text):
            (self.integers if kind == "int" else self.floats).append((rule, expression(rule, names)))
        self.floats = [made for _, made in sorted(self.floats, key=lambda rule: "exp" not in rule[0])]
        self.integers = [made for _, made in self.integers]
        self.text = expression(re.search(r'(?m)^ +(\["\] .*\["\]) +\{ VALUE', text)[1], names)
        for line in re.findall(r"(?m)^ +\"[^a-z#\\].*$", text):
            self.signs |= set(re.findall(r'"([^"a-z0-9\\]+)"', line))
        self.signs = sorted(self.signs - {"//", "/*", "#", "'"}, key=lambda sign: (-len(sign), sign))
        with open(os.path.join(FRONT, "type.def"), encoding="utf-8") as file:
            self.types = re.findall(r"(?m)^TYPE\((\w+),", file.read())

    def patterns(self):
        """In the order in which they are tried: (scope, expression)."""
        yield "string.quoted.double.ck", self.text
        for word, (before, behind) in self.words.items():
            if before or behind:
                yield scope_of(word), rf"{before}\b{word}\b{behind}"
        for scope in [*SCOPES, "keyword.other.ck"]:
            words = [w for w, place in self.words.items() if scope_of(w) == scope and place == ("", "")]
            if words:
                yield scope, rf"\b(?:{'|'.join(words)})\b"
        yield "support.type.ck", rf"\b(?:{'|'.join(self.types)})\b"
        yield "entity.name.function.ck", rf"(?<=\bfn ){NAME}|(?<=\bkernel ){NAME}|(?<=\balgorithm ){NAME}"
        yield "variable.other.ck", NAME
        yield "constant.numeric.float.ck", "|".join(self.floats)
        yield "constant.numeric.integer.ck", "|".join(self.integers)
        yield "keyword.operator.ck", "|".join(re.escape(sign) for sign in self.signs)


def textmate(rules):
    patterns = [{"name": "comment.line.double-slash.ck", "match": "//.*$"},
                {"name": "comment.block.ck", "begin": r"/\*", "end": r"\*/"}]
    patterns += [{"name": scope, "match": made} for scope, made in rules.patterns()]
    return {"name": "CK", "scopeName": "source.ck", "fileTypes": ["ck"], "patterns": patterns}


def vim_expression(made):
    """An expression of Python as one of Vim, very magic."""
    made = re.sub(r"(?<![?<!\\])=", r"\\=", made)  # very magic: `=` is "none or one"
    made = re.sub(r"\(\?=((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)", r"(\1)@=", made)
    made = re.sub(r"\(\?!((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)", r"(\1)@!", made)
    made = re.sub(r"\(\?<=((?:[^()]|\([^()]*\))*)\)", r"(\1)@<=", made)
    return made.replace("(?:", "%(").replace(r"\b", "%(<|>)").replace("/", r"\/")


def vim(rules):
    out = ['" ck.vim - syntax of CK for Vim, made by editors/grammar.py.', 'if exists("b:current_syntax")',
           "  finish", "endif", "syn case match", ""]
    for scope in [*SCOPES, "keyword.other.ck"]:
        words = [w for w, place in rules.words.items() if scope_of(w) == scope and place == ("", "")]
        if words:
            out.append(f"syn keyword ck{VIM_GROUPS[scope]} {' '.join(words)}")
    out.append(f"syn keyword ckType {' '.join(rules.types)}")
    for word, (before, behind) in rules.words.items():
        if before or behind:
            before = before.replace(r"(?:^\s*|", r"(?:(?<=^\s*)|")
            out.append(rf"syn match ck{VIM_GROUPS[scope_of(word)]} /\v{vim_expression(before)}<{word}>{vim_expression(behind)}/")
    out += [rf"syn match ckNumber /\v<%({vim_expression(made)})/" for made in rules.integers]
    for made in reversed(rules.floats):  # one that begins with a point stands behind no other point
        before = r"\.@<!" if made.startswith(r"\.") else "<"
        out.append(rf"syn match ckFloat /\v{before}{vim_expression(made)}/")
    out += [f"syn match ckString /\\v{vim_expression(rules.text)}/", "syn match ckComment +//.*$+",
            "syn region ckComment start=+/[*]+ end=+[*]/+", ""]
    groups = [*VIM_GROUPS.values(), "Type", "Number", "Float", "String", "Comment"]
    out += [f"hi def link ck{name} {name}" for name in groups]
    return "\n".join([*out, 'let b:current_syntax = "ck"']) + "\n"


# What parse.y calls tokens that have more than one text, or the same text as others.
KINDS = ("a name", "an integer", "a number", "a text", "< of a list", "> of a list")


def line_tokens(line, patterns, is_comment):
    """The tokens of a line, as an editor finds them: {column: (scope, text)}."""
    at, out = 0, {}
    while at < len(line):
        if is_comment:
            end = line.find("*/", at)
            at, is_comment = (len(line), True) if end < 0 else (end + 2, False)
            continue
        if line.startswith("//", at):
            break
        if line.startswith("/*", at):
            at, is_comment = at + 2, True
            continue
        found = next(((scope, m) for scope, made in patterns for m in [made.match(line, at)] if m), None)
        if not found or found[1].end() == at:
            at += 1
            continue
        scope, match = found
        text = match[0]
        out[match.end() - len(text.lstrip())] = (scope, text.strip())
        at = match.end()
    return out, is_comment


def agrees(kind, text, scope, own):
    if kind == "a name":
        return scope.split(".")[0] in ("variable", "entity", "support") and own == text
    scopes = {"an integer": "constant.numeric.integer.ck", "a number": "constant.numeric.float.ck",
              "a text": "string.quoted.double.ck"}
    if kind in scopes:
        return own == text and scope == scopes[kind]
    if text[0].isalpha() or text[0] == "_":
        return own == text and scope.split(".")[0] in ("keyword", "storage", "constant")
    return scope == "keyword.operator.ck" and own.startswith(text)


def check(ckc, paths):
    patterns = [(scope, re.compile(made)) for scope, made in Rules().patterns()]
    places = {word for word, place in Rules().words.items() if place != ("", "")}
    tokens = wrong = files = 0
    for path in paths:
        run = subprocess.run([ckc, path, "--emit=tokens"], capture_output=True, check=False)
        if run.returncode:
            continue  # its text is wrong on purpose
        files += 1
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().split("\n")
        is_comment, own = False, []
        for line in lines:
            found, is_comment = line_tokens(line + "\n", patterns, is_comment)
            own.append(found)
        for line in run.stdout.decode().splitlines():
            place = re.match(r"(\d+):(\d+) (.*)", line)
            if not place or int(place[1]) > len(lines):
                continue
            row, column, rest = int(place[1]) - 1, int(place[2]) - 1, place[3]
            column = len(lines[row].encode()[:column].decode())  # columns count bytes
            kind = next((k for k in KINDS if rest.startswith(k + " ")), "")
            text = rest[len(kind) + 1:] if kind else rest.split(" ", 1)[-1]
            tokens += 1
            scope, mine = own[row].get(column, ("nothing", ""))
            if mine == "" and text in (">", "=", ">="):
                continue  # the second half of `>>`, which closes two lists
            if text in places and not lines[row][:column].strip():
                continue  # the line before decides, which editors don't see
            if not agrees(kind, text, scope, mine):
                wrong += 1
                print(f"{path}:{row + 1}:{column + 1}: '{text}' is {kind or 'a word or sign'}, "
                      f"the grammar finds '{mine}', {scope}")
    print(f"{files} files, {tokens} tokens, {wrong} differ")
    return 1 if wrong or not tokens else 0


VIM_SCRIPT = """set rtp^={folder}/vim
syntax on
let s:out = []
for s:file in json_decode(join(readfile('{list}'), ''))
  exe 'silent edit' fnameescape(s:file[0])
  set ft=ck
  syn sync fromstart
  call add(s:out, json_encode(map(copy(s:file[1]), {{_, p -> synIDattr(synID(p[0], p[1], 0), 'name')}})))
endfor
call writefile(s:out, '{list}.out')
qa!
"""


def check_vim(ckc, paths):
    rules = Rules()
    places = {word for word, place in rules.words.items() if place != ("", "")}
    files = []
    for path in paths:
        run = subprocess.run([ckc, path, "--emit=tokens"], capture_output=True, check=False)
        places_of = []
        for line in run.stdout.decode().splitlines():
            place = re.match(r"(\d+):(\d+) (.*)", line)
            if place:
                kind = next((k for k in KINDS if place[3].startswith(k + " ")), "")
                places_of.append([int(place[1]), int(place[2]), kind, place[3].split(" ")[-1]])
        files.append([os.path.abspath(path), places_of])
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/list", "w", encoding="utf-8") as file:
            json.dump(files, file)
        with open(folder + "/script.vim", "w", encoding="utf-8") as file:
            file.write(VIM_SCRIPT.format(folder=FOLDER, list=folder + "/list"))
        run = subprocess.run(["vim", "-es", "-N", "-n", "-i", "NONE", "-u", folder + "/script.vim"], check=False,
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
        if not os.path.exists(folder + "/list.out"):
            print(run.stdout.decode(), run.stderr.decode())
            return 1
        with open(folder + "/list.out", encoding="utf-8") as file:
            shown = [json.loads(line) for line in file]
    words = {"ck" + group for group in VIM_GROUPS.values()}
    groups = {"a name": {"", "ckType"}, "an integer": {"ckNumber"}, "a number": {"ckFloat"}, "a text": {"ckString"}}
    tokens = wrong = 0
    for (path, asked), answers in zip(files, shown):
        for (line, column, kind, text), group in zip(asked, answers):
            tokens += 1
            right = groups.get(kind) or (words if text[0].isalpha() else {""})
            if group not in right and text not in places:
                wrong += 1
                print(f"{path}:{line}:{column}: '{text}' is {kind or 'a word or sign'}, Vim shows '{group}'")
    print(f"{len(shown)} files, {tokens} tokens, {wrong} differ")
    return 1 if wrong or not tokens or len(shown) != len(files) else 0


def main(words):
    if words and words[0] == "--vim":
        return check_vim(words[1], words[2:])
    if words and words[0] == "--check":
        return check(words[1], words[2:])
    rules = Rules()
    status = 0
    grammar = textmate(rules)
    for path, text in ((TEXTMATE, json.dumps(grammar, indent=1) + "\n"), (VIM, vim(rules)),
                       (SUBLIME, plistlib.dumps(grammar).decode())):
        if words == ["--write"]:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        elif not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
            print(f"{os.path.relpath(path, FOLDER)} is not what lex.re says: run editors/grammar.py --write")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
