import { defineCommand } from '../program/define-command.ts';
import { flag } from '../program/input.ts';
import { json, store } from '../program/shared-inputs.ts';

/** `touchstone check`: the faults of a store, and what killed processes left. */
export const check = defineCommand({
  name: 'check',
  summary: 'look for damage in the store',
  description:
    'Looks through the store for records and files that are damaged or missing, totals that do not add up, and files that killed processes left.',
  inputs: { json, store, clean: flag('remove the files that killed processes left') },
  help: `
Examples:
  $ touchstone check                                the store here
  $ touchstone check --store other/.touchstone --json
  $ touchstone check --clean                        and remove what killed processes left

Compares every record with its checksum, and the summary of every run with its records. A process
that is killed can leave half of a file that it was writing (NAME.….part), temporary files, and
pictures that no run names. They are listed once nothing has been written to them for an hour, and
\`--clean\` removes them. The exit code is 0 when the store is intact and 2 when it is damaged.`,
  run: async (flags, output) => {
    const { checkStore } = await import('../../library/api/project/check-store.ts');
    const { checkText } = await import('../texts/store-check.ts');
    const found = await checkStore({ store: flags.store, clean: flags.clean });
    await output.print(flags.json, found, () => checkText(found));
    return found.isWhole ? 0 : 2;
  },
});
