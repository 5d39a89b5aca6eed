import { CommanderError } from 'commander';
import { endProcess } from './interrupts.ts';
import { createProgram } from './program/program.ts';

let exitCode = 0;
const program = createProgram((code) => {
  exitCode = code;
});

try {
  await program.parseAsync();
} catch (error) {
  exitCode = await exitCodeAfter(error);
}
// A target may have left timers or sockets behind: the command is over when its result is out.
endProcess(exitCode);

async function exitCodeAfter(error: unknown): Promise<number> {
  const args = process.argv.slice(2);
  const isJson = args.includes('--json');
  if (error instanceof CommanderError && isAnswered(error)) return error.exitCode === 0 ? 0 : 4;
  const { explainUsage, printError } = await import('./print-error.ts'); // Its tables take as long to load as all of `--help`.
  if (!(error instanceof CommanderError)) return await printError(error, isJson);
  const names = program.commands.map((command) => command.name());
  return await printError(explainUsage(error, args, names), isJson);
}

/** Whether commander has only shown what it was asked for, such as `--help`. */
function isAnswered(error: CommanderError): boolean {
  return error.code === 'commander.help' || error.exitCode === 0;
}
