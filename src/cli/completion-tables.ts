import type { Argument, Command, Option } from 'commander';

/** What stands for files, folders and anything at all among the words of a value. */
const markOf = { files: '@files', folders: '@folders', anything: '@anything' };

/**
 * Functions for bash and zsh that print what a command has: its commands and flags as `name:description`, and the words of
 * a value; and one that reads the words of a line up to the cursor.
 */
export function shellTables(commands: readonly CommandWords[]): string {
  const listed = commands.map((command) => ({
    name: quoted(command.name),
    subcommands: command.commands.map(({ name, description }) => quoted(`${name}:${description}`)),
    flags: command.flags.flatMap(({ names, description }) =>
      names.map((name) => quoted(`${name}:${description}`)),
    ),
  }));
  const values = commands.flatMap(({ name, flags }) =>
    flags.flatMap(({ names, value }) =>
      value === undefined ? [] : names.map((flag) => [quoted(`${name} ${flag}`), value] as const),
    ),
  );
  const operands = commands.flatMap(({ name, operands: own }) =>
    own.map((operand, place) => {
      const pattern = operand.isRepeated ? `${quoted(`${name} `)}*` : quoted(`${name} ${place}`);
      return [pattern, operand] as const;
    }),
  );
  return [
    table(
      '_touchstone_commands',
      '$1',
      listed.map(({ name, subcommands }) => [name, printed(subcommands)]),
    ),
    table(
      '_touchstone_flags',
      '$1',
      listed.map(({ name, flags }) => [name, printed(flags)]),
    ),
    table(
      '_touchstone_value',
      '$1 $2',
      values.map(([pattern, value]) => [pattern, printed([wordsOf(value)])]),
    ),
    table(
      '_touchstone_operand',
      '$1 $2',
      operands.map(([pattern, value]) => [pattern, printed([wordsOf(value)])]),
    ),
    reader,
  ].join('\n');
}

function table(name: string, subject: string, rows: readonly (readonly [string, string])[]): string {
  const cases = rows.filter(([, body]) => body !== '').map(([pattern, body]) => `    ${pattern}) ${body} ;;`);
  return [`${name}() {`, `  case "${subject}" in`, ...cases, '  esac', '}'].join('\n');
}

function printed(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `printf '%s\\n' ${lines.join(' ')}`;
}

function wordsOf({ words, takesFiles, takesFolders }: ValueWords): string {
  const all = [...words, ...(takesFiles ? [markOf.files] : []), ...(takesFolders ? [markOf.folders] : [])];
  return quoted(all.length === 0 ? markOf.anything : all.join(' '));
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Sets `command`, `operands` (how many there are) and `pending` (the flag whose value comes next). */
const reader = `_touchstone_read() {
  local word
  command='' operands=0 pending=''
  for word in "$@"; do
    case "$word" in
      =) ;;
      -*=*) pending='' ;;
      -*)
        pending=$word
        if [ -z "$(_touchstone_value "$command" "$word")" ]; then pending=''; fi
        ;;
      *)
        if [ -n "$pending" ]; then
          pending=''
        elif _touchstone_commands "$command" | cut -d : -f 1 | grep -qxF -e "$word"; then
          command="\${command:+$command }$word"
        else
          operands=$((operands + 1))
        fi
        ;;
    esac
  done
}`;

/** What can stand where a value is expected; none of it for a value that only the user knows. */
export interface ValueWords {
  readonly words: readonly string[];
  readonly takesFiles: boolean;
  readonly takesFolders: boolean;
}

/** A flag with all its names, and what follows it; undefined for a switch. */
export interface FlagWords {
  readonly names: readonly string[];
  readonly description: string;
  readonly value: ValueWords | undefined;
}

/** One command as shells complete it. */
export interface CommandWords {
  /** Such as `baseline set`; empty for what stands before every command. */
  readonly name: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly flags: readonly FlagWords[];
  /** In their order. */
  readonly operands: readonly (ValueWords & { readonly isRepeated: boolean })[];
}

/** Reads from the definitions of a program what there is to complete: the program itself, then each command. */
export function readCommandWords(command: Command, name = ''): CommandWords[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((each) => command.commands.includes(each));
  const own: CommandWords = {
    name,
    commands: commands.map((each) => ({
      name: each.name(),
      description: each.summary() || each.description(),
    })),
    flags: help.visibleOptions(command).map(flagWords),
    operands: command.registeredArguments.map((operand) => ({
      ...valueWords(operand.name(), operand),
      isRepeated: operand.variadic,
    })),
  };
  return [own, ...commands.flatMap((each) => readCommandWords(each, `${name} ${each.name()}`.trim()))];
}

function flagWords(option: Option): FlagWords {
  const names = [option.short, option.long].filter((each) => each !== undefined);
  const [, value] = /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(option.flags) ?? [];
  return {
    names,
    description: option.description,
    value: value === undefined ? undefined : valueWords(value, option),
  };
}

/** The name of a value says what it is: `file`, `folder`, `config`, `run`, or several of them as `name|file`. */
function valueWords(name: string, { argChoices = [] }: Pick<Argument | Option, 'argChoices'>): ValueWords {
  const kinds = name.split('|');
  return {
    words: [...argChoices, ...(kinds.includes('run') ? ['latest', 'latest~1'] : [])],
    takesFiles: kinds.includes('file') || kinds.includes('config'),
    takesFolders: kinds.includes('folder'),
  };
}
