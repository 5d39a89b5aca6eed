import type { Baseline, BaselineTarget } from '../../../core/schema/decision.ts';
import type { GateRule } from '../../../core/schema/gate.ts';
import { formatPoints } from '../../../core/lib/text/format-points.ts';
import { fixedQuestionBounds, type QuestionAttempts } from '../../../core/stats/fixed-questions.ts';
import type { CaseNumber } from '../case-numbers.ts';
import { type Finding, type GateEvidence, notMeasured } from '../gate-rule.ts';
import {
  describeSubject,
  formatConfidence,
  formatCount,
  formatDifference,
  formatNames,
  keyOfSubject,
  type Subject,
} from '../phrases.ts';
import { withoutCorrection } from './clusters-once.ts';
import type { Scenario } from './evaluate-mean.ts';
import { findFixedSides, findOnlyAttempt, type OnlyAttempt } from './only-attempt.ts';
import type { BaselinePair } from './pair-with-baseline.ts';
import { weightsOf } from './select-cases.ts';

const tolerance = 1e-9;

/** Returns whether a rule speaks of the questions of the run alone. */
export function isOnThese(rule: GateRule): boolean {
  return rule.type === 'no-regression' && rule.on === 'these-questions';
}

/** A pair with the number of its case in the run. */
export interface NumberedPair extends BaselinePair {
  readonly number: CaseNumber;
}

/** The rule, with the run and the baseline that it compares. */
export interface FixedRule {
  readonly evidence: Pick<GateEvidence, 'run' | 'target' | 'answers'>;
  readonly baseline: Baseline;
  /** The target of the baseline. */
  readonly before: BaselineTarget;
  readonly subject: Subject;
  readonly level: { readonly margin: number; readonly confidence: number };
  readonly isLowerBetter: boolean;
  /** The correction by a certificate of the difference on all such questions; undefined where no certified judge is behind it. */
  readonly correction: object | undefined;
}

/**
 * Evaluates the differences on the questions of the run alone, where chance is only in the attempts: it passes when the
 * one-sided lower bound of `fixedQuestionBounds` lies above −margin, and fails when the upper one lies below it. After one
 * attempt, only answers that another attempt would not change decide, by the difference itself. Of a certified judge
 * nothing says how often it errs on these questions, so only answers that are all the same as before decide: of them
 * people would say the same.
 */
export function evaluateOnThese(
  pairs: readonly NumberedPair[],
  scenario: Scenario,
  rule: FixedRule,
): Finding {
  const { margin, confidence } = rule.level;
  const key = keyOfSubject(rule.subject);
  const kept = pairs
    .map((pair) => ({ pair, sides: sidesOf(pair, { key, scenario, rule }) }))
    .filter(({ sides: [before, now] }) => !Number.isNaN(before.mean) && !Number.isNaN(now.mean));
  if (kept.length < 2) return notMeasured('fewer than 2 of the questions are measured in both');
  const weights = weightsOf(kept.map(({ pair }) => pair.each));
  const compared = kept.map(({ sides }) => sides);
  const bounds = fixedQuestionBounds({ pairs: compared, weights, confidence });
  const base = { value: bounds.estimate, threshold: -margin, n: kept.length, confidence };
  const changed = `${formatCount(kept.length, 'pair')}: ${weights === undefined ? 'mean' : 'weighted mean'} difference ${formatDifference(bounds.estimate ?? 0, undefined)}`;
  if (bounds.status === 'undefined')
    return { ...base, outcome: 'not-measured', reason: bounds.reason, arithmetic: changed };
  const words = { rule, n: kept.length, changed };
  const why = findOnlyAttempt(rule, pairs);
  if (rule.correction !== undefined && why?.isSame === true)
    return conclude(
      { ...base, value: 0, lower: 0, upper: 0 },
      words,
      `${why.reason}: people would say the same`,
    );
  const { estimate: value, lower, upper } = bounds;
  const decided = decideBy(why, { ...base, value, lower, upper }, words);
  const lost = kept.filter(({ sides: [earlier, now] }) => earlier.mean >= 0.5 && now.mean < 0.5);
  const found = nameLost(
    decided,
    lost.map(({ pair }) => pair.each.id),
  );
  return withoutCorrection(found, rule.correction, { subject: rule.subject, option: 'on: these-questions' });
}

/** Names the questions that were right in at least half of the attempts, and are wrong in most now. */
function nameLost(found: Finding, ids: readonly string[]): Finding {
  if (ids.length === 0) return found;
  return { ...found, reason: `${found.reason}. Lost in most attempts: ${formatNames(ids)}` };
}

/** Decides by the bounds, or after one attempt by the difference where that is certain. */
function decideBy(why: OnlyAttempt | undefined, bounded: Bounded, words: Words): Finding {
  const { lower: _lower, upper: _upper, ...base } = bounded;
  const { rule, n, changed } = words;
  if (why === undefined) return conclude(bounded, words);
  if (why.isCertain) return conclude({ ...base, lower: base.value, upper: base.value }, words, why.reason);
  const reason = `${describeSubject(rule.subject)} differs by ${formatDifference(base.value, undefined)} from ${rule.baseline.name} on these ${formatCount(n, 'question')}, and the noise of that is not known: ${why.reason}`;
  return { ...base, outcome: 'inconclusive', reason, arithmetic: changed };
}

/** Returns the attempts of a pair before and now, oriented so that higher is better. */
function sidesOf(
  { before, earlier, number }: NumberedPair,
  { key, scenario, rule }: { readonly key: string; readonly scenario: Scenario; readonly rule: FixedRule },
): readonly [QuestionAttempts, QuestionAttempts] {
  const { isLowerBetter, baseline } = rule;
  const isWorst = scenario === 'worst';
  const orient = ({ n, mean, variance }: QuestionAttempts) => ({
    n,
    mean: isLowerBetter ? 1 - mean : mean,
    variance,
  });
  const fixed = findFixedSides(rule);
  const known = earlier.spread?.[key];
  const [nBefore, variance] = fixed.before ? [Infinity, 0] : (known ?? [1, Number.NaN]);
  // What the baseline did not measure is at its best where the run is at its worst.
  const unknownBefore = isWorst === isLowerBetter ? 0 : 1;
  const earlierAttempts =
    Number.isNaN(before) && scenario !== 'measured'
      ? { n: fixed.before ? Infinity : baseline.run.attempts, mean: unknownBefore, variance: 0 }
      : { n: nBefore, mean: before, variance };
  const { measured, missing, value } = number;
  if (scenario === 'measured' || missing === 0)
    return [
      orient(earlierAttempts),
      orient({ n: fixed.now ? Infinity : Math.max(1, measured), mean: value, variance: number.variance }),
    ];
  const n = fixed.now ? Infinity : measured + missing;
  const mean = isWorst === isLowerBetter ? number.high : number.low;
  // No scores in [0, 1] with this mean vary more.
  const most = n < 2 ? Number.NaN : (n / (n - 1)) * mean * (1 - mean);
  return [orient(earlierAttempts), orient({ n, mean, variance: most })];
}

/** The names for messages. */
interface Words {
  readonly rule: FixedRule;
  readonly n: number;
  readonly changed: string;
}

type Bounded = Pick<Finding, 'threshold' | 'n' | 'confidence'> & {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
};

/** Decides by bounds; `certain` is why they are the difference itself. */
function conclude(
  { value, threshold, n, confidence, lower, upper }: Bounded,
  { rule, changed }: Words,
  certain?: string,
): Finding {
  const { margin } = rule.level;
  const { name } = rule.baseline;
  const lost = `${formatPoints(margin)} points`;
  const sure = certain ?? `${formatConfidence(rule.level.confidence)}, ${describeAttempts(rule)}`;
  const ends = `${formatDifference(lower, undefined)} and ${formatDifference(upper, undefined)}`;
  const arithmetic =
    certain === undefined
      ? `${changed}; one-sided ${formatConfidence(rule.level.confidence)} bounds on these questions ${ends}; margin ${lost}`
      : `${changed}, for certain on these questions; margin ${lost}`;
  const known = { value, threshold, n, confidence, lower, upper, arithmetic };
  const where = `on these ${formatCount(n, 'question')}`;
  const what = describeSubject(rule.subject);
  const scope = 'It says nothing of questions that are not in the set';
  const isWithin = certain === undefined ? lower > -margin : value >= -margin - tolerance;
  if (isWithin) {
    const most = lower >= -tolerance ? 'nothing' : `at worst ${formatPoints(-lower)} points`;
    return {
      ...known,
      outcome: 'pass',
      reason: `${where} ${what} lost ${most} since ${name} (${sure}). ${scope}`,
    };
  }
  if (upper < -margin) {
    const reason = `${where} ${what} lost at least ${formatPoints(-upper)} points since ${name} (${sure}), more than ${lost}. ${scope}`;
    return { ...known, outcome: 'fail', reason };
  }
  const span = `could have changed by ${formatDifference(lower, undefined)} to ${formatDifference(upper, undefined)}`;
  const reason = `${where} ${what} ${span} since ${name} (${sure}): a loss of ${lost} is neither shown nor ruled out; more attempts would narrow it`;
  return { ...known, outcome: 'inconclusive', reason };
}

function describeAttempts(rule: FixedRule): string {
  const [before, now] = [rule.baseline.run.attempts, rule.evidence.run.attempts];
  const fixed = findFixedSides(rule);
  const sure = 'as another would be the same';
  if (fixed.now) return `${formatCount(before, 'attempt')} before, 1 now, ${sure}`;
  if (fixed.before) return `1 attempt before, ${sure}, ${now} now`;
  return before === now ? formatCount(now, 'attempt') : `${before} attempts before, ${now} now`;
}
