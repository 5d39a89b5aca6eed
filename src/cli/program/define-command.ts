import { type Command, Argument } from 'commander';
import type { Output } from '../output.ts';
import { type InputOf, type Inputs, toOptions } from './input.ts';

/** A function that receives the exit code of the executed command. */
export type ExitWith = (exitCode: number) => void;

/** A command as its file declares it. What it needs to run is imported by `run`, so that `--help` of all commands stays fast. */
interface CommandDeclaration<Declared extends Inputs> {
  readonly name: string;
  /** A line for the list of commands; the description by default. */
  readonly summary?: string;
  readonly description: string;
  readonly inputs?: Declared;
  /** The end of the help, below the options: examples, then all else there is to know. */
  readonly help?: string;
  /** Commands of its own, such as `baseline set`. */
  readonly commands?: readonly DefinedCommand[];
  /** Runs the command, with standard output reserved for its result, and returns the exit code. */
  readonly run?: (input: InputOf<Declared>, output: Output, command: Command) => Promise<number>;
}

/** A command that can be added to the command line. */
export interface DefinedCommand {
  readonly name: string;
  readonly help: string;
  addTo(parent: Command, exitWith: ExitWith): void;
}

/** Defines a command. */
export function defineCommand<Declared extends Inputs>(
  declaration: CommandDeclaration<Declared>,
): DefinedCommand {
  const { name, help = '' } = declaration;
  return { name, help, addTo: (parent, exitWith) => addCommand(declaration, parent, exitWith) };
}

function addCommand<Declared extends Inputs>(
  { name, summary, description, inputs, help, commands = [], run }: CommandDeclaration<Declared>,
  parent: Command,
  exitWith: ExitWith,
): void {
  const command = parent.command(name).description(description);
  if (summary !== undefined) command.summary(summary);
  const named = Object.entries(inputs ?? {});
  for (const [key, input] of named) {
    const { isArgument, syntax, meaning, choices, fallback } = input.parts;
    if (isArgument !== true) for (const option of toOptions(key, input)) command.addOption(option);
    else {
      const argument = new Argument(syntax, meaning).default(fallback);
      command.addArgument(choices === undefined ? argument : argument.choices(choices));
    }
  }
  if (help !== undefined) command.addHelpText('after', help);
  for (const each of commands) each.addTo(command, exitWith);
  if (run === undefined) return;
  const places = named.filter(([, { parts }]) => parts.isArgument === true).map(([key]) => key);
  command.action(async (...given: unknown[]) => {
    const { claimStdout } = await import('../output.ts');
    const values = Object.fromEntries(places.map((key, place) => [key, given[place]]));
    const input = { ...command.optsWithGlobals(), ...values } as InputOf<Declared>;
    exitWith(await run(input, claimStdout(), command));
  });
}
