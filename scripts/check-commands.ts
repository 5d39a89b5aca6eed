/**
 * The commands of `touchstone` and the flags of each, `''` for none: `run` → `--dataset`, `-o`, `--output`, …; `review
 * create` → `--rubric`, …
 */
export type KnownCommands = ReadonlyMap<string, ReadonlySet<string>>;

/** Flags that work but are not shown by `--help`. */
const hiddenFlags = ['--eval-set'];

/** Reads the names of the subcommands and the flags from the output of `--help`. */
export function readHelp(help: string): { commands: string[]; flags: string[] } {
  // Commands and flags are in groups with headings of their own.
  const lines = indentedLines(help).filter(({ section }) => section !== 'Arguments');
  const commands = lines.flatMap(({ text }) => /^ {2}([a-z][\w-]*)/.exec(text)?.[1] ?? []);
  const flags = lines.flatMap(({ text }) => {
    const [, terms = ''] = /^ {2}(-.*?)(?: {2}|$)/.exec(text) ?? [];
    return Array.from(terms.matchAll(/(?:^|[ ,])(--?[\w-]+)/g), ([, flag = '']) => flag);
  });
  return { commands: commands.filter((name) => name !== 'help'), flags: [...flags, ...hiddenFlags] };
}

function indentedLines(help: string): { section: string; text: string }[] {
  let section = '';
  return help.split('\n').map((text) => {
    section = /^([A-Z][\w ,]*)[:?]/.exec(text)?.[1] ?? section;
    return { section, text };
  });
}

/** Returns what is wrong with the `touchstone …` commands in a line of shell, or of YAML with a `run:` in it. */
export function checkCommandLine(line: string, known: KnownCommands): string[] {
  return splitCommands(line).flatMap((words) => {
    const start = words.findIndex((word) => !isLeadIn(word));
    if (words[start] !== 'touchstone') return [];
    return checkWords(words.slice(start + 1), known);
  });
}

function checkWords(words: readonly string[], known: KnownCommands): string[] {
  const [first = '', second = ''] = words;
  if (/^[<[…]|^\.\.\./.test(first)) return [];
  const nested = `${first} ${second}`;
  const name = first.startsWith('-') ? '' : known.has(nested) ? nested : first;
  const flags = known.get(name);
  if (flags === undefined) return [`there is no command \`touchstone ${name}\``];
  return words
    .map((word) => word.replace(/^\[/, '').replace(/[=\]].*$/, ''))
    .filter((word) => /^--?[A-Za-z]/.test(word) && !flags.has(word))
    .map((flag) => `\`${['touchstone', name].join(' ').trim()}\` has no ${flag}`);
}

/** Returns whether a word is a prompt, an assignment or a program that starts another one. */
function isLeadIn(word: string): boolean {
  return ['$', '-', 'run:', 'npx', 'time'].includes(word) || /^[A-Z_]+=/.test(word);
}

/** Splits a line into commands as lists of words, without comments and the files of redirections. */
function splitCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [word] of line.matchAll(/"[^"]*"|'[^']*'|&&|\|\|?|;|(?:^|\s)#.*|[^\s;|"']+/g)) {
    if (word.trim().startsWith('#')) break;
    if (['&&', '|', '||', ';'].includes(word)) commands.push([]);
    else commands.at(-1)?.push(word);
  }
  return commands;
}
