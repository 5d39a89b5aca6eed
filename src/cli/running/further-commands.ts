import { quoteForShell } from '../../core/lib/text/quote-for-shell.ts';
import type { InputOf } from '../program/input.ts';
import type { runInputs } from '../program/shared-inputs.ts';

/**
 * Returns the command line that resumes a run: the one that began it, with the same options, and the run's id. It can
 * be pasted into a shell.
 * @param args - The arguments as typed, without the program's name.
 */
export function resumeCommand(args: readonly string[], runId: string): string {
  return writeCommand([...withoutFlags(args, ['--resume']), '--resume', runId]);
}

/**
 * Returns the command line that asks again only what did not pass, with the same options: the newest run is the one that has just
 * ended. Its name and its note are its own, and files keep the report of the whole.
 */
export function againCommand(args: readonly string[]): string {
  return writeCommand([
    ...withoutFlags(args, ['--resume', '--failed', '--name', '--note', '--output']),
    '--failed',
  ]);
}

/**
 * Returns the arguments that ask questions of the same set in the same way: without a selection of them, limits of the run, its
 * name and its files. Undefined for questions from standard input, which are gone.
 * @param config - The config as it was named on the command line.
 */
export function askingArguments(
  config: string | undefined,
  flags: Partial<InputOf<typeof runInputs>>,
): string[] | undefined {
  const { dataset = [], datasetFormat, metadata = [], passes } = flags;
  if (dataset.includes('-')) return undefined;
  return [
    'run',
    ...(config === undefined ? [] : [config]),
    ...dataset.flatMap((file) => ['--dataset', file]),
    ...valueOf('--dataset-format', datasetFormat),
    ...(metadata.length === 0 ? [] : ['--metadata', ...metadata]),
    ...(flags.skipDuplicates === true ? ['--skip-duplicates'] : []),
    ...(flags.allowPrivate === true ? ['--allow-private'] : []),
    ...valueOf('--attempts', flags.attempts),
    ...valueOf('--passes', passes),
    ...(flags.curtail === false ? ['--no-curtail'] : []),
    ...valueOf('--judge-samples', flags.judgeSamples),
    ...(flags.faults ?? []).flatMap((kinds) => ['--faults', kinds]),
    ...(flags.perturb ?? []).flatMap((kinds) => ['--perturb', kinds]),
    ...valueOf('--concurrency', flags.concurrency),
    ...valueOf('--time-limit', flags.timeLimit),
  ];
}

function valueOf(flag: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [flag, String(value)];
}

/** Writes a command line that waits for its answers. */
function writeCommand(args: readonly string[]): string {
  return ['touchstone', ...args.filter((arg) => arg !== '--detach')]
    .map((word) => quoteForShell(word))
    .join(' ');
}

/** Returns arguments without some flags and what follows them. */
function withoutFlags(args: readonly string[], flags: readonly string[]): string[] {
  const isFlag = (arg: string | undefined) => flags.some((flag) => arg === flag);
  const isOfFlag = (arg: string, previous: string | undefined) =>
    isFlag(arg.split('=', 1)[0]) || (isFlag(previous) && !arg.startsWith('-'));
  return args.filter((arg, index) => !isOfFlag(arg, args[index - 1]));
}
