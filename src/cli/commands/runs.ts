import { TouchstoneError } from '../../core/errors.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { Output } from '../output.ts';
import { defineCommand } from '../program/define-command.ts';
import { flag, inGroup, type InputOf, parsed, repeated, text } from '../program/input.ts';
import { tagChange, wholeNumber } from '../program/parse-option.ts';
import { json, store } from '../program/shared-inputs.ts';

const inputs = {
  filter: repeated('<expr>', 'only some runs: tag=prompt=v7, name=release-*, decision=fail; may be repeated'),
  limit: parsed('<n>', 'only the newest n runs', wholeNumber(1)),
  watch: flag('show the progress of active runs until Ctrl-C'),
  json,
  store,
  ...inGroup('To name a run afterwards:', {
    edit: text('<run>', 'change the name, the note or the tags of this run; its record stays as it is'),
    name: text('<name>', "the name to give it; '' removes it"),
    note: text('<text>', "the remark to show with it; '' removes it"),
    tag: parsed<Readonly<Record<string, string>>>(
      '<key=value>',
      'a tag to set; KEY= removes it; may be repeated',
      tagChange,
    ),
  }),
};

/** `touchstone runs`: the stored runs, the newest first. With `--watch`, again whenever the list changes. */
export const runs = defineCommand({
  name: 'runs',
  summary: 'list the stored runs, or name one',
  description: 'Lists the stored runs, the newest first; with --edit, names one of them.',
  inputs,
  help: `
Examples:
  $ touchstone runs --limit 10
  $ touchstone runs --filter tag=prompt=v7          also by name, note, status, dataset,
                                                    target, branch, commit, decision
  $ touchstone runs --watch                         the progress of active runs
  $ touchstone runs --edit latest --name prompt-v7 --note "shorter system prompt"
  $ touchstone runs --json | jq -r '.[].id'`,
  run: async (input, output) => {
    if (input.edit !== undefined) return await nameRun(input.edit, input, output);
    const misplaced = (['name', 'note', 'tag'] as const).find((each) => input[each] !== undefined);
    if (misplaced !== undefined)
      throw new TouchstoneError('usage-invalid', `\`--${misplaced}\` changes a run: it says not which.`, {
        remedy: `Name it: \`touchstone runs --edit latest --${misplaced} …\`; to list runs by it: \`--filter ${misplaced}=…\`.`,
      });
    if (input.watch === true) return await watchRuns(input, output);
    const { limit, filter, store: place } = input;
    if (input.json === true) {
      const { listRuns } = await import('../../library/api/records.ts');
      return await output.print(true, await listRuns({ limit, filter, store: place }), () => '');
    }
    const { withStore } = await import('../../library/api/open-store.ts');
    const { listRunHeads } = await import('../../look/queries/runs.ts');
    const { formatRunList } = await import('../../look/reporters/run-list.ts');
    return await withStore({ store: place }, async (opened) => {
      const listed = await listRunHeads(opened, { limit, where: filter });
      const isNone =
        listed.length === 0 && filter !== undefined && (await listRunHeads(opened, { limit: 1 })).length > 0;
      await output.write(isNone ? 'No run matches the filter.\n' : formatRunList(listed, output.view()));
      return 0;
    });
  },
});

/** Changes what a run is called, and prints it. */
async function nameRun(
  named: string,
  { name, note, tag, json: isJson, store: folder }: InputOf<typeof inputs>,
  output: Output,
): Promise<number> {
  if (name === undefined && note === undefined && tag === undefined)
    throw new TouchstoneError('usage-invalid', '`--edit` changes nothing without a name, a note or a tag.', {
      remedy: `Add one: \`touchstone runs --edit ${named} --name prompt-v7\`.`,
    });
  const { editRun } = await import('../../library/api/records.ts');
  const { readGitPerson } = await import('../git-person.ts');
  const by = await readGitPerson(process.cwd());
  const { run, label, notices } = await editRun(named, { name, note, tags: tag, by }, { store: folder });
  for (const notice of notices) process.stderr.write(`${toTerminalText(notice)}\n`);
  const facts = [
    label.name === undefined ? 'has no name' : `is called ${label.name}`,
    ...(label.note === undefined ? [] : [label.note]),
    ...Object.entries(label.tags ?? {}).map(([key, value]) => `${key}=${value}`),
  ];
  const said = `Run ${run} ${facts.join(' · ')}`;
  return await output.print(isJson, { run, ...label }, () => `${toTerminalText(said)}\n`);
}

async function watchRuns(input: InputOf<typeof inputs>, output: Output): Promise<number> {
  if (input.json === true) {
    throw new TouchstoneError('usage-invalid', '`--watch` and `--json` cannot be used together.', {
      remedy: 'Leave out one of them; a program can call `touchstone runs --json` repeatedly.',
    });
  }
  const { watchRunList } = await import('../watch/watch-run-list.ts');
  return await watchRunList(input, output);
}
