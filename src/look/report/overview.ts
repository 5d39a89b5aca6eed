import type { JudgeSummary } from '../../core/schema/usage.ts';
import type { Run, RunScorecard } from '../../core/schema/run.ts';
import type { Criterion, Grade } from '../../core/schema/verdict.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import type { ReportedTarget } from './findings.ts';
import {
  formatCount,
  formatInterval,
  formatMoney,
  formatPercent,
  formatPlural,
  formatWeight,
} from './format.ts';
import { calledCount, errorCount } from './headline.ts';
import { type Phrase, quote } from './phrase.ts';
import { type ReviewedScore, shownScore } from './score-in-words.ts';

/**
 * Returns a note for shares that differ from the quotient of the counts next to them: the attempts at a question are
 * averaged first, so a question with fewer attempts counts as much as any other, and questions count by their weights. Undefined when all shares agree.
 */
export function averagedNote({ run, target }: Pick<ReportedTarget, 'run' | 'target'>): string | undefined {
  const { counts, passRate, errorRate, outcomes = [], criteria = [] } = target;
  const isWeighted = run.dataset.caseWeights !== undefined;
  if (run.attempts === 1 && !isWeighted) return undefined;
  const withOutcome = outcomes.reduce((sum, { trials }) => sum + trials, 0);
  const shares = [
    ...(run.scorecard === null ? [] : [{ count: counts.passed, of: counts.measured, share: passRate }]),
    { count: errorCount(counts), of: calledCount(counts), share: errorRate },
    ...outcomes.map(({ trials, share }) => ({ count: trials, of: withOutcome, share })),
    ...criteria.map(({ unmet, measured, share }) => ({ count: unmet, of: measured, share })),
  ];
  const isAveraged = shares.some(
    ({ count, of, share: { value } }) =>
      value !== null && of > 0 && formatPercent(count / of) !== formatPercent(value),
  );
  if (isAveraged && isWeighted)
    return 'Counts are of answers; shares are means over questions, each counted by its weight.';
  return isAveraged
    ? 'Counts are of attempts; shares are means over questions, each with its attempts averaged first.'
    : undefined;
}

/** Largest number of categories that are listed by name. */
const mostNamed = 6;

/**
 * Returns the score and the pass rate with weighted categories, and the weights; empty when the configuration sets
 * none.
 */
export function weightedParts({ weighted }: Pick<TargetSummary, 'weighted'>): Phrase[] {
  if (weighted === undefined) return [];
  const { score, passRate, categories } = weighted;
  if (score.value === null) return [[`not measured: ${score.reason ?? 'a category has no values'}`]];
  const shares = Object.entries(categories).toSorted(([, a], [, b]) => b - a);
  const named = shares
    .slice(0, mostNamed)
    .map(([category, share]) => [quote(category), ` ${formatWeight(share)}`]);
  const others =
    shares.length > mostNamed ? [[`${formatCount(shares.length - mostNamed)} more categories`]] : [];
  return [
    [`score ${formatPercent(score.value)} ${formatInterval(score)}`.trim()],
    [`passed ${formatPercent(passRate.value)} ${formatInterval(passRate)}`.trim()],
    ...named,
    ...others,
  ];
}

/**
 * Lists the usage of judging, separate from the usage of the targets: judgements requested and reused, calls, tokens,
 * cost, and missing verdicts. Amounts that calls did not report are listed as unknown, with their number.
 */
export function judgeParts(judge: JudgeSummary): string[] {
  const { asked, cached, failed, calls, inputTokens, outputTokens, cost } = judge;
  const unknown =
    calls > 0 && cost.unknown > 0 ? [`cost unknown for ${formatPlural(cost.unknown, 'call')}`] : [];
  return [
    `${formatPlural(asked, 'judgement')} in ${formatPlural(calls, 'call')}`,
    ...(cached === 0 ? [] : [`${formatCount(cached)} reused, not paid again`]),
    ...(inputTokens.sum === null ? [] : [`${formatCount(inputTokens.sum)} tokens in`]),
    ...(outputTokens.sum === null ? [] : [`${formatCount(outputTokens.sum)} tokens out`]),
    ...(cost.sum === null ? [] : [formatMoney(cost.sum)]),
    ...unknown,
    ...(failed === 0 ? [] : [`${formatPlural(failed, 'verdict')} missing because the judge failed`]),
  ];
}

/** The tolerance for comparing totals, the same as in the scorecards. */
const tolerance = 1e-9;

/** A grade of a scorecard, with its meaning and the number of answers that have it. */
interface GradeCount {
  readonly grade: string;
  readonly count: number;
  readonly meaning: string;
}

/** Counts the answers of a target with each grade, best grade first, including grades without answers. */
export function gradeCounts(run: Run, target: TargetSummary): GradeCount[] {
  const known = gradesOf(run);
  const grades = new Set([...known.map(({ grade }) => grade), ...Object.keys(target.grades)]);
  return [...grades].map((grade) => ({
    grade,
    count: target.grades[grade] ?? 0,
    meaning: known.find((one) => one.grade === grade)?.meaning ?? '',
  }));
}

/**
 * Describes the meaning of a target's score by the grades of its scorecard, with the action; undefined when there is
 * none.
 */
export function describeGrade(run: Run, target: ReviewedScore): string | undefined {
  const { value } = shownScore(target).value;
  if (value === null) return undefined;
  const reached = gradesOf(run).find(({ from }) => value >= from - tolerance);
  if (reached === undefined || reached.meaning === '') return undefined;
  const action = reached.action === undefined ? '' : `: ${reached.action}`;
  return `${formatPercent(value)} on average is ${reached.grade}, ${reached.meaning}${action}`;
}

function gradesOf(run: Run): Grade[] {
  return (run.scorecard?.grades ?? []).toSorted((a, b) => b.from - a.from);
}

/** Returns the criteria of a scorecard that affect a result: by a weight, or as a requirement. */
export function countedCriteria(scorecard: RunScorecard | null): Criterion[] {
  const conditions = new Set((scorecard?.outcomes ?? []).flatMap(({ when }) => when ?? []));
  return (scorecard?.criteria ?? []).filter(
    ({ name, weight, required, caps }) =>
      weight > 0 || required || caps !== undefined || conditions.has(name),
  );
}

/** Returns whether a criterion, by its name, affects a result. */
export function isCounted(scorecard: RunScorecard | null, name: string): boolean {
  return countedCriteria(scorecard).some((criterion) => criterion.name === name);
}
