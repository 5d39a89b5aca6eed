import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { RetainedProject } from '../../privacy/retention/apply-retention.ts';
import { retainedKinds } from '../../privacy/retention/settings.ts';

/** Says how long a project keeps each kind of record. */
export function describeDays(project: string, days: RetainedProject['days']): string {
  const times = retainedKinds.map(
    (kind) => `${kind} ${days[kind] === null ? 'for ever' : `${days[kind]} days`}`,
  );
  return `${project} keeps ${times.join(', ')}.`;
}

/** Says what was removed from a project, or would be. */
export function describeRetained({ project, days, removed, kept }: RetainedProject, isDry: boolean): string {
  const counts = Object.entries(removed)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind === 'audit' ? 'entries of the audit log' : kind}`);
  return [
    describeDays(project, days),
    `${isDry ? 'Would remove' : 'Removed'} ${counts.length === 0 ? 'nothing' : counts.join(', ')}.`,
    ...kept.map(({ run, why }) => `  kept ${toTerminalText(run)}: ${toTerminalText(why)}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}
