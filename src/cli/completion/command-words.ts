import type { Argument, Command, Option } from 'commander';

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
