import type { CommandWords } from './command-words.ts';
import { shellTables } from './shell-tables.ts';

/** The script by which bash completes, from version 3.2 on. */
export function bashScript(commands: readonly CommandWords[]): string {
  return `# Completes touchstone in bash: source <(touchstone completion bash)
${shellTables(commands)}
_touchstone_add() {
  local word found
  for word in $1; do
    case "$word" in
      @anything) ;;
      @files | @folders)
        compopt -o filenames 2>/dev/null
        while IFS= read -r found; do
          COMPREPLY+=("$found")
        done < <(if [ "$word" = @files ]; then compgen -f -- "$2"; else compgen -d -- "$2"; fi)
        ;;
      "$2"*) COMPREPLY+=("$word") ;;
    esac
  done
}
_touchstone() {
  local command operands pending current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  # The words of --store=folder are three.
  if [ "$current" = = ]; then current=''; fi
  _touchstone_read "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  if [[ "$current" == -* ]]; then
    _touchstone_add "$(_touchstone_flags "$command" | cut -d : -f 1)" "$current"
  elif [ -n "$pending" ]; then
    _touchstone_add "$(_touchstone_value "$command" "$pending")" "$current"
  else
    _touchstone_add "$(_touchstone_commands "$command" | cut -d : -f 1)" "$current"
    _touchstone_add "$(_touchstone_operand "$command" "$operands")" "$current"
  fi
}
complete -F _touchstone touchstone
`;
}
