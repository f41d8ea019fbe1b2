#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""grammar_test.py - checks that the grammar in docs/language.md is that of compiler/front/parse.y.

    grammar_test.py PARSE.y DOCUMENT            compares
    grammar_test.py PARSE.y DOCUMENT --write    writes the document's block ```ebnf

Rules keep their names. Lists and optional parts become { } and [ ] where they are used; actions and
error productions, which only Bison needs, are left out. For speed the parser's grammar has few
levels of expressions; the missing levels get their names back here (HEADS). The document's list of
reserved words is compared with the grammar's tokens.
"""
import re
import sys

CLASSES = {"NAME": "NAME", "INT": "INTEGER", "FLOAT": "NUMBER", "STRING": "TEXT"}
KEPT = {"module", "sum", "postfix", "generics", "args", "result"}  # these have rules of their own
HEADS = {"sum": "unary", "postfix": "primary"}  # what the left-recursive rule begins with
WIDTH = 100


def rules_of(text):
    """Returns name -> alternatives, each a list of symbols."""
    text = re.sub(r"/\*.*?\*/", "", text.split("\n%%\n")[1], flags=re.S)
    text = re.sub(r"(?m)^%type.*$", "", text).replace("type:\n  type_postfix\n;", "")
    text = text.replace("type_postfix", "type")
    tokens = re.findall(r"\"[^\"]*\"|%\w+|[A-Za-z_]\w*|[:|;]|[{}]|\$\S*|.", re.sub(r"\s+", " ", text))
    rules, name, depth, skip = {}, None, 0, False
    for i, token in enumerate(tokens):
        if token in "{}":
            depth += 1 if token == "{" else -1
        elif depth or token == " ":
            continue
        elif skip:
            skip = False
            if token == "PREFIX":
                rules[name][-1][-1] = HEADS[rules[name][-1][-1]]
        elif token == "%prec":
            skip = True
        elif token == "%empty":
            pass
        elif token == ";":
            name = None
        elif token == ":":
            pass
        elif token == "|":
            rules[name].append([])
        elif name is None:
            name = token
            rules[name] = [[]]
        else:
            rules[name][-1].append(CLASSES.get(token, token.replace(" of a list", "")))
    rules = {name: [a for a in alternatives if "error" not in a] for name, alternatives in rules.items()}
    return layered(rules)


def layered(rules):
    """Adds rules for common beginnings, and a name for alternatives that together are another rule.
    """
    result = {}
    for name, alternatives in rules.items():
        for other, part in rules.items():
            if other != name and len(part) > 1 and all(a in alternatives for a in part):
                alternatives = [[other]] + [a for a in alternatives if a not in part]
        head = HEADS.get(name)
        tails = [[head if s == name and i else s for i, s in enumerate(a)] for a in alternatives if a[:1] == [name]]
        result[name] = [[head]] + tails if head else alternatives
        if head:
            result[head] = [a for a in alternatives if a[:1] != [name]]
    return result


def choice(alternatives):
    return " | ".join(" ".join(a) for a in alternatives)


def group(alternatives):
    """Returns one symbol for several alternatives."""
    alternatives = merge(alternatives)
    text = choice(alternatives)
    return text if len(alternatives) == 1 and len(alternatives[0]) == 1 else f"( {text} )"


def merge(alternatives):
    """Joins alternatives of which one has a longer end, or that differ in one operator."""
    done = []
    for new in alternatives:
        for i, old in enumerate(done):
            n = 0
            while n < min(len(old), len(new)) and old[n] == new[n]:
                n += 1
            m = 0
            while m < min(len(old), len(new)) - n and old[-1 - m] == new[-1 - m]:
                m += 1
            a, b = old[n:len(old) - m], new[n:len(new) - m]
            if n + m and not a and b:
                done[i] = old[:n] + [f"[ {' '.join(b)} ]"] + old[len(old) - m:]
                break
            if len(old) - n - m == 1 and len(b) == 1 and (b[0][0] == '"') and a[0][0] in '"(':
                inside = a[0][2:-2] if a[0][0] == "(" else a[0]
                done[i] = old[:n] + [f"( {inside} | {b[0]} )"] + old[len(old) - m:]
                break
        else:
            done.append(new)
    return done


def repeated(name, alternatives):
    """Returns a left-recursive list in braces; None if the rule is not a list."""
    first = [a for a in alternatives if a[:1] != [name]]
    rest = [a[1:] for a in alternatives if a[:1] == [name]]
    if not rest or len(first) != 1 or any(name in a for a in rest):
        return None
    return first[0] + ["{ " + choice(merge(rest)) + " }"]


def simplified(rules):
    """Inserts lists and optional parts where they are used."""
    rules = dict(rules)
    while True:
        for name, alternatives in rules.items():
            if name in KEPT:
                continue
            listed = repeated(name, alternatives)
            if listed and name != "type":
                break
            if [] in alternatives and not any(name in a for a in alternatives):
                listed = ["[ " + choice(merge([a for a in alternatives if a])) + " ]"]
                break
            if len(alternatives) == 1 and len(alternatives[0]) == 1 and alternatives[0][0] in rules:
                listed = alternatives[0]
                break
        else:
            return rules
        del rules[name]
        pattern = re.compile(rf"(?<![\w\"]){name}(?![\w\"])")
        rules = {other: [re.findall(r"\[ .* \]|{ .* }|\( .* \)|\S+", pattern.sub(" ".join(listed), " ".join(a)))
                         if name in " ".join(a) else a for a in alternatives]
                 for other, alternatives in rules.items()}


def written(rules):
    lines = []
    for name, alternatives in simplified(rules).items():
        listed = repeated(name, alternatives)
        operators = [a for a in alternatives if len(a) == 3 and a[0] == name and a[2] in (name, HEADS.get(name))]
        if operators and len(operators) + 1 == len(alternatives):
            tails = group([[a[1]] for a in operators])
            one = f"{alternatives[0][0]} {{ {tails} {alternatives[0][0]} }}"
            parts = [one]
        elif listed:
            parts = [" ".join(listed)]
        else:
            parts = [" ".join(a) for a in merge(alternatives)]
            if [] in alternatives:
                parts = ["[ " + choice(merge([a for a in alternatives if a])) + " ]"]
        parts = [re.sub(r"^\( ([^()]*) \)$", r"\1", part) for part in parts]
        line = f"{name:<14} = " + " | ".join(parts)
        if len(line) <= WIDTH:
            lines.append(line)
            continue
        indent = "\n" + " " * 15
        rows, row = [], f"{name:<14} = {parts[0]}"
        for part in parts[1:]:
            if len(row) + len(part) + 3 > WIDTH:
                rows.append(row)
                row = f"{'':<15}| {part}"
            else:
                row += f" | {part}"
        for row in rows + [row]:
            while len(row) > WIDTH:
                cut = max(row.rfind(" { ", 20, WIDTH), row.rfind(" | ", 20, WIDTH), row.rfind(" [ ", 20, WIDTH))
                lines.append(row[:cut])
                row = indent[1:] + "    " + row[cut + 1:]
            lines.append(row)
    return "\n".join(lines) + "\n"


def main(grammar, document, *options):
    with open(grammar, encoding="utf-8") as file:
        source = file.read()
    with open(document, encoding="utf-8") as file:
        text = file.read()
    wanted = written(rules_of(source))
    block = re.search(r"(?s)```ebnf\n(.*?)```", text)
    if "--write" in options:
        with open(document, "w", encoding="utf-8") as file:
            file.write(text[:block.start(1)] + wanted + text[block.end(1):])
        return 0
    failed = 0
    if block.group(1) != wanted:
        print(f"{document}: the grammar is not {grammar}'s: run {sys.argv[0]} with --write")
        failed = 1
    tokens = re.search(r"(?s)%token IMPORT.*?FALSE \"false\"", source).group(0)
    words = re.findall(r'[A-Z_]+ "(\w+)"', tokens)
    told = re.search(r"(?s)Reserved words: `([^`]*)`", text).group(1).split()
    if sorted(words) != sorted(told):
        print(f"{document}: reserved words: {sorted(set(words) ^ set(told))}")
        failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
