" ck.vim - files of CK.
au BufRead,BufNewFile *.ck setlocal filetype=ck
