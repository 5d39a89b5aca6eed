import type { CommandWords } from './command-words.ts';
import { shellTables } from './shell-tables.ts';

/** The script by which zsh completes: to be sourced, or a file `_touchstone` in a folder of `fpath`. */
export function zshScript(commands: readonly CommandWords[]): string {
  return `#compdef touchstone
# Completes touchstone in zsh: source <(touchstone completion zsh), after compinit
${shellTables(commands)}
_touchstone_add() {
  local word
  for word in \${=1}; do
    case "$word" in
      @anything) _message value ;;
      @files) _files ;;
      @folders) _files -/ ;;
      *) compadd -- "$word" ;;
    esac
  done
}
_touchstone() {
  local command operands pending
  local -a found
  _touchstone_read "\${(@)words[2,CURRENT-1]}"
  if [[ "$PREFIX" == --*=* ]]; then
    pending="\${PREFIX%%=*}"
    compset -P '*='
  fi
  if [[ "$PREFIX" == -* ]]; then
    found=("\${(@f)$(_touchstone_flags "$command")}")
    _describe -o option found
  elif [[ -n "$pending" ]]; then
    _touchstone_add "$(_touchstone_value "$command" "$pending")"
  else
    found=("\${(@f)$(_touchstone_commands "$command")}")
    if [[ -n "$found" ]]; then _describe command found; fi
    _touchstone_add "$(_touchstone_operand "$command" "$operands")"
  fi
}
if [[ "$funcstack[1]" == _touchstone ]]; then
  _touchstone "$@"
else
  compdef _touchstone touchstone
fi
`;
}
