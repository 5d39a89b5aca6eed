import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { Damage } from '../../stores/store.ts';

/** Lists the faults of a store, and what to save. */
export function damageText(damages: readonly Damage[]): string {
  if (damages.length === 0) return 'The store is intact: every record is as it was written.\n';
  const lines = damages.map(({ runId, what }) => `  ${runId === undefined ? '' : `run ${runId}: `}${what}`);
  const remedy =
    'Save the intact records of a run: touchstone export RUN --salvage --output FILE\n' +
    'Save the intact labels: touchstone labels export FILE --salvage';
  return `The store is damaged:\n${lines.map(toTerminalText).join('\n')}\n${remedy}\n`;
}
