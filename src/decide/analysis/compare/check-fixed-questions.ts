import type { FixedRegressionCheck, RegressionCheck } from '../../../core/schema/decision.ts';
import type { PairComparison } from '../../../core/schema/run-comparison.ts';
import { fixedQuestionBounds, type QuestionAttempts } from '../../../core/stats/fixed-questions.ts';
import { confidence } from '../summary/estimates.ts';
import { curtailingRule } from '../attempts.ts';
import { describeRepeats, isShownDeterministic, readSingleAnswers } from '../hash-answer.ts';
import { checkRegression, type RegressionNeeds } from './check-regression.ts';
import type { ComparedRun } from './compared-run.ts';
import type { LostPair } from './list-pairs.ts';
import type { PairedCases } from './pair-cases.ts';

/** The inputs of both checks: for all questions, and for these alone. */
interface RegressionsNeeds extends RegressionNeeds {
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  readonly cases: PairedCases;
}

/** Checks that B is not worse than A by more than a margin: for all such questions and, for shares, for these alone. */
export async function checkRegressions(
  needs: RegressionsNeeds,
  margin: number,
): Promise<{ readonly regression: RegressionCheck; readonly regressionOnThese?: FixedRegressionCheck }> {
  const regression = checkRegression(needs, margin);
  if (needs.row.unit !== undefined) return { regression };
  const { a, b } = needs;
  const isOnce = a.run.attempts === 1 || b.run.attempts === 1;
  const { once, fixed } = isOnce ? await explainOnce(needs) : { once: undefined, fixed: [false, false] };
  return { regression, regressionOnThese: checkOnThese(needs, { margin, once, fixed, regression }) };
}

interface Choices {
  readonly margin: number;
  /** The meaning of a single attempt; undefined when there are more. */
  readonly once: OnlyAttempt | undefined;
  /** True, for A and for B, where there is one attempt that another would not change. */
  readonly fixed: readonly boolean[];
  readonly regression: RegressionCheck;
}

function checkOnThese(needs: RegressionsNeeds, choices: Choices): FixedRegressionCheck {
  const { a, b, headline, row } = needs;
  const { margin, once, regression } = choices;
  const named = {
    margin,
    lower: null,
    upper: null,
    confidence,
    method: 'fixed-questions',
    questions: row.pairs,
    attempts: [a.run.attempts, b.run.attempts] as [number, number],
  };
  // What says that the runs cannot be compared holds for any questions.
  const isOther = row.isRuleChanged === true || needs.unread !== undefined || headline.pairs.length === 0;
  if (isOther) return { ...named, decision: 'not-measured', reason: regression.reason };
  if (once?.isCertain === false) return { ...named, decision: 'inconclusive', reason: once.reason };
  if (once === undefined && [a, b].some(({ run }) => curtailingRule(run) !== undefined)) {
    const reason = 'attempts were skipped once a question was decided: `curtail: false`';
    return { ...named, decision: 'inconclusive', reason };
  }
  const [worst, best] = [evaluate(needs, choices, 'worst'), evaluate(needs, choices, 'best')];
  if (worst === undefined || best === undefined)
    return {
      ...named,
      decision: 'not-measured',
      reason: 'fewer than 2 of the questions are measured in both',
    };
  const reason = once?.reason;
  if (worst.decision === best.decision) return { ...named, ...worst, reason };
  const open = `${headline.lost.length} of ${row.pairs} pairs are not measured whole: it could be anything from ${worst.decision} to ${best.decision}`;
  return { ...named, decision: 'not-measured', reason: open };
}

/** Decides with what was not measured at its worst, or at its best, for B. */
function evaluate(
  { headline, isForward, row, a, b }: RegressionsNeeds,
  { margin, once, fixed }: Choices,
  scenario: 'worst' | 'best',
): Pick<FixedRegressionCheck, 'decision' | 'lower' | 'upper'> | undefined {
  const isTurned = isForward === (row.better === 'lower');
  const orient = (side: QuestionAttempts, place: 0 | 1): QuestionAttempts => ({
    n: fixed[place] === true ? Infinity : side.n,
    mean: row.better === 'lower' ? 1 - side.mean : side.mean,
    variance: side.variance,
  });
  const whole = headline.pairs.filter(({ isPartial }) => !isPartial);
  const sides = whole.map(({ attempts: [older, newer] }) => {
    const [before, now] = isForward ? [older, newer] : [newer, older];
    return [orient(before, 0), orient(now, 1)] as const;
  });
  const lost = headline.lost.map((pair) => {
    const difference = differenceOf(pair, (scenario === 'best') !== isTurned);
    const attempts = [a.run.attempts, b.run.attempts].map((n, place) =>
      fixed[place] === true ? Infinity : n,
    );
    return sidesOf(isTurned ? -difference : difference, attempts);
  });
  const weights = [...whole, ...headline.lost].map(({ weight = 1 }) => weight);
  const found = fixedQuestionBounds({ pairs: [...sides, ...lost], weights, confidence });
  if (found.status === 'undefined') return undefined;
  const [lower, upper] = once === undefined ? [found.lower, found.upper] : [found.estimate, found.estimate];
  const isWithin = once === undefined ? lower > -margin : lower >= -margin - 1e-9;
  return { decision: isWithin ? 'pass' : upper < -margin ? 'fail' : 'inconclusive', lower, upper };
}

function differenceOf({ least, greatest }: LostPair, isHigh: boolean): number {
  return isHigh ? greatest : least;
}

/** Returns attempts with a difference, which vary as much as any. */
function sidesOf(difference: number, attempts: readonly number[]) {
  const means = [Math.max(0, -difference), Math.max(0, difference)];
  const [before, now] = attempts.map((n, side) => ({
    n,
    mean: means[side] as number,
    variance: n < 2 ? Number.NaN : (0.25 * n) / (n - 1),
  }));
  return [before, now] as [QuestionAttempts, QuestionAttempts];
}

/** The meaning of a single attempt. */
interface OnlyAttempt {
  /** True when another attempt would change nothing. */
  readonly isCertain: boolean;
  readonly reason: string;
}

/**
 * Explains what one attempt says of others: nothing, unless the answers are recorded, or all the same in both runs, or the bot is known to
 * be deterministic.
 */
async function explainOnce({
  a,
  b,
  isForward,
  cases,
}: RegressionsNeeds): Promise<Pick<Choices, 'once' | 'fixed'>> {
  const sides = await Promise.all(
    (isForward ? [a, b] : [b, a]).map(async ({ run, store, target }) => {
      const record = run.targets.find(({ name }) => name === target);
      const answers = run.attempts === 1 ? (await readSingleAnswers(run, store)).get(target) : undefined;
      const repeats = record?.isDeterministic === true ? answers?.repeats : undefined;
      const isShown = isShownDeterministic(repeats);
      const isRecorded = record?.isRecorded === true;
      const isOnce = run.attempts === 1;
      return { target, hashes: answers?.hashes, isRecorded, isShown, repeats, isOnce };
    }),
  );
  const known = sides.map(({ isRecorded, isShown, isOnce }) => isOnce && (isRecorded || isShown));
  const fixed = isForward ? known : known.toReversed();
  const certain = (reason: string) => ({ once: { isCertain: true, reason }, fixed });
  if (sides.every(({ isRecorded }) => isRecorded)) return certain('both runs are of recorded answers');
  const [before, now] = sides.map(({ hashes }) => hashes);
  const isSame = cases.partners.every((partner, position) => {
    const hash = now?.get(position);
    return partner === -1 || (hash !== undefined && hash === before?.get(partner));
  });
  if (isSame) return certain('every answer is the same in both');
  if (sides.every(({ isRecorded, isShown }) => isRecorded || isShown))
    return certain('the bot is deterministic: asked again, it answered the same');
  if (sides.every(({ isOnce }, place) => !isOnce || known[place] === true)) return { once: undefined, fixed };
  const doubted = sides.find(({ repeats, isShown }) => repeats !== undefined && !isShown);
  const reason =
    doubted?.repeats === undefined
      ? 'one attempt: `--attempts 3`'
      : describeRepeats(doubted.target, doubted.repeats);
  return { once: { isCertain: false, reason }, fixed };
}

/** Returns a comparison without the check of its questions alone: a judge is corrected for all questions. */
export function withoutFixedCheck(pair: PairComparison): PairComparison {
  const { regressionOnThese: fixed } = pair;
  if (fixed === undefined || fixed.decision === 'not-measured') return pair;
  const reason = 'it rests on a judge, whose errors are corrected for all questions alone';
  const decided = { ...fixed, decision: 'not-measured', lower: null, upper: null, reason } as const;
  return { ...pair, regressionOnThese: decided };
}
