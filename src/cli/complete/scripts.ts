/** The scripts by which shells ask for candidates. */

/**
 * bash takes `=` and `:` for the ends of words: what it is given back is what follows the last of
 * them. A word that goes on after one candidate is not ended by a space.
 */
const BASH = String.raw`# table-search: completion for bash
_table_search() {
  local line="${'$'}{COMP_LINE:0:COMP_POINT}" words cur done reply IFS=$' \t\n'
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=('')
  cur="${'$'}{words[-1]}"
  done="${'$'}{cur%"${'$'}{cur##*[=:]}"}"
  COMPREPLY=()
  while IFS=$'\t' read -r reply _; do
    COMPREPLY+=("${'$'}{reply#"$done"}")
  done < <("${'$'}{words[0]}" complete -- "${'$'}{words[@]:1}" 2>/dev/null)
  [[ ${'$'}{#COMPREPLY[@]} -eq 1 && "${'$'}{COMPREPLY[0]}" != *= ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _table_search table-search
`;

const ZSH = String.raw`#compdef table-search
# table-search: completion for zsh
_table_search() {
  local -a words_ meanings
  local word meaning
  while IFS=$'\t' read -r word meaning; do
    words_+=("$word")
    meanings+=("$word${'$'}{meaning:+  -- $meaning}")
  done < <("${'$'}{words[1]}" complete -- "${'$'}{(@)words[2,CURRENT]}" 2>/dev/null)
  if (( ${'$'}{#words_} )); then
    local -a suffix
    [[ ${'$'}{#words_} -gt 1 || "${'$'}{words_[1]}" == *= ]] && suffix=(-S '')
    compadd -Q "${'$'}{suffix[@]}" -l -d meanings -a words_
  else
    _files
  fi
}
if [[ "${'$'}{funcstack[1]}" == _table_search ]]; then _table_search "$@"; else compdef _table_search table-search; fi
`;

const FISH = `# table-search: completion for fish
function __table_search
  set -l typed (commandline -opc) (commandline -ct)
  $typed[1] complete -- $typed[2..-1] 2>/dev/null
end
complete -c table-search -f -a '(__table_search)'
complete -c table-search -s o -l out -r -F
`;

export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH };

export type Shell = keyof typeof SCRIPTS;
