import { weightAttempts } from '../analysis/attempts.ts';
import { pairLabels, weigh } from './pair-labels.ts';
import { equivalentVersions } from './rubric.ts';
import type { Calibration } from '../../core/schema/review/certificate.ts';
import type { Outcome, Result } from '../../core/schema/result.ts';
import type { Run, RunScorecard } from '../../core/schema/run.ts';
import { passedBy, type ScorecardResult, type Verdict } from '../../core/schema/verdict.ts';
import { binaryWeighted } from '../scorecards/binary-weighted.ts';
import type { Scorecard } from '../scorecards/scorecard.ts';
import { threeComponent } from '../scorecards/three-component.ts';
import { weighted } from '../scorecards/weighted.ts';
import type { Store } from '../../stores/store.ts';
import { readItems, readMarks } from '../../stores/reviews/review-records.ts';
import { equivalenceKind, rubricKind } from '../../stores/kinds/rubric.ts';
import { reviewTaskKind } from '../../stores/kinds/review-task.ts';

/** The verdict of people on an answer, with the probability with which it was drawn for labelling. */
export interface PeopleVerdict {
  readonly passes: boolean;
  readonly probability: number;
}

/** Reads what people said of the answers of a run, by the keys of the trials; undefined where the store does not have the labels. */
export async function readPeople(
  store: Store,
  { task: id, rubric: { id: rubricId, version }, draw, labels }: Calibration,
): Promise<ReadonlyMap<string, PeopleVerdict> | undefined> {
  const { documents } = store;
  const task = await documents.get(reviewTaskKind, [id]);
  const rubric = (await Array.fromAsync(documents.list(rubricKind))).find(
    (each) => each.id === rubricId && each.version === version,
  );
  if (task === undefined || rubric === undefined) return undefined;
  const deciding = new Set(labels.ids);
  const items = await readItems(documents, id);
  const { answers } = pairLabels({
    items,
    marks: (await readMarks(documents, id)).filter((mark) => deciding.has(mark.id)),
    rubric,
    versions: equivalentVersions(rubric, await Array.fromAsync(documents.list(equivalenceKind))),
    // Verdicts are read with the answers.
    passedOf: () => true,
    clusterOf: ({ subject }) => subject.caseId,
  });
  const keys = new Map(items.map(({ position, subject }) => [position, subject.trialKey]));
  const weighted = weigh({ draw: draw.type, strata: task.strata, answers });
  if (weighted === null) return undefined;
  return new Map(
    weighted.map(({ item, truth, probability }) => [keys.get(item) ?? '', { passes: truth, probability }]),
  );
}

/** A trial with the numbers that it would have by other verdicts of the judges. */
export interface JudgedTrial {
  /** The position of the case in the plan. */
  readonly position: number;
  readonly key: string;
  /** The verdicts of the judges, one bit for each, in the order of the metrics. A judge that was not asked said no. */
  readonly said: number;
  /** The outcome as it is, and for each set of verdicts of the judges, at the place with these bits. */
  readonly outcome: Outcome;
  readonly variants: readonly Outcome[];
}

/** The most metrics of judges that are corrected together: each doubles the number of possible verdicts. */
const mostJudges = 4;

/**
 * Reads the trials of a target with the numbers that they would have by other verdicts of some judges. Returns the reason why
 * that is not known: a verdict is no yes or no, or the rule of the scorecard is not known.
 */
export async function readJudgedTrials(
  run: Run,
  store: Store,
  { target, metrics }: { readonly target: string; readonly metrics: readonly string[] },
): Promise<JudgedTrial[] | { readonly reason: string }> {
  if (metrics.length > mostJudges)
    return { reason: `more than ${mostJudges} certified judges decide it together` };
  const vary = createVariants(run, metrics);
  const trialsPerCase = run.targets.length * run.attempts;
  const trials: JudgedTrial[] = [];
  const weighted = weightAttempts<WeightedResult, readonly WeightedResult[]>(run, oneByOne(store, run));
  for await (const results of weighted) {
    for (const result of results) {
      if (result.trial.target !== target) continue;
      const found = vary(result);
      if ('reason' in found) return found;
      const position = Math.floor(result.trial.ordinal / trialsPerCase);
      trials.push({ position, key: result.trial.key, ...found });
    }
  }
  return trials;
}

type WeightedResult = Result & Pick<Outcome, 'weight' | 'notNeeded'>;

async function* oneByOne(store: Store, { id }: Run): AsyncGenerator<readonly WeightedResult[]> {
  for await (const result of store.readResults(id)) yield [result];
}

function createVariants(run: Run, metrics: readonly string[]) {
  const evaluate = run.scorecard === null ? undefined : evaluateAgain(run.scorecard);
  const inScorecard = new Set(run.scorecard?.criteria.map(({ metric }) => metric));
  const isNeeded = metrics.some((metric) => inScorecard.has(metric));
  return (
    result: WeightedResult,
  ): Pick<JudgedTrial, 'said' | 'outcome' | 'variants'> | { reason: string } => {
    const unclear = metrics.find((metric) => !isYesOrNo(result.verdicts[metric]));
    if (unclear !== undefined)
      return { reason: `the judge of "${unclear}" gives degrees, and its certificate is about yes or no` };
    const bits = metrics.map((metric) => passedBy(result.verdicts[metric]) === true);
    const said = bits.reduce((sum, bit, place) => sum + (bit ? 1 << place : 0), 0);
    if (isNeeded && result.scorecard !== null && !isSame(evaluate, result))
      return { reason: 'the rule of the scorecard cannot be applied to the verdicts of people' };
    const variants = Array.from({ length: 1 << metrics.length }, (_, place) =>
      numbersOf(variantOf(result, { metrics, place, evaluate: isNeeded ? evaluate : undefined })),
    );
    return { said, outcome: numbersOf(result), variants };
  };
}

/** Returns whether a verdict is yes or no, if it was given at all; the mean of several samples may lie in between. */
function isYesOrNo(verdict: Verdict | undefined): boolean {
  if (verdict?.status !== 'scored') return true;
  const values = verdict.samples?.map(({ value }) => value) ?? [verdict.value];
  return verdict.unit === undefined && values.every((value) => value === 0 || value === 1);
}

/** Returns whether the rule that is known gives the stored total. */
function isSame(
  evaluate: Evaluate | undefined,
  { scorecard, verdicts, case: { expected } }: Result,
): boolean {
  if (evaluate === undefined || scorecard === null) return false;
  const { total, passed } = evaluate(verdicts, expected.passMark);
  const isTotal =
    total === null ? scorecard.total === null : Math.abs(total - (scorecard.total ?? NaN)) < 1e-9;
  return isTotal && passed === scorecard.passed;
}

function variantOf(
  result: WeightedResult,
  { metrics, place, evaluate }: { metrics: readonly string[]; place: number; evaluate: Evaluate | undefined },
): WeightedResult {
  const changed = metrics.flatMap((metric, bit): [string, Verdict][] => {
    const verdict = result.verdicts[metric];
    if (verdict?.status !== 'scored') return [];
    const passed = ((place >> bit) & 1) === 1;
    const { samples: _samples, ...rest } = verdict;
    return [[metric, { ...rest, value: Number(passed), passed }]];
  });
  const verdicts = { ...result.verdicts, ...Object.fromEntries(changed) };
  if (evaluate === undefined || result.scorecard === null) return { ...result, verdicts };
  return { ...result, verdicts, scorecard: evaluate(verdicts, result.case.expected.passMark) };
}

/** Keeps the numbers of a result alone. */
function numbersOf({
  case: { category, cluster },
  trial,
  verdicts,
  scorecard,
  weight,
}: WeightedResult): Outcome {
  const { ordinal, caseId, target, status, error } = trial;
  const kept = Object.entries(verdicts).map(([name, verdict]) => {
    if (verdict.status !== 'scored') return [name, verdict] as const;
    const { value, unit, passed, label } = verdict;
    return [name, { status: 'scored' as const, value, unit, passed, label }] as const;
  });
  return {
    case: { category, cluster },
    trial: { ordinal, caseId, target, status, error } as Outcome['trial'],
    verdicts: Object.fromEntries(kept),
    scorecard:
      scorecard === null
        ? null
        : {
            total: scorecard.total,
            lower: scorecard.lower,
            upper: scorecard.upper,
            grade: scorecard.grade,
            passed: scorecard.passed,
          },
    weight,
  };
}

/** A function that computes the result of a scorecard from verdicts by the names of the metrics. */
type Evaluate = (verdicts: Readonly<Record<string, Verdict>>, passMark?: number) => ScorecardResult;

/** The scorecards whose rule follows from the record of a run alone. */
const definitions = [weighted, threeComponent, binaryWeighted].map(
  ({ definition }) =>
    definition as unknown as {
      readonly name: string;
      readonly version: number;
      readonly options: { parse(options: unknown): unknown };
      readonly create: (options: unknown, needs: Record<never, never>) => Scorecard;
    },
);

/**
 * Returns the rule of a run's scorecard, by which other verdicts can be evaluated; undefined for a scorecard of the user's own
 * and for one whose rule has changed since.
 */
function evaluateAgain({ use: kept, version, criteria }: RunScorecard): Evaluate | undefined {
  const definition = definitions.find(({ name }) => name === kept.use);
  if (definition === undefined || definition.version !== version) return undefined;
  const { use: _use, name: _name, ...options } = kept;
  const scorecard = definition.create(definition.options.parse(options), {});
  return (verdicts, passMark) => {
    const byCriterion = new Map<string, Verdict>();
    for (const { name, metric } of criteria) {
      const verdict = verdicts[metric];
      if (verdict !== undefined) byCriterion.set(name, verdict);
    }
    return scorecard.evaluate(byCriterion, passMark);
  };
}
