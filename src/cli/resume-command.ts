import { quoteForShell } from '../lib/quote-for-shell.ts';

/**
 * The command line that goes on with a run: the one that began it, with the same choices, and the run's id. It can be
 * pasted into a shell.
 * @param args - The command line as it was typed, without the program's name.
 */
export function resumeCommand(args: readonly string[], runId: string): string {
  const kept = args.filter((arg, index) => !isAboutResuming(arg, args[index - 1]));
  return ['touchstone', ...kept, '--resume', runId].map(quoteForShell).join(' ');
}

/** `--resume` itself, or the run that follows it: what begins like a run's id. */
function isAboutResuming(arg: string, previous: string | undefined): boolean {
  return (
    arg === '--resume' || arg.startsWith('--resume=') || (previous === '--resume' && !arg.startsWith('-'))
  );
}
