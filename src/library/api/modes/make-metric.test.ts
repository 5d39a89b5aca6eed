import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { buildLabel } from '../../../../test/support/build-labels.ts';
import { storeReviewTask } from '../../../../test/support/review-task.ts';
import { makeRubric } from '../../../decide/certificates/rubric.ts';
import type { Mark } from '../../../core/schema/modes/mark.ts';
import { editMode } from '../../../people/modes/edit-mode.ts';
import { halfOf } from '../../../people/reviews/calibrate/tuned-judge.ts';
import { notesRubric } from '../../../people/reviews/notes-rubric.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { labelKind } from '../../../stores/kinds/label.ts';
import { addReviewRecords, readItems } from '../../../stores/reviews/review-records.ts';
import { describeMade } from '../../../cli/texts/made-metric.ts';
import { makeMetric } from './make-metric.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-make-metric-'));
afterAll(() => rmSync(folder, { recursive: true }));

const size = 200;
const by = { person: 'ann' };

/** Stores conversations of which one in three has the mode, as two people have marked; a config stands beside. */
async function planted(
  answerOf: (index: number, isBad: boolean) => string,
  { marked = size, bobSees = (index: number) => index % 3 === 0 } = {},
) {
  const store = createMemoryStore();
  const isBad = (index: number) => index % 3 === 0;
  const task = await storeReviewTask(store, {
    id: 'notes',
    answers: { passed: size, failed: 0, answerOf: (index) => answerOf(index, isBad(index)) },
    rubrics: [makeRubric(notesRubric)],
    labels: size,
  });
  const definition = 'States a date that no user message gives.';
  const [mode] = await editMode(store.documents, { type: 'add', id: 'wrong-date', definition }, { by });
  const items = (await readItems(store.documents, task.id)).slice(0, marked);
  const marks = items.flatMap(({ subject, position, stratum, probability }) =>
    ['ann', 'bob'].map((person): Mark => {
      return {
        id: `${person}${position}`,
        subject,
        note: null,
        mode: { id: 'wrong-date', version: mode?.version ?? '' },
        present: (person === 'bob' ? bobSees : isBad)(subject.ordinal ?? 0),
        first: isBad(subject.ordinal ?? 0),
        by: { person },
        at: '2026-01-04T00:00:00.000Z',
        task: task.id,
        draw: { frame: task.frame.hash, stratum, probability, seed: task.seed },
      };
    }),
  );
  // Of ann it is known that she read without sight of verdicts: her notes say so.
  const { id, version } = makeRubric(notesRubric);
  const labels = items.map(({ subject, position }) =>
    buildLabel(`note${position}`, {
      subject,
      rubric: { id, version },
      task: task.id,
      item: position,
      value: isBad(subject.ordinal ?? 0),
      note: 'A date.',
    }),
  );
  await addReviewRecords(store.documents, { labels, marks });
  const config = path.join(folder, 'touchstone.config.yaml');
  writeFileSync(
    config,
    stringify({ dataset: 'a.jsonl', targets: [{ use: 'module', path: 'bot.ts' }], metrics: ['latency'] }),
  );
  return { store, config, items };
}

test('a mode that code finds without an error becomes a check, counted on the half that it was not chosen on', async () => {
  const { store, config } = await planted((index, isBad) =>
    isBad ? `It ends on 30 February ${index}.` : `It ends in a while, ${index}.`,
  );
  const made = await makeMetric({ store, config, mode: 'wrong-date' });
  expect(made).toMatchObject({ type: 'check', name: 'no-wrong-date', isWritten: true, labels: 0 });
  expect(made.checks[0]).toMatchObject({ isEnough: true, certify: { falsePositives: 0, falseNegatives: 0 } });
  const { having, free } = made.marked.certify;
  expect(made.checks[0]?.certify.truePositives).toBe(having);
  expect(having + free + made.marked.tune.having + made.marked.tune.free).toBe(size);
  const written = parse(readFileSync(config, 'utf8'));
  expect(written.metrics[1]).toMatchObject({ name: 'no-wrong-date' });
  expect(written.gate.rules['no wrong-date']).toMatchObject({ metric: 'no-wrong-date', atLeast: 95 });
});

test('any other mode becomes a judge with examples of one half, whose certificate the gate requires; marks become its labels', async () => {
  const { store, config, items } = await planted(
    (index, isBad) =>
      `${['a', 'b', 'c'][(index * 7 + Number(isBad)) % 3]} is what holds for case ${index} here.`,
  );
  const made = await makeMetric({ store, config, mode: 'wrong-date', as: 'judge' });
  const written = parse(readFileSync(config, 'utf8'));
  expect(written.rubrics['no-wrong-date']).toEqual({
    criterion: 'no-wrong-date',
    question: 'Is it free of this: States a date that no user message gives.',
  });
  const [, metric] = written.metrics;
  expect(metric).toMatchObject({ use: 'rubric', shape: 'verdict', name: 'no-wrong-date' });
  expect(written.gate.judge).toEqual({ certified: 'require' });
  const halves = new Map(items.map(({ subject }) => [subject.caseId, halfOf(subject)]));
  const examples: { case: string; passes: boolean }[] = metric.examples;
  expect(examples.map(({ passes }) => passes)).toEqual([false, false, false, true, true, true]);
  expect(examples.every((example) => halves.get(example.case) === 'tune')).toBe(true);
  expect(made.labels).toBe(2 * size);
  const labels = (await Array.fromAsync(store.documents.list(labelKind))).filter(
    ({ rubric }) => rubric.id === 'no-wrong-date',
  );
  expect(
    labels.filter(({ outcome }) => outcome.status === 'answered' && outcome.value === false),
  ).toHaveLength(2 * 67);
  const byPerson = Map.groupBy(labels, (label) => label.by.person);
  expect(new Set(byPerson.get('ann')?.map(({ blind }) => blind.verdict))).toEqual(new Set(['hidden']));
  expect(new Set(byPerson.get('bob')?.map(({ blind }) => blind.verdict))).toEqual(new Set(['unknown']));
  // Again: nothing is a label twice.
  const confirm = async () => true;
  expect((await makeMetric({ store, config, mode: 'wrong-date', as: 'judge', confirm })).labels).toBe(0);
  expect(made.expected).toMatchObject({ answers: size });
});

test('a mode with few marks is too small, with how many more to read', async () => {
  const { store, config } = await planted((index) => `answer ${index}`, { marked: 30 });
  await expect(makeMetric({ store, config, mode: 'wrong-date' })).rejects.toMatchObject({
    code: 'mode-too-small',
    message: expect.stringMatching(
      /wrong-date has \d notes? to learn from; read about \d+ more conversations \(\d+(\.\d)? % have it, half of them teach\)/,
    ),
  });
  await expect(makeMetric({ store, config, mode: 'late' })).rejects.toMatchObject({ code: 'mode-conflict' });
});

test('readers who agree too little on a mode are said to, before anything is written', async () => {
  const bobSees = (index: number) => index % 9 < 2;
  const { store, config } = await planted(
    (index, isBad) => (isBad ? `On 30 February, ${index}.` : `Soon, ${index}.`),
    { bobSees },
  );
  let described = '';
  const made = await makeMetric({
    store,
    mode: 'wrong-date',
    config,
    confirm: async (planned) => {
      described = describeMade(planned);
      return false;
    },
  });
  expect(made.agreement).toMatchObject({ isUnclear: true, n: size });
  expect(described).toContain('the definition is the problem');
});
