import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import type { Run } from '../../../core/schema/run.ts';
import { pathWithin } from '../../../core/lib/files/path-within.ts';

/** The options that the recorded command line of a run may have. */
const knownOptions: ReadonlySet<string> = new Set([
  '--dataset',
  '--dataset-format',
  '--metadata',
  '--skip-duplicates',
  '--allow-private',
  '--attempts',
  '--passes',
  '--no-curtail',
  '--judge-samples',
  '--faults',
  '--perturb',
  '--concurrency',
  '--time-limit',
]);

/**
 * Refuses the recorded command line of a run that names a config or a dataset outside of a folder, or an option that Touchstone records for no
 * run: a run may be imported from someone else, and a config is code. Throws `asking-refused`.
 */
export function requireOwnCommand(
  { id, command = ['run'] }: Pick<Run, 'id' | 'command'>,
  folder: string,
): void {
  const [name, ...args] = command;
  const isOwn = args.every((arg, index) => {
    if (arg.startsWith('-')) return knownOptions.has(arg);
    const isPath = index === 0 || args[index - 1] === '--dataset';
    return !isPath || isWithin(arg, folder);
  });
  if (name === 'run' && isOwn) return;
  throw new TouchstoneError(
    'asking-refused',
    `The command line of run ${id} leads out of ${folder}, or is not one that Touchstone has recorded.`,
    { remedy: 'Look at the command, and type it in the folder of the project if it is yours.' },
  );
}

function isWithin(name: string, folder: string): boolean {
  return pathWithin(folder, path.resolve(folder, name)) !== undefined;
}
