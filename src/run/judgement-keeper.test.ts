import { expect, test } from 'vitest';
import type { Judgement, JudgementDraft } from '../schema/judgement.ts';
import { createMemoryStore } from '../stores/memory.ts';
import { buildRun } from '../testing/build-records.ts';
import { createJudgementKeeper } from './judgement-keeper.ts';

const draft = (key: string, second = 0): JudgementDraft => ({
  key,
  judge: { name: 'judge', fingerprint: 'f' },
  question: { id: 'relevance@1', shape: 'score', sample: 1 },
  askedAt: `2026-01-02T03:04:0${second}.000Z`,
  outcome: { status: 'answered', answer: { reason: 'so', score: 1 } },
  calls: [],
});

async function createTwoRuns() {
  const store = createMemoryStore();
  for (const id of ['first', 'second']) await store.createRun(buildRun({ id }));
  return store;
}

test('what is kept in one turn is written at once, and each has an id of its own', async () => {
  const store = await createTwoRuns();
  const writes: number[] = [];
  const listening = {
    ...store,
    addJudgements: async (runId: string, judgements: readonly Judgement[]) => {
      writes.push(judgements.length);
      await store.addJudgements(runId, judgements);
    },
  };
  const keeper = createJudgementKeeper('first', { store: listening, reuses: true });
  const kept = await Promise.all(['a', 'b', 'c'].map(async (key) => await keeper.keep(draft(key))));
  await keeper.keep(draft('d'));
  expect(writes).toEqual([3, 1]);
  expect(new Set(kept.map(({ id }) => id)).size).toBe(3);
  expect(kept[0]).toMatchObject({ key: 'a', askedIn: 'first' });
});

test('an answer of another run counts only where that is wanted, and one of the own run always', async () => {
  const store = await createTwoRuns();
  const [before] = [await createJudgementKeeper('first', { store, reuses: true }).keep(draft('a'))];
  expect(await createJudgementKeeper('second', { store, reuses: true }).find('a')).toEqual(before);
  const anew = createJudgementKeeper('second', { store, reuses: false });
  expect(await anew.find('a')).toBeUndefined();
  const again = await anew.keep(draft('a', 1));
  expect(await anew.find('a')).toEqual(again);
  expect(await Array.fromAsync(store.readJudgements('first'))).toEqual([before]);
  await createJudgementKeeper('first', { store, reuses: false }).keep(draft('a', 2));
  expect(await anew.find('a')).toEqual(again);
});

test('what cannot be written is not taken for kept', async () => {
  const store = createMemoryStore();
  const keeper = createJudgementKeeper('gone', { store, reuses: true });
  await expect(keeper.keep(draft('a'))).rejects.toMatchObject({ code: 'run-not-found' });
});
