import { defineCommand } from '../program/define-command.ts';
import { json, store } from '../program/shared-inputs.ts';

/** `touchstone check`: the faults of a store. */
export const check = defineCommand({
  name: 'check',
  summary: 'look for damage in the store',
  description:
    'Looks through the store for records and files that are damaged or missing, and totals that do not add up.',
  inputs: { json, store },
  help: `
Examples:
  $ touchstone check                                the store here
  $ touchstone check --store other/.touchstone --json

Compares every record with its checksum, and the summary of every run with its records. The exit
code is 0 when the store is intact and 2 when it is damaged.`,
  run: async (flags, output) => {
    const { withStore } = await import('../../library/api/open-store.ts');
    const { checkStore } = await import('../../evaluate/run/record/salvage.ts');
    const { memoryAddress } = await import('../../stores/memory.ts');
    const { damageText } = await import('../texts/damages.ts');
    const { damages, isThere } = await withStore({ store: flags.store }, async (opened) => ({
      damages: await Array.fromAsync(checkStore(opened)),
      isThere: opened.address !== memoryAddress,
    }));
    const isWhole = damages.length === 0;
    await output.print(flags.json, { isWhole, damages }, () =>
      isThere
        ? damageText(damages)
        : 'There is no store here yet, so nothing to check: `touchstone run` makes one.\n',
    );
    return isWhole ? 0 : 2;
  },
});
