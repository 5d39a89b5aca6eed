import { TouchstoneError } from '../../core/errors.ts';
import type { Output } from '../output.ts';
import { defineCommand } from '../program/define-command.ts';
import { flag, type InputOf, parsed, repeated } from '../program/input.ts';
import { wholeNumber } from '../program/parse-option.ts';
import { json, store } from '../program/shared-inputs.ts';

const inputs = {
  filter: repeated('<expr>', 'only some runs: tag=prompt=v7, name=release-*, decision=fail; may be repeated'),
  limit: parsed('<n>', 'only the newest n runs', wholeNumber(1)),
  watch: flag('show the progress of active runs until Ctrl-C'),
  json,
  store,
};

/** `touchstone runs`: the stored runs, the newest first. With `--watch`, again whenever the list changes. */
export const runs = defineCommand({
  name: 'runs',
  summary: 'list the stored runs',
  description: 'Lists the stored runs, the newest first.',
  inputs,
  help: `
Examples:
  $ touchstone runs --limit 10
  $ touchstone runs --filter tag=prompt=v7          also by name, status, dataset, target,
                                                    branch, commit, decision, description
  $ touchstone runs --watch                         the progress of active runs
  $ touchstone runs --json | jq -r '.[].id'`,
  run: async (input, output) => {
    if (input.watch === true) return await watchRuns(input, output);
    const { withStore } = await import('../../library/api/open-store.ts');
    const { listRunHeads, listRunStates, withTrueStatus } = await import('../../look/queries/runs.ts');
    const { formatRunList } = await import('../../look/reporters/run-list.ts');
    const { limit, filter: where } = input;
    return await withStore({ store: input.store }, async (opened) => {
      // The document has the whole records; the list is made of their heads.
      if (input.json === true)
        await output.print(
          true,
          (await listRunStates(opened, { limit, where })).map(withTrueStatus),
          () => '',
        );
      else {
        const listed = await listRunHeads(opened, { limit, where });
        const isNone =
          listed.length === 0 && where !== undefined && (await listRunHeads(opened, { limit: 1 })).length > 0;
        await output.write(isNone ? 'No run matches the filter.\n' : formatRunList(listed, output.view()));
      }
      return 0;
    });
  },
});

async function watchRuns(input: InputOf<typeof inputs>, output: Output): Promise<number> {
  if (input.json === true) {
    throw new TouchstoneError('usage-invalid', '`--watch` and `--json` cannot be used together.', {
      remedy: 'Leave out one of them; a program can call `touchstone runs --json` repeatedly.',
    });
  }
  const { watchRunList } = await import('../watch/watch-run-list.ts');
  return await watchRunList(input, output);
}
