import { inBatches } from '../../../core/lib/async-iterables.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { ScorecardResult, ScoreChange, ScoreChanges } from '../../../core/schema/verdict.ts';
import type { Store } from '../../../stores/store.ts';
import type { ResolvedScorecard } from '../evaluation.ts';
import { beginRun, createClaimedRun } from '../prepare/begin-run.ts';
import { finishRun } from '../summarize.ts';
import { evaluateCard } from './score.ts';

/**
 * Stores the results of another scorecard over the verdicts of a run, as a run of its own that shares its trials.
 * Nothing is measured again, since the scorecard rests on the run's own metrics.
 */
export async function storeReweighed(source: Run, scorecard: ResolvedScorecard, store: Store): Promise<Run> {
  const { metrics, gate } = source;
  const rules = { metrics: [], scorecard, reusesJudgements: true, gate };
  const begun = { ...beginRun({ ...source, rescoredFrom: source.id }, rules), metrics };
  const run: Run = { ...begun, status: 'running' };
  await using _claim = await createClaimedRun(run, store, { trialsOf: source.id });
  for await (const results of inBatches(store.readResults(source.id))) {
    const rescored = results.map((result) => ({
      ...result,
      scorecard: evaluateCard(scorecard, result.verdicts, result.case),
    }));
    await store.addScores(run.id, rescored);
  }
  return await finishRun(run, store);
}

const mostFlips = 10_000;

/**
 * Compares the results of another scorecard with the stored scorecard results of a run, without storing anything.
 * Nothing is measured again, since its criteria rest on the run's own metrics.
 */
export async function compareScores(
  run: Run,
  scorecard: ResolvedScorecard,
  results: AsyncIterable<Result>,
): Promise<Omit<ScoreChanges, 'weights'>> {
  const tallies = new Map(run.targets.map(({ name }) => [name, createTally(name, marksOf(scorecard))]));
  const flips: ScoreChange[] = [];
  let flipCount = 0;
  for await (const result of results) {
    const change = changeOf(result, evaluateCard(scorecard, result.verdicts, result.case));
    tallies.get(change.target)?.add(change);
    if (!isFlip(change)) continue;
    flipCount += 1;
    if (flips.length < mostFlips) flips.push(change);
  }
  const targets = Array.from(tallies.values(), (tally) => tally.summarize());
  return { run: run.id, targets, flips, flipCount };
}

function changeOf({ trial, scorecard }: Result, after: ScorecardResult | null): ScoreChange {
  const { caseId, target, attempt } = trial;
  return { caseId, target, attempt, before: sideOf(scorecard), after: sideOf(after) };
}

function sideOf(result: ScorecardResult | null): ScoreChange['before'] {
  if (result === null) return { total: null, mark: null, passed: null };
  const { total, grade, outcome, passed } = result;
  return { total, mark: outcome ?? grade, passed };
}

function isFlip({ before, after }: ScoreChange): boolean {
  return before.mark !== after.mark || before.passed !== after.passed;
}

/** Returns all grades or outcomes that a scorecard can give, best first. */
function marksOf({ outcomes, grades }: ResolvedScorecard): string[] {
  if (outcomes !== undefined) return outcomes.map(({ outcome }) => outcome);
  return grades.toSorted((one, other) => other.from - one.from).map(({ grade }) => grade);
}

function createTally(target: string, names: readonly string[]) {
  const marks = new Map(names.map((name) => [name, { before: 0, after: 0 }]));
  const sums = { before: 0, after: 0 };
  const passed = { before: 0, after: 0 };
  let compared = 0;
  const count = (when: 'before' | 'after', { mark, passed: hasPassed }: ScoreChange['before']) => {
    passed[when] += Number(hasPassed === true);
    if (mark === null) return;
    const counts = marks.get(mark) ?? { before: 0, after: 0 };
    counts[when] += 1;
    marks.set(mark, counts);
  };
  return {
    add: ({ before, after }: ScoreChange): void => {
      count('before', before);
      count('after', after);
      if (before.total === null || after.total === null) return;
      compared += 1;
      sums.before += before.total;
      sums.after += after.total;
    },
    summarize: (): ScoreChanges['targets'][number] => ({
      target,
      compared,
      meanBefore: compared === 0 ? null : sums.before / compared,
      meanAfter: compared === 0 ? null : sums.after / compared,
      passedBefore: passed.before,
      passedAfter: passed.after,
      marks: Array.from(marks, ([mark, counts]) => ({ mark, ...counts })),
    }),
  };
}
