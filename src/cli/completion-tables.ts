import type { Argument, Command, Option } from 'commander';
import { type FilterSubject, vocabularyOf } from '../core/lib/filter/fields.ts';

/** The markers that stand for files, folders and any text among the completions of a value. */
const markers = { files: '@files', folders: '@folders', anything: '@anything' };

/**
 * Returns shell functions for bash and zsh. They print the subcommands and flags of a command as `name:description`, print
 * the completions of a value, and parse the words of a line up to the cursor.
 */
export function shellTables(commands: readonly CommandWords[]): string {
  return [
    table('_touchstone_commands', '$1', commands.map(subcommandRow)),
    table('_touchstone_flags', '$1', commands.map(flagRow)),
    table('_touchstone_value', '$1 $2', commands.flatMap(valueRows)),
    table('_touchstone_operand', '$1 $2', commands.flatMap(operandRows)),
    reader,
  ].join('\n');
}

/** A row of a shell function: a pattern of `case`, and the command that prints the completions; empty for none. */
type TableRow = readonly [pattern: string, body: string];

function subcommandRow({ name, commands }: CommandWords): TableRow {
  return [quoteWord(name), printed(commands.map((each) => quoteWord(`${each.name}:${each.description}`)))];
}

function flagRow({ name, flags }: CommandWords): TableRow {
  const lines = flags.flatMap(({ names, description }) =>
    names.map((flag) => quoteWord(`${flag}:${description}`)),
  );
  return [quoteWord(name), printed(lines)];
}

function valueRows({ name, flags }: CommandWords): TableRow[] {
  return flags.flatMap(({ names, value }) =>
    value === undefined
      ? []
      : names.map((flag): TableRow => [quoteWord(`${name} ${flag}`), printed([wordsOf(value)])]),
  );
}

function operandRows({ name, operands }: CommandWords): TableRow[] {
  return operands.map((operand, place) => {
    const pattern = operand.isRepeated ? `${quoteWord(`${name} `)}*` : quoteWord(`${name} ${place}`);
    return [pattern, printed([wordsOf(operand)])];
  });
}

function table(name: string, subject: string, rows: readonly TableRow[]): string {
  const cases = rows.filter(([, body]) => body !== '').map(([pattern, body]) => `    ${pattern}) ${body} ;;`);
  return [`${name}() {`, `  case "${subject}" in`, ...cases, '  esac', '}'].join('\n');
}

function printed(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `printf '%s\\n' ${lines.join(' ')}`;
}

function wordsOf({ words, takesFiles, takesFolders }: ValueWords): string {
  const all = [...words, ...(takesFiles ? [markers.files] : []), ...(takesFolders ? [markers.folders] : [])];
  return quoteWord(all.length === 0 ? markers.anything : all.join(' '));
}

/** Quotes a text as one word for bash and zsh. */
function quoteWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The shell function that sets `command`, `operands` (their number) and `pending` (the flag whose value comes next). */
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

/** The completions of a value; all empty for a value that only the user knows. */
export interface ValueWords {
  readonly words: readonly string[];
  readonly takesFiles: boolean;
  readonly takesFolders: boolean;
}

/** A flag with all its names and its value, which is undefined for a switch. */
export interface FlagWords {
  readonly names: readonly string[];
  readonly description: string;
  readonly value: ValueWords | undefined;
}

/** The completions of one command. */
export interface CommandWords {
  /** The full name, such as `baseline set`; empty for the program itself. */
  readonly name: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly flags: readonly FlagWords[];
  /** The arguments in order. */
  readonly operands: readonly (ValueWords & { readonly isRepeated: boolean })[];
}

/** Reads the completions from the definitions of a program: first for the program itself, then for each command. */
export function readCommandWords(command: Command, name = ''): CommandWords[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((each) => command.commands.includes(each));
  const own: CommandWords = {
    name,
    commands: commands.map((each) => ({
      name: each.name(),
      description: each.summary() || each.description(),
    })),
    flags: help.visibleOptions(command).map((option) => flagWords(option, name)),
    operands: command.registeredArguments.map((operand) => ({
      ...valueWords(operand.name(), operand, name),
      isRepeated: operand.variadic,
    })),
  };
  return [own, ...commands.flatMap((each) => readCommandWords(each, `${name} ${each.name()}`.trim()))];
}

/** The subjects of the filters of commands, where they are not the questions of a dataset. */
const filtered: Readonly<Record<string, FilterSubject>> = {
  show: 'trial',
  'review create': 'trial',
  runs: 'run',
  matrix: 'matrix',
};

/** Returns the beginnings of the terms of a command's filter: its fields; metrics and metadata differ from run to run. */
function filterTerms(command: string): string[] {
  return vocabularyOf(filtered[command] ?? 'case').fields.map(({ name }) => `${name}=`);
}

function flagWords(option: Option, command: string): FlagWords {
  const names = [option.short, option.long].filter((each) => each !== undefined);
  const [, value] = /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(option.flags) ?? [];
  return {
    names,
    description: option.description,
    value: value === undefined ? undefined : valueWords(value, option, command),
  };
}

/** Derives the completions of a value from its name: `file`, `folder`, `config`, `run`, `expr` of a filter, or several as in `name|file`. */
function valueWords(
  name: string,
  { argChoices = [] }: Pick<Argument | Option, 'argChoices'>,
  command: string,
): ValueWords {
  const kinds = name.split('|');
  return {
    words: [
      ...argChoices,
      ...(kinds.includes('run') ? ['latest', 'latest~1'] : []),
      ...(kinds.includes('expr') ? filterTerms(command) : []),
    ],
    takesFiles: kinds.includes('file') || kinds.includes('config'),
    takesFolders: kinds.includes('folder'),
  };
}
