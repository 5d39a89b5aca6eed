import { comparePair } from '../../evaluate/judges/compare-pair.ts';
import type { Judge, JudgeContext } from '../../evaluate/judges/judge.ts';
import { materialOf } from '../../evaluate/metrics/judged/material.ts';
import { preferenceQuestion } from '../../core/schema/judgement.ts';
import type { AnswerPreference, PreferenceOutcome } from '../../core/schema/api/preference/report.ts';
import type { Trial } from '../../core/schema/trial.ts';
import { createRandom } from '../../core/stats/random.ts';
import type { AnswerOf, PairOfAnswers } from './read-pairs.ts';

/** The rule by which answers are compared. */
export interface PreferenceRule {
  readonly judge: Judge;
  /** The criterion by which an answer is better than another. */
  readonly criterion: string;
  /** `both`: every pair in both orders. `random`: once, in an order drawn from the seed. */
  readonly order: 'both' | 'random';
  readonly seed: string | number;
}

/** The criterion when none is given. */
export const usualCriterion =
  'The better answer helps the person more: it is correct, answers what was asked, leaves nothing important out, and adds nothing that is wrong. Its length, its style and its position are no reasons.';

/**
 * Asks the judge which of two answers is better. The judge sees no names of targets or runs. Pairs without two answers are
 * not measured, and the same text twice is a tie; neither is asked. Rejects only when the signal is aborted or a judgement
 * cannot be stored.
 */
export async function askPreference(
  pair: PairOfAnswers,
  rule: PreferenceRule,
  context: JudgeContext,
): Promise<AnswerPreference> {
  const { a, b, caseHash, attempt } = pair;
  const texts = { a: textOf(pair, a), b: textOf(pair, b) };
  const { id, cluster } = pair.case;
  return {
    caseId: id,
    caseHash,
    cluster,
    attempt,
    a: a.contestant.name,
    b: b.contestant.name,
    lengths: { a: texts.a?.length ?? null, b: texts.b?.length ?? null },
    outcome: await decide(pair, texts, { rule, context: { ...context, attempt } }),
  };
}

type Texts = { readonly a: string | undefined; readonly b: string | undefined };
type Asking = { readonly rule: PreferenceRule; readonly context: JudgeContext };

async function decide(pair: PairOfAnswers, { a, b }: Texts, asking: Asking): Promise<PreferenceOutcome> {
  if (a === undefined) return withoutAnswer(pair.a);
  if (b === undefined) return withoutAnswer(pair.b);
  if (a.trim() === b.trim()) return { status: 'identical' };
  const { rule, context } = asking;
  const isSwapped = rule.order === 'random' && drawsSwap(pair, rule.seed);
  const verdict = await comparePair(
    {
      id: preferenceQuestion,
      instructions: `Compare the two answers. ${rule.criterion}`,
      material: materialOf(inputOf(pair, pair.a.trial as Trial), [
        'question',
        'background',
        'expected answer',
      ]),
      first: isSwapped ? b : a,
      second: isSwapped ? a : b,
      orders: rule.order === 'both' ? 'both' : 'given',
    },
    rule.judge,
    context,
  );
  if (verdict.status === 'failed')
    return { ...verdict, status: 'not-measured', judgements: [...verdict.judgements] };
  const { winner, isConsistent, positions, reasons, judgements } = verdict;
  return {
    status: 'decided',
    winner: sideOf(winner, isSwapped),
    isConsistent,
    positions: [...positions],
    reasons: [...reasons],
    judgements: [...judgements],
  };
}

function sideOf(winner: 'first' | 'second' | 'tie', isSwapped: boolean): 'a' | 'b' | 'tie' {
  if (winner === 'tie') return 'tie';
  return (winner === 'first') === isSwapped ? 'b' : 'a';
}

/** Draws whether B comes first. The draw depends on the pair and the seed alone, so that a repeated command asks the same. */
function drawsSwap({ caseHash, attempt, a, b }: PairOfAnswers, seed: string | number): boolean {
  const pair = JSON.stringify([caseHash, attempt, a.contestant.name, b.contestant.name]);
  return createRandom(seed).fork(pair).integer(2) === 1;
}

function inputOf({ case: testCase }: PairOfAnswers, trial: Trial) {
  return { case: testCase, trial };
}

/** Returns what is compared: the answer, or the whole conversation where a user was played. */
function textOf(pair: PairOfAnswers, { trial }: AnswerOf): string | undefined {
  if (trial?.status !== 'completed' || trial.answer === null) return undefined;
  if (trial.spoilt !== undefined || trial.erased !== undefined) return undefined;
  if (pair.case.user === undefined) return trial.answer;
  return materialOf(inputOf(pair, trial), ['conversation'])[0]?.text;
}

function withoutAnswer({ contestant, trial }: AnswerOf): PreferenceOutcome {
  const missing = trial === undefined || trial.status === 'cancelled';
  const reason = missing ? 'was not asked' : `gave no answer: ${trial.error?.message ?? 'no usable answer'}`;
  return {
    status: 'not-measured',
    code: missing ? 'trial-missing' : 'trial-failed',
    reason: `${contestant.name} ${reason}`,
    judgements: [],
  };
}
