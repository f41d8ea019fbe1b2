# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# complete.zsh FOLDER: what an interactive zsh makes of a line of its input when Tab is typed, a line each.
# FOLDER has the function _ckc.
zmodload zsh/zpty
folder=$1
zpty shell "TERM=dumb PS1='' zsh -f -i"
zpty -w shell "PS1=; unsetopt zle_bracketed_paste 2>/dev/null; zle_bracketed_paste=(); fpath=($folder \$fpath)
autoload -Uz compinit; compinit -u -D
bindkey '^I' complete-word; bindkey '^X' show; show() { print -r -- \"{\$BUFFER}\"; BUFFER=; }; zle -N show
print ready"
while zpty -r shell line; do [[ $line == ready* ]] && break; done
while read -r typed; do
  zpty -w -n shell "$typed"$'\t\x18'
  while zpty -r shell line; do
    [[ $line == *'{'*'}'* ]] || continue
    print -r -- "${${line##*\{}%%\}*}"
    break
  done
done
zpty -d shell
