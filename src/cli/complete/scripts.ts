/**
 * The scripts by which shells ask for candidates: the program itself, by its name or its path, or
 * npx, which must not install anything while somebody types.
 */

/**
 * bash splits words at `=` and `:`, so that a candidate loses all before the last of them. A single
 * candidate that ends with `=` or `,` gets no space.
 */
const BASH = String.raw`# table-search: completion for bash
_table_search() {
  local line="${'$'}{COMP_LINE:0:COMP_POINT}" words program cur done reply IFS=$' \t\n'
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=('')
  program=("${'$'}{words[0]/#\~/$HOME}")
  if [[ "${'$'}{words[0]}" == npx ]]; then
    [[ "${'$'}{words[1]}" == table-search && ${'$'}{#words[@]} -gt 2 ]] || return
    words=("${'$'}{words[@]:1}") program=(npx --no table-search)
  fi
  cur="${'$'}{words[-1]}"
  done="${'$'}{cur%"${'$'}{cur##*[=:]}"}"
  COMPREPLY=()
  while IFS=$'\t' read -r reply _; do
    COMPREPLY+=("${'$'}{reply#"$done"}")
  done < <("${'$'}{program[@]}" complete -- "${'$'}{words[@]:1}" 2>/dev/null)
  [[ ${'$'}{#COMPREPLY[@]} -eq 1 && "${'$'}{COMPREPLY[0]}" != *= ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _table_search table-search npx
`;

const ZSH = String.raw`#compdef table-search npx
# table-search: completion for zsh
_table_search() {
  local -a words_ meanings program
  local word meaning first=2
  program=("${'$'}{(Q)words[1]/#\~/$HOME}")
  if [[ "${'$'}{words[1]}" == npx ]]; then
    [[ "${'$'}{words[2]}" == table-search && $CURRENT -gt 2 ]] || { _files; return }
    program=(npx --no table-search) first=3
  fi
  while IFS=$'\t' read -r word meaning; do
    words_+=("$word")
    meanings+=("$word${'$'}{meaning:+  -- $meaning}")
  done < <("${'$'}{program[@]}" complete -- "${'$'}{(@)words[first,CURRENT]}" 2>/dev/null)
  if (( ${'$'}{#words_} )); then
    local -a suffix
    [[ ${'$'}{#words_} -gt 1 || "${'$'}{words_[1]}" == *= ]] && suffix=(-S '')
    compadd -Q -M 'm:{a-zA-Z}={A-Za-z}' "${'$'}{suffix[@]}" -l -d meanings -a words_
  else
    _files
  fi
}
if [[ "${'$'}{funcstack[1]}" == _table_search ]]; then
  _table_search "$@"
else
  compdef _table_search table-search npx
fi
`;

const FISH = `# table-search: completion for fish
function __table_search
  set -l typed (commandline -opc) (commandline -ct)
  if test $typed[1] = npx
    npx --no table-search complete -- $typed[3..-1] 2>/dev/null
  else
    $typed[1] complete -- $typed[2..-1] 2>/dev/null
  end
end
complete -c table-search -f -a '(__table_search)'
complete -c table-search -s o -l out -r -F
complete -c npx -n '__fish_seen_subcommand_from table-search' -f -a '(__table_search)'
`;

export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH };

export type Shell = keyof typeof SCRIPTS;
