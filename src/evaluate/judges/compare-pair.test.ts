import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createJudgementMemory } from '../../library/testing/build-records.ts';
import { createJudge } from './asking/create-judge.ts';
import { comparePair } from './compare-pair.ts';
import type { Judge, JudgeQuestion } from './judge.ts';

type Preference = 'first' | 'second' | 'tie';

/** A judge that prefers by a function of the texts it is shown, and fails when that returns null. */
function createPreferring(prefer: (first: string, second: string) => Preference | null): Judge {
  const answer = ({ material }: JudgeQuestion) => {
    const textOf = (wanted: string) => material.find(({ title }) => title === wanted)?.text ?? '';
    const better = prefer(textOf('first answer'), textOf('second answer'));
    return better === null
      ? ({ status: 'failed', code: 'judge-unreadable', reason: 'no verdict' } as const)
      : ({ status: 'answered', answer: { reason: 'so', better } } as const);
  };
  return createJudge({
    name: 'preferring',
    fingerprint: `${Math.random()}`,
    concurrency: 4,
    models: [],
    together: false,
    consult: async (questions) => questions.map((question) => ({ outcome: answer(question), calls: [] })),
    estimate: async () => ({ calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 }),
  });
}

/** One for all: each judge has a fingerprint of its own. */
const { context } = await createJudgementMemory();

const compare = async (judge: Judge, first: string, second: string) => {
  const pair = { id: 'pair@1', instructions: 'Which is better?', material: [], first, second };
  return await comparePair(pair, judge, context());
};

test('a win counts when it survives the swap', async () => {
  const longer = createPreferring((a, b) => (a.length > b.length ? 'first' : 'second'));
  expect(await compare(longer, 'aa', 'b')).toMatchObject({ winner: 'first', isConsistent: true });
  expect(await compare(longer, 'a', 'bb')).toMatchObject({ winner: 'second', isConsistent: true });
});

test('the preference of a judge for a position decides nothing', async () => {
  const always = (place: Preference) => createPreferring(() => place);
  expect(await compare(always('first'), 'a', 'b')).toMatchObject({ winner: 'tie', isConsistent: false });
  expect(await compare(always('second'), 'a', 'b')).toMatchObject({ winner: 'tie', isConsistent: false });
  expect(await compare(always('tie'), 'a', 'b')).toMatchObject({ winner: 'tie', isConsistent: true });
});

test('without an answer in one of the orders there is no verdict', async () => {
  const judge = createPreferring((first) => (first === 'a' ? null : 'first'));
  expect(await compare(judge, 'a', 'b')).toMatchObject({ status: 'failed', code: 'judge-unreadable' });
});

interface StoredRun {
  readonly gold: string[];
  readonly winner_ab: (string | null)[];
  readonly winner_ba: (string | null)[];
}
const file = path.resolve(import.meta.dirname, '../../../../shared/data/judge/llmbar_verdicts.jsonl');

test.skipIf(!existsSync(file))(
  'stored verdicts of real judges in both orders give the same wins, ties and gaps as counting (needs ../shared/data)',
  async () => {
    const runs = readFileSync(file, 'utf8').trim().split('\n').slice(0, 12);
    for (const line of runs) {
      const { gold, winner_ab: given, winner_ba: swapped } = JSON.parse(line) as StoredRun;
      const counts = { first: 0, second: 0, tie: 0, failed: 0 };
      const expected = { first: 0, second: 0, tie: 0, failed: 0 };
      for (const [item] of gold.entries()) {
        const [ab, ba] = [given[item], swapped[item]];
        // Both columns name the winning answer, 1 or 2, whichever position it had.
        const judge = createPreferring((first) => {
          const winner = first === 'answer 1' ? ab : ba;
          if (winner !== '1' && winner !== '2') return null;
          return first === `answer ${winner}` ? 'first' : 'second';
        });
        const verdict = await compare(judge, 'answer 1', 'answer 2');
        counts[verdict.status === 'failed' ? 'failed' : verdict.winner] += 1;
        const isGap = ![ab, ba].every((winner) => winner === '1' || winner === '2');
        const whole = ab === ba ? (ab === '1' ? 'first' : 'second') : 'tie';
        expected[isGap ? 'failed' : whole] += 1;
      }
      expect(counts).toEqual(expected);
    }
  },
);
