import { CommanderError } from 'commander';
import { endProcess } from './interrupts.ts';
import { commands, createProgram } from './create-program.ts';

let exitCode = 0;
const program = createProgram((code) => {
  exitCode = code;
});

// Node.js would print the line of the bundle with the fault, which is all of it.
const onFault = (fault: unknown) => {
  // A command that survives the faults of targets has a listener of its own.
  if (process.listenerCount('uncaughtException') > 1) return;
  void exitCodeAfter(fault).then(endProcess);
};
process.on('uncaughtException', onFault);

try {
  await program.parseAsync(withoutHelp(process.argv.slice(2)), { from: 'user' });
} catch (error) {
  exitCode = await exitCodeAfter(error);
}
// The command is over once its result is printed, even if a target has left timers or sockets open.
process.off('uncaughtException', onFault);
endProcess(exitCode);

/** Returns `nix` for `help nix`, so that it is answered as any unknown command is, with the one that is near. */
function withoutHelp(args: string[]): string[] {
  const [first, second = '-'] = args;
  const isKnown = second.startsWith('-') || program.commands.some((command) => command.name() === second);
  return first === 'help' && !isKnown ? args.slice(1) : args;
}

/** Prints an error unless commander has already answered, and returns the exit code. */
async function exitCodeAfter(error: unknown): Promise<number> {
  const args = process.argv.slice(2);
  const isJson = args.includes('--json');
  if (error instanceof CommanderError && isAnswered(error)) return error.exitCode === 0 ? 0 : 4;
  // Loaded only when needed: its tables take as long to load as everything that `--help` needs.
  const { explainUsage, printError } = await import('./print-error.ts');
  if (!(error instanceof CommanderError)) return await printError(error, isJson);
  return await printError(explainUsage(error, args, Object.values(commands).flat()), isJson);
}

/** Returns whether commander has printed what was requested, such as `--help`. */
function isAnswered(error: CommanderError): boolean {
  return error.code === 'commander.help' || error.exitCode === 0;
}
