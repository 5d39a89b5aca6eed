import { jsonDocument } from '../../core/lib/objects.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { checkStore } from '../../evaluate/run/record/salvage.ts';
import type { Damage } from '../../stores/store.ts';
import { openStore } from '../open-store.ts';
import { claimStdout } from '../output.ts';

/** The exit code for a damaged store. */
export const damagedCode = 2;

/** Runs `touchstone check`: lists the faults of a store. Returns the exit code. */
export async function checkCommand(flags: { store?: string; json?: boolean }): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const damages = await Array.fromAsync(checkStore(store));
    const isWhole = damages.length === 0;
    await output.write(flags.json === true ? jsonDocument({ isWhole, damages }) : describeDamages(damages));
    return isWhole ? 0 : damagedCode;
  } finally {
    await store.close();
  }
}

function describeDamages(damages: readonly Damage[]): string {
  if (damages.length === 0) return 'The store is intact: every record is as it was written.\n';
  const lines = damages.map(({ runId, what }) => `  ${runId === undefined ? '' : `run ${runId}: `}${what}`);
  const remedy =
    'Save the intact records of a run: touchstone export RUN --salvage --output FILE\n' +
    'Save the intact labels: touchstone labels export FILE --salvage';
  return `The store is damaged:\n${lines.map(toTerminalText).join('\n')}\n${remedy}\n`;
}
