import { quoteForShell } from '../lib/quote-for-shell.ts';
import type { ReportInput } from './report-input.ts';

/** The command that tells a run again, with flags; it names the store where it would not be found without. */
export function showCommand(
  { run, storeFolder }: Pick<ReportInput, 'run' | 'storeFolder'>,
  flags = '',
): string {
  const parts = ['touchstone show', run.id, flags];
  if (storeFolder !== undefined) parts.push(storeFlag(storeFolder));
  return parts.filter((part) => part !== '').join(' ');
}

/** The flag that names a store, as a shell takes it. */
export function storeFlag(storeFolder: string): string {
  return `--store ${quoteForShell(storeFolder)}`;
}
