import { correlationBootstrap } from '../../core/stats/correlation/correlation-bootstrap.ts';
import type { Interval } from '../../core/stats/interval.ts';
import { rocAuc } from '../../core/stats/judges/roc-auc.ts';
import { type ScoreCalibration, scoreCalibration } from '../../core/stats/judges/score-calibration.ts';
import { type RatedAnswer, periodOf } from './rated-answers.ts';

/** The fewest answers with an opinion in a unit. */
const fewestAnswers = 30;
/** The fewest units with which a correlation is measured. */
const fewestUnits = 8;

/** A category of a target in a week: the least for which a score and the opinion of users are compared. */
export interface PredictionUnit {
  readonly category: string;
  readonly target: string;
  /** A week of ISO 8601. */
  readonly week: string;
  /** The mean score of its answers, and the number of these. */
  readonly score: number;
  readonly scored: number;
  /** The share of answers that users did not find bad, and the number of answers with an opinion. */
  readonly satisfied: number;
  readonly rated: number;
}

/** A correlation of scores and opinions, or the reason why it is not measured. */
export type Measured<Value> =
  | { readonly status: 'measured'; readonly value: Value }
  | { readonly status: 'not-measured'; readonly reason: string };

/** A score with its power to separate the answers with a thumb up from those with a thumb down. */
export interface Separation {
  /** `score` for the total of the scorecard, else the name of a metric that a judge decides. */
  readonly name: string;
  readonly auc: Interval & { readonly positives: number; readonly negatives: number };
}

/** An answer on which the score and the user disagree. */
export interface DisputedAnswer {
  readonly run: string;
  readonly ordinal: number;
  readonly caseId: string;
  readonly target: string;
  readonly score: number;
  readonly opinion: 'positive' | 'negative';
}

/** A category with the distance of its score from the opinion of users. */
export interface CategoryGap {
  readonly category: string;
  readonly score: number;
  readonly satisfied: number;
  readonly rated: number;
  /** The place of the category by score, and by opinion; 1 is the best. */
  readonly ranks: readonly [byScore: number, byUsers: number];
  /** The answers whose score is farthest from the opinion. */
  readonly examples: readonly DisputedAnswer[];
}

/** The agreement of scores with the opinions of users. */
export interface Prediction {
  readonly units: readonly PredictionUnit[];
  /** The number of groups of answers that are too small for a unit. */
  readonly smallUnits: number;
  readonly spearman: Measured<Interval>;
  readonly kendall: Measured<Interval>;
  readonly separations: Measured<readonly Separation[]>;
  /** The share of positive opinions among answers with such a score. */
  readonly calibration: Measured<ScoreCalibration>;
  /** The categories in which users and the score differ most, the largest distance first. */
  readonly gaps: readonly CategoryGap[];
}

type Opined = RatedAnswer & { readonly opinion: NonNullable<RatedAnswer['opinion']> };

/**
 * Measures whether the score predicts what users think. The units of the correlations are category × target × week; their
 * intervals draw the weeks of a category and target together, since these are alike.
 */
export function predict(answers: readonly RatedAnswer[]): Prediction {
  const groups = Map.groupBy(answers, ({ category, target, answeredAt }) =>
    JSON.stringify([category, target, periodOf(answeredAt, 'week')]),
  );
  const all = [...groups].flatMap(([name, members]) => unitOf(name, members) ?? []);
  const units = all
    .filter(({ rated }) => rated >= fewestAnswers)
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  return {
    units,
    smallUnits: all.length - units.length,
    spearman: correlate(units, 'spearman'),
    kendall: correlate(units, 'kendall'),
    separations: separate(answers.filter(isDecided)),
    calibration: calibrate(answers.filter(isDecided)),
    gaps: findGaps(answers.filter(isOpined)),
  };
}

function nameOf({ category, target, week }: PredictionUnit): string {
  return JSON.stringify([category, target, week]);
}

function isOpined(answer: RatedAnswer): answer is Opined {
  return answer.opinion !== null;
}

/** Returns whether a user found an answer good or bad: three stars of five are neither. */
function isDecided(answer: RatedAnswer): answer is Opined {
  return answer.opinion !== null && answer.opinion !== 'neutral';
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function satisfactionOf(rated: readonly Opined[]): number | null {
  return meanOf(rated.map(({ opinion }) => Number(opinion !== 'negative')));
}

function unitOf(name: string, answers: readonly RatedAnswer[]): PredictionUnit | undefined {
  const [category, target, week] = JSON.parse(name) as [string, string, string];
  const scores = answers.flatMap(({ score }) => score ?? []);
  const rated = answers.filter(isOpined);
  const [score, satisfied] = [meanOf(scores), satisfactionOf(rated)];
  if (score === null || satisfied === null) return undefined;
  return { category, target, week, score, scored: scores.length, satisfied, rated: rated.length };
}

function correlate(
  units: readonly PredictionUnit[],
  coefficient: 'spearman' | 'kendall',
): Measured<Interval> {
  if (units.length < fewestUnits) {
    const reason = `${units.length} of ${fewestUnits} units (category × target × week with ${fewestAnswers} rated answers)`;
    return { status: 'not-measured', reason };
  }
  const value = correlationBootstrap({
    a: units.map(({ score }) => score),
    b: units.map(({ satisfied }) => satisfied),
    clusters: units.map(({ category, target }) => JSON.stringify([category, target])),
    coefficient,
  });
  if (value.estimate === null)
    return { status: 'not-measured', reason: 'the scores or the opinions of all units are the same' };
  return { status: 'measured', value };
}

function separate(decided: readonly Opined[]): Measured<readonly Separation[]> {
  const names = [...new Set(decided.flatMap(({ judged }) => Object.keys(judged)))].sort();
  const scores: [string, (answer: Opined) => number | null][] = [
    ['score', ({ score }) => score],
    ...names.map((name): [string, (answer: Opined) => number | null] => [
      name,
      ({ judged }) => judged[name] ?? null,
    ]),
  ];
  const separations = scores.flatMap(([name, read]): Separation[] => {
    const known = decided.filter((answer) => read(answer) !== null);
    const auc = rocAuc({
      scores: known.map((answer) => read(answer) as number),
      truth: known.map(({ opinion }) => opinion === 'positive'),
    });
    return auc.estimate === null ? [] : [{ name, auc }];
  });
  return separations.length > 0
    ? { status: 'measured', value: separations }
    : { status: 'not-measured', reason: 'no scored answers with both good and bad opinions' };
}

function calibrate(decided: readonly Opined[]): Measured<ScoreCalibration> {
  const scored = decided.filter(({ score }) => score !== null && score >= 0 && score <= 1);
  if (scored.length === 0) return { status: 'not-measured', reason: 'no scored answers with an opinion' };
  const value = scoreCalibration({
    scores: scored.map(({ score }) => score as number),
    truth: scored.map(({ opinion }) => opinion === 'positive'),
    bins: 5,
  });
  return { status: 'measured', value };
}

const mostGaps = 5;
const mostExamples = 3;

function findGaps(opined: readonly Opined[]): CategoryGap[] {
  const scored = opined.filter(({ score }) => score !== null);
  const categories = Array.from(
    Map.groupBy(scored, ({ category }) => category),
    ([category, members]) => ({
      category,
      members,
      score: meanOf(members.map(({ score }) => score as number)) as number,
      satisfied: satisfactionOf(members) as number,
    }),
  );
  const rank = (value: number, read: (each: (typeof categories)[number]) => number) =>
    1 + categories.filter((other) => read(other) > value).length;
  return categories
    .toSorted((one, other) => Math.abs(other.score - other.satisfied) - Math.abs(one.score - one.satisfied))
    .slice(0, mostGaps)
    .map(({ category, members, score, satisfied }) => ({
      category,
      score,
      satisfied,
      rated: members.length,
      ranks: [rank(score, (each) => each.score), rank(satisfied, (each) => each.satisfied)],
      examples: disputed(members),
    }));
}

function disputed(members: readonly Opined[]): DisputedAnswer[] {
  return members
    .filter(isDecided)
    .map(({ run, ordinal, caseId, target, score, opinion }) => ({
      run,
      ordinal,
      caseId,
      target,
      score: score as number,
      opinion: opinion as DisputedAnswer['opinion'],
    }))
    .filter((each) => distanceOf(each) > 0.5)
    .sort((one, other) => distanceOf(other) - distanceOf(one))
    .slice(0, mostExamples);
}

function distanceOf({ score, opinion }: DisputedAnswer): number {
  return Math.abs(Number(opinion === 'positive') - score);
}
