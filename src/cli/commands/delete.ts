import { defineCommand } from '../program/define-command.ts';
import { argument } from '../program/input.ts';
import { json, store, yes } from '../program/shared-inputs.ts';

/** `touchstone delete RUN…`: removes runs with all their records. */
export const deleteRuns = defineCommand({
  name: 'delete',
  summary: 'remove runs permanently',
  description: 'Removes runs permanently, with all their records. Asks first, unless you pass --yes.',
  inputs: {
    runs: argument('<run...>', 'runs: ids, or their first or last characters; baselines, or names of runs'),
    yes,
    json,
    store,
  },
  help: `
Examples:
  $ touchstone delete dwwq                          asks first
  $ touchstone delete 20260102-030405-dwwq --yes    for scripts; \`touchstone export\` keeps a copy`,
  run: async (input, output) => {
    const records = await import('../../library/api/records.ts');
    const { formatPlural } = await import('../../look/report/format.ts');
    const { confirm } = await import('../confirm.ts');
    // Labels outlive their run, since they hold for the same answers in other runs; but the answers can no longer be shown.
    const sayKept = (labels: number) => {
      if (labels > 0)
        console.error(
          `${formatPlural(labels, 'label')} of these answers by people stay in the store; items that are not labelled yet can no longer be.`,
        );
    };
    const { deleted, labelsKept } = await records.removeRuns(input.runs, {
      store: input.store,
      confirm: async (runs, labels) => {
        if (input.yes === true) return;
        sayKept(labels);
        const what = runs
          .map(({ id, dataset }) => `${id} (${formatPlural(dataset.cases, 'question')})`)
          .join(', ');
        await confirm({
          question: `Delete ${what} permanently?`,
          unasked: `Deleting cannot be undone: ${what}.`,
          remedy: 'Confirm with `--yes`. To keep a copy first: `touchstone export`.',
          refused: 'Nothing was deleted.',
        });
      },
    });
    await output.print(input.json, { deleted, labelsKept }, () => `Deleted ${deleted.join(', ')}.\n`);
    sayKept(labelsKept);
    return 0;
  },
});
