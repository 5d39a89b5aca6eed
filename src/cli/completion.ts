import type { Command } from 'commander';
import {
  type CommandWords,
  type FlagWords,
  readCommandWords,
  shellTables,
  type ValueWords,
} from './completion-tables.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Returns the script that completes a program's commands. */
export function completionScript(program: Command, shell: keyof typeof scripts): string {
  return scripts[shell](readCommandWords(program));
}

/** Returns the completion script for bash 3.2 or later. */
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
      "$2"*)
        COMPREPLY+=("$word")
        # A value follows the field of a filter at once.
        case "$word" in *=) compopt -o nospace 2>/dev/null ;; esac
        ;;
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

/** Returns the completion script for zsh, to be sourced or saved as `_touchstone` in a folder of `fpath`. */
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
      # A value follows the field of a filter at once.
      *=) compadd -S '' -- "$word" ;;
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

/** Returns the completion script for fish 3.0 or later. */
export function fishScript(commands: readonly CommandWords[]): string {
  const names = commands.map(({ name }) => name).filter((name) => name !== '');
  return `# Completes touchstone in fish: touchstone completion fish > ~/.config/fish/completions/touchstone.fish
function __touchstone_in
    set -l command
    for word in (commandline -opc)[2..-1]
        if contains -- "$command $word" ${names.map((name) => quoteForFish(`${name.includes(' ') ? '' : ' '}${name}`)).join(' ')}
            set command (string trim -- "$command $word")
        end
    end
    test "$command" = "$argv"
end
complete -c touchstone -f
${commands.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ name, commands, flags, operands }: CommandWords): string[] {
  const start = `complete -c touchstone -n ${quoteForFish(`__touchstone_in ${name}`.trim())}`;
  return [
    ...commands.map((each) => `${start} -a ${quoteForFish(each.name)} -d ${quoteForFish(each.description)}`),
    ...flags.map((flag) => `${start} ${flagOf(flag)} -d ${quoteForFish(flag.description)}`),
    // Fish does not know the place of an argument: the completions of all arguments are offered at each.
    ...operands.flatMap((operand) => valuesOf(operand).map((value) => `${start} ${value}`)),
  ];
}

function flagOf({ names, value }: FlagWords): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  if (value === undefined) return flags.join(' ');
  return [...flags, value.takesFiles ? '-r' : '-x', ...valuesOf(value)].join(' ');
}

function valuesOf({ words, takesFiles, takesFolders }: ValueWords): string[] {
  const listed = words.length === 0 ? [] : [`-a ${quoteForFish(words.join(' '))}`];
  const folders = takesFolders ? ["-a '(__fish_complete_directories)'"] : [];
  return [...listed, ...folders, ...(takesFiles ? ['-F'] : [])];
}

/** Quotes a text as one word for fish. */
function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
