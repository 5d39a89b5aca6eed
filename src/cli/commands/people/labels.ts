import { TouchstoneError } from '../../../core/errors.ts';
import { defineCommand } from '../../program/define-command.ts';
import { argument, flag, text } from '../../program/input.ts';
import { json, reviewTask, store } from '../../program/shared-inputs.ts';

const loadApi = async () => await import('../../../library/api/labels.ts');

const format = text('<format>', 'the format of the file')
  .oneOf(['jsonl', 'label-studio', 'argilla'])
  .default('jsonl');

const write = defineCommand({
  name: 'export',
  description: 'Writes rubrics, review tasks and labels to a file.',
  inputs: {
    file: argument('<file>', 'such as labels.jsonl; `-` is standard output'),
    format,
    task: text('<task>', `only the labels of one review task: ${reviewTask}`),
    salvage: flag('for a damaged store: write the intact labels, and list the others'),
    store,
  },
  run: async ({ format: form, task, ...input }, output) => {
    const { exportLabels } = await loadApi();
    const { writeRecords } = await import('../../write-records.ts');
    const read = (source: object) => exportLabels({ ...source, format: form, task });
    return await writeRecords(read, { ...input, what: 'labels', output });
  },
});

const add = defineCommand({
  name: 'import',
  summary: 'Adds the labels of a file to the store.',
  description: 'Adds the labels of a file to the store: all of them, or none if one cannot be used.',
  inputs: {
    file: argument('<file>', 'such as labels.jsonl; `-` is standard input'),
    format,
    task: text('<task>', `for labels from other tools: the review task that they belong to: ${reviewTask}`),
    blind: flag(
      "for labels from other tools: you confirm that people there saw neither the verdicts of a judge nor each other's labels; without it, these labels do not count towards a certificate",
    ),
    by: text('<name>', 'with --blind: who confirms it (default: the name in git)'),
    json,
    store,
  },
  run: async ({ file, blind, by, json: isJson, ...choice }, output) => {
    const { importLabels } = await loadApi();
    const { withWritableStore } = await import('../../../library/api/open-store.ts');
    const { describeImport } = await import('../../texts/labels.ts');
    const isForeign = choice.format !== 'jsonl';
    const report = await withWritableStore({ store: choice.store }, async (opened) => {
      const blindSaidBy = blind === true && isForeign ? await findPerson(by) : undefined;
      const added = await importLabels(file, { ...choice, blindSaidBy, store: opened });
      return { ...added, isBlindUnknown: isForeign && blindSaidBy === undefined };
    });
    const { isBlindUnknown, ...counts } = report;
    return await output.print(isJson, counts, () => describeImport(counts, isBlindUnknown));
  },
});

async function findPerson(by: string | undefined): Promise<string> {
  const { readGitPerson } = await import('../../git-person.ts');
  const person = by ?? (await readGitPerson(process.cwd()));
  if (person !== undefined) return person;
  throw new TouchstoneError('usage-invalid', 'No person is named who states that the labels are blind.', {
    remedy: 'Name a person with `--by`, or set `user.name` of git.',
  });
}

const sameMeaning = defineCommand({
  name: 'same-meaning',
  summary: 'Declares two versions of a rubric equal in meaning.',
  description:
    'Declares that two versions of a rubric mean the same, so that labels for one count for the other; without versions, lists the versions.',
  inputs: {
    rubric: argument('<rubric>', 'the id of the rubric'),
    versions: argument('[versions...]', 'two versions, or their first characters'),
    by: text('<name>', 'who declares it (default: the name in git)'),
    note: text('<text>', 'a note'),
    json,
    store,
  },
  run: async ({ rubric, versions, by, note, ...input }, output) => {
    const { readRubricVersions, stateSameMeaning } = await loadApi();
    const { withStore } = await import('../../../library/api/open-store.ts');
    const { readGitPerson } = await import('../../git-person.ts');
    const { describeVersions } = await import('../../texts/labels.ts');
    return await withStore({ store: input.store }, async (opened) => {
      const [one, other, ...rest] = versions;
      if (one !== undefined) {
        if (other === undefined || rest.length > 0)
          throw new TouchstoneError(
            'usage-invalid',
            'Two versions mean the same, or none is named to list them.',
          );
        const person = by ?? (await readGitPerson(process.cwd()));
        if (person === undefined)
          throw new TouchstoneError('usage-invalid', 'A person states it: name one with `--by NAME`.');
        const statement = { rubric, versions: [one, other] as const, person, note };
        const isNew = await stateSameMeaning(statement, { store: opened });
        console.error(isNew ? 'Labels of one count for the other from now on.' : 'This was stated before.');
      }
      return await output.print(
        input.json,
        await readRubricVersions(rubric, { store: opened }),
        describeVersions,
      );
    });
  },
});

/** `touchstone labels`: people's labels in files. */
export const labels = defineCommand({
  name: 'labels',
  summary: "export people's labels to a file for git, or import them",
  description:
    "Exports and imports people's labels: as JSONL for git, without loss, or as Label Studio tasks or Argilla records.",
  help: `
Examples:
  $ touchstone labels export labels.jsonl                all labels, to commit
  $ touchstone labels import labels.jsonl                other people's; skips stored ones
  $ touchstone labels export tasks.json --task latest --format label-studio
  $ touchstone labels import project.json --task latest --format label-studio`,
  commands: [write, add, sameMeaning],
});
