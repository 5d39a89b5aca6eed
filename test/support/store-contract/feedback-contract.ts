import type { Feedback } from '../../../src/core/schema/feedback/feedback.ts';
import { readAllFeedback } from '../../../src/stores/feedback/feedback-records.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { collect, fill, keyOf, run, type StoreTest } from './store-records.ts';
import { eraseUserKey, readUserKey } from '../../../src/stores/kinds/feedback.ts';
import { addFeedback, countFeedback, matchFeedback } from '../../../src/stores/feedback/feedback-records.ts';

/** Builds a feedback for tests: a thumb up on the trial at ordinal 0. */
export function buildFeedback(id: string, parts: Partial<Feedback> = {}): Feedback {
  return {
    id,
    at: '2026-01-02T10:00:00.000Z',
    source: 'web',
    signal: 'thumb',
    value: 'up',
    subject: { trialKey: keyOf(0) },
    receivedAt: '2026-01-02T10:00:01.000Z',
    ...parts,
  };
}

const thumbOfFirst = {
  run: run.id,
  ordinal: 0,
  trialKey: keyOf(0),
  caseId: 'a',
  category: null,
  target: 'bot',
  answeredAt: '2026-01-02T03:04:05.678Z',
};

/** Registers the tests of storing and matching feedback. */
export function testFeedback(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest(
    'feedback is read as it was written, by time, with the answer that it belongs to',
    async (store) => {
      await fill(store);
      const later = buildFeedback('a', {
        at: '2026-01-03T10:00:00.000Z',
        text: 'nul \u0000, high \u{1f642}',
      });
      const first = buildFeedback('b', { user: { key: 'k', hash: 'h' }, dwellMs: 1200 });
      const lost = buildFeedback('c', { subject: { trialKey: 'nothing' } });
      expect(await addFeedback(store, [later, lost, first])).toEqual({
        added: 3,
        known: 0,
        conflicts: [],
        matched: 2,
      });
      expect(await collect(readAllFeedback(store.documents))).toEqual([
        { feedback: first, match: { feedback: 'b', ...thumbOfFirst } },
        { feedback: lost, match: null },
        { feedback: later, match: { feedback: 'a', ...thumbOfFirst } },
      ]);
      expect(await countFeedback(store.documents)).toEqual({ all: 3, matched: 2, waiting: 1, unmatched: 0 });
    },
  );

  storeTest('the id decides: the same content counts once, another content is refused', async (store) => {
    const { documents } = store;
    const given = buildFeedback('a', { user: { key: 'k', hash: 'h' } });
    await addFeedback(store, [given]);
    const again = { ...given, receivedAt: '2026-01-05T00:00:00.000Z' };
    const other = buildFeedback('a', { user: { key: 'k', hash: 'h' }, value: 'down' });
    const otherUser = { ...given, user: { key: 'k', hash: 'x' } };
    const otherKey = { ...given, user: { key: 'l', hash: 'x' } };
    expect(await addFeedback(store, [again, other, otherUser, otherKey, buildFeedback('b')])).toEqual({
      added: 1,
      known: 2,
      conflicts: ['a', 'a'],
      matched: 0,
    });
    expect((await collect(readAllFeedback(store.documents)))[0]).toEqual({ feedback: given, match: null });
    expect((await countFeedback(documents)).all).toBe(2);
  });

  storeTest(
    'feedback finds its answer by key, by case in a run, by trace and by conversation',
    async (store) => {
      await fill(store);
      const subjects: Feedback['subject'][] = [
        { trialKey: keyOf(0) },
        { run: run.id, caseId: 'a', attempt: 1 },
        { run: run.id, caseId: 'a', attempt: 2, target: 'bot' },
        { run: run.id, caseId: 'a', attempt: 2, target: 'other' },
        { run: 'other', caseId: 'a', attempt: 1 },
        { traceId: 'nothing' },
        // Two attempts: which one is meant is not known.
        { conversation: 'a', turn: 1 },
      ];
      await addFeedback(
        store,
        subjects.map((subject, index) => buildFeedback(`f${index}`, { subject })),
      );
      const found = (await collect(readAllFeedback(store.documents))).map(
        ({ match }) => match?.ordinal ?? null,
      );
      expect(found).toEqual([0, 0, 1, null, null, null, null]);
    },
  );

  storeTest('feedback that comes before its answer waits for it for seven days', async (store) => {
    const early = buildFeedback('early', { receivedAt: '2025-12-30T00:00:00.000Z' });
    const tooEarly = buildFeedback('too-early', { receivedAt: '2025-12-26T00:00:00.000Z' });
    const never = buildFeedback('never', { ...early, id: 'never', subject: { traceId: 'nothing' } });
    await addFeedback(store, [early, tooEarly, never]);
    expect(await matchFeedback(store, '2026-01-02T01:00:00.000Z')).toBe(0);
    expect(await countFeedback(store.documents)).toEqual({ all: 3, matched: 0, waiting: 2, unmatched: 1 });
    // The run of 2026-01-02 comes within seven days of one of them.
    await fill(store);
    expect(await matchFeedback(store, '2026-02-01T00:00:00.000Z')).toBe(1);
    expect(await countFeedback(store.documents)).toEqual({ all: 3, matched: 1, waiting: 0, unmatched: 2 });
    const matched = (await collect(readAllFeedback(store.documents))).filter(({ match }) => match !== null);
    expect(matched).toEqual([{ feedback: early, match: { feedback: 'early', ...thumbOfFirst } }]);
  });

  storeTest('feedback stays, with the names of its answer, when the run is deleted', async (store) => {
    await fill(store);
    await addFeedback(store, [buildFeedback('a')]);
    await store.deleteRun(run.id);
    expect((await collect(readAllFeedback(store.documents)))[0]?.match).toEqual({
      feedback: 'a',
      ...thumbOfFirst,
    });
  });

  storeTest('the key of users stays until it is erased', async (store) => {
    const { documents } = store;
    const [key, same] = await Promise.all([readUserKey(documents), readUserKey(documents)]);
    expect(key.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(same).toEqual(key);
    await eraseUserKey(documents);
    const next = await readUserKey(documents);
    expect(next.id).not.toBe(key.id);
    expect(next.secret).not.toBe(key.secret);
  });

  storeTest('many writers of the same feedback add each record once', async (store) => {
    const { documents } = store;
    const records = Array.from({ length: 20 }, (_, index) => buildFeedback(`f${index}`));
    const added = await Promise.all(Array.from({ length: 5 }, async () => await addFeedback(store, records)));
    expect(added.reduce((sum, each) => sum + each.added, 0)).toBe(20);
    expect((await countFeedback(documents)).all).toBe(20);
  });
}
