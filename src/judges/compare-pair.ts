import type { Ballot, Judge, JudgeContext, JudgeMaterial } from './judge.ts';

/** Two answers to one question. */
export interface AnswerPair {
  readonly id: string;
  /** The criterion by which one is better than the other. */
  readonly instructions: string;
  /** The context of both: question, expected answer, documents. */
  readonly material: readonly JudgeMaterial[];
  readonly first: string;
  readonly second: string;
  readonly sample?: number;
}

/** A verdict on which of two answers is better, asked in both orders. */
export type PairVerdict =
  | {
      readonly status: 'decided';
      /** The winner in both orders; otherwise a tie. */
      readonly winner: 'first' | 'second' | 'tie';
      /** True when both orders gave the same result. When false, the position decided and not the answer. */
      readonly isConsistent: boolean;
      readonly reasons: readonly string[];
      readonly judgements: readonly string[];
    }
  | {
      readonly status: 'failed';
      readonly code: string;
      readonly reason: string;
      readonly judgements: readonly string[];
    };

/**
 * Asks a judge which of two answers is better, once in each order, because judges have a position bias: a win counts
 * only when it survives the swap (Zheng et al. 2023). A panel decides by majority in each order.
 */
export async function comparePair(
  pair: AnswerPair,
  judge: Judge,
  context: JudgeContext,
): Promise<PairVerdict> {
  const ask = (first: string, second: string) =>
    judge.ask(
      {
        id: pair.id,
        instructions: pair.instructions,
        material: [
          ...pair.material,
          { title: 'first answer', text: first },
          { title: 'second answer', text: second },
        ],
        shape: 'preference',
        sample: pair.sample ?? 1,
      },
      context,
    );
  const [given, swapped] = await Promise.all([ask(pair.first, pair.second), ask(pair.second, pair.first)]);
  if (given.status === 'failed') return given;
  if (swapped.status === 'failed') return swapped;
  const ballots = [...given.ballots, ...swapped.ballots];
  const inOrder = majorityOf(given.ballots);
  const afterSwap = swap(majorityOf(swapped.ballots));
  return {
    status: 'decided',
    winner: inOrder === afterSwap ? inOrder : 'tie',
    isConsistent: inOrder === afterSwap,
    reasons: ballots.map(({ answer }) => answer.reason),
    judgements: ballots.map(({ judgement }) => judgement),
  };
}

type Preference = Ballot<'preference'>['answer']['better'];

function majorityOf(ballots: readonly Ballot<'preference'>[]): Preference {
  const count = (wanted: Preference) => ballots.filter(({ answer }) => answer.better === wanted).length;
  const half = ballots.length / 2;
  if (count('first') > half) return 'first';
  return count('second') > half ? 'second' : 'tie';
}

function swap(preference: Preference): Preference {
  if (preference === 'tie') return 'tie';
  return preference === 'first' ? 'second' : 'first';
}
