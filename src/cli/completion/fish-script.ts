import type { CommandWords, FlagWords, ValueWords } from './command-words.ts';

/** The script by which fish completes, from version 3.0 on. */
export function fishScript(commands: readonly CommandWords[]): string {
  const names = commands.map(({ name }) => name).filter((name) => name !== '');
  return `# Completes touchstone in fish: touchstone completion fish > ~/.config/fish/completions/touchstone.fish
function __touchstone_in
    set -l command
    for word in (commandline -opc)[2..-1]
        if contains -- "$command $word" ${names.map((name) => quoted(`${name.includes(' ') ? '' : ' '}${name}`)).join(' ')}
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
  const start = `complete -c touchstone -n ${quoted(`__touchstone_in ${name}`.trim())}`;
  return [
    ...commands.map((each) => `${start} -a ${quoted(each.name)} -d ${quoted(each.description)}`),
    ...flags.map((flag) => `${start} ${flagOf(flag)} -d ${quoted(flag.description)}`),
    // Of several operands all are offered at each place.
    ...operands.flatMap((operand) => valuesOf(operand).map((value) => `${start} ${value}`)),
  ];
}

function flagOf({ names, value }: FlagWords): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  if (value === undefined) return flags.join(' ');
  return [...flags, value.takesFiles ? '-r' : '-x', ...valuesOf(value)].join(' ');
}

function valuesOf({ words, takesFiles, takesFolders }: ValueWords): string[] {
  const listed = words.length === 0 ? [] : [`-a ${quoted(words.join(' '))}`];
  const folders = takesFolders ? ["-a '(__fish_complete_directories)'"] : [];
  return [...listed, ...folders, ...(takesFiles ? ['-F'] : [])];
}

/** A text as one word of fish. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
