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
  /** `given` asks only once, with the answers in the given order; `both` is the default. */
  readonly orders?: 'both' | 'given';
}

/** A verdict on which of two answers is better. */
export type PairVerdict =
  | {
      readonly status: 'decided';
      /** The winner in both orders; otherwise a tie. */
      readonly winner: 'first' | 'second' | 'tie';
      /** True when both orders gave the same result. When false, the position decided and not the answer. */
      readonly isConsistent: boolean;
      /** The preferred position in each order: the given one, then the swapped one. */
      readonly positions: readonly Preference[];
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
 * only when it survives the swap (Zheng et al. 2023). A panel decides by majority in each order. Asked in the given order
 * alone, its preference counts as it is.
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
  const orders = [ask(pair.first, pair.second)];
  if (pair.orders !== 'given') orders.push(ask(pair.second, pair.first));
  const answers = await Promise.all(orders);
  const failed = answers.find((answer) => answer.status === 'failed');
  if (failed !== undefined) return failed;
  const asked = answers.filter((answer) => answer.status === 'answered');
  const ballots = asked.flatMap((answer) => answer.ballots);
  const positions = asked.map((answer) => majorityOf(answer.ballots));
  const [inOrder = 'tie', ...others] = positions;
  const isConsistent = others.every((position) => swap(position) === inOrder);
  return {
    status: 'decided',
    winner: isConsistent ? inOrder : 'tie',
    isConsistent,
    positions,
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
