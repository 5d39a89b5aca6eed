import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import type { Run } from '../../../src/core/schema/run.ts';
import type { Result } from '../../../src/core/schema/result.ts';
import type { Store } from '../../../src/stores/store.ts';
import { plan, run, type StoreTest, trialAt } from './store-records.ts';

/** So many cases that the counts of their trials, two each, are stored. */
const cases = 1000;

const large: Run = { ...run, id: 'large', status: 'completed', finishedAt: '2026-01-02T03:05:05.678Z' };

/** Builds the result of an attempt, in which one tool was called, or none. */
function resultAt(ordinal: number, tool?: string): Result {
  const position = Math.floor(ordinal / 2);
  const planned = plan(position, { id: `case-${position}`, category: position === 0 ? 'Ann' : 'tax' });
  const said = {
    role: 'assistant' as const,
    content: 'It is.',
    toolCalls: tool === undefined ? [] : [{ name: tool }],
  };
  const trial = trialAt(ordinal, 'It is.', planned);
  return {
    case: planned.case,
    trial: { ...trial, transcript: [{ role: 'user', content: 'hi' }, said] },
    verdicts: { tone: { status: 'scored', value: 1 } },
    scorecard: null,
  };
}

/** Adds a run that has ended, with an answer to each question. */
export async function fillLarge(store: Store): Promise<void> {
  await store.createRun(large);
  const results = Array.from({ length: 2 * cases }, (_, ordinal) =>
    resultAt(ordinal, ordinal < 10 ? 'look' : undefined),
  );
  await store.addCases(
    large.id,
    Array.from({ length: cases }, (_, position) => ({
      ...plan(position, results[2 * position]?.case),
      position,
    })),
  );
  await store.addTrials(large.id, results);
  await store.addScores(large.id, results);
}

/** Registers the tests of counts over all trials of a large run that has ended, which are stored. */
export function testStoredCounts(storeTest: StoreTest, expect: TestRunner['expect']): void {
  const toolsIn = async (store: Store, id = large.id) =>
    (await store.countTraits(id)).flatMap(({ field, value, trials }) =>
      field === 'tool' ? [`${value}: ${trials}`] : [],
    );
  const countsOf = async (store: Store, field: string, id = large.id) =>
    Object.fromEntries(
      (await store.countTrials(id, { by: [field] })).map(({ values, trials }) => [String(values[0]), trials]),
    );

  storeTest('counts of a large run follow each change of its rows', async (store) => {
    await fillLarge(store);
    await store.createRun({ ...large, id: 'again' }, { trialsOf: large.id });
    await store.addScores('again', [resultAt(0, 'look')]);
    for (let asked = 0; asked < 2; asked += 1) {
      expect(await toolsIn(store)).toEqual(['look: 10']);
      expect(await toolsIn(store, 'again')).toEqual(['look: 1']);
      expect(await countsOf(store, 'category')).toEqual({ Ann: 2, tax: 1998 });
      expect(await countsOf(store, 'status', 'again')).toEqual({ completed: 2000 });
    }
    // Scores are written again, in place.
    await store.addScores(large.id, [resultAt(0, 'book')]);
    expect(await toolsIn(store)).toEqual(['look: 9', 'book: 1']);
    // An answer is made again, in both runs that have it.
    const failed = {
      ...resultAt(1),
      trial: { ...resultAt(1).trial, status: 'failed' as const, answer: null },
    };
    await store.addTrials(large.id, [failed]);
    expect(await countsOf(store, 'status')).toEqual({ completed: 1999, failed: 1 });
    expect(await countsOf(store, 'status', 'again')).toEqual({ completed: 1999, failed: 1 });
    expect(await toolsIn(store)).toEqual(['look: 8', 'book: 1']);
    // A text is erased.
    const without = (text: string) => text.replaceAll('Ann', '[erased]');
    await store.texts.rewrite('case', {
      record: ({ record }) => JSON.parse(without(JSON.stringify(record))) as object,
      column: without,
    });
    expect(await countsOf(store, 'category')).toEqual({ '[erased]': 2, tax: 1998 });
    // Another run has its number after it, but not its counts.
    await store.deleteRun('again');
    await store.deleteRun(large.id);
    await store.createRun({ ...large, id: 'other' });
    expect(await countsOf(store, 'status', 'other')).toEqual({});
  });
}
