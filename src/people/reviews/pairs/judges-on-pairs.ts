import { toEstimate } from '../../../decide/analysis/summary/estimates.ts';
import { readStoredPreferences, swapOutcome } from '../../prefer/stored-preferences.ts';
import type { JudgeOnPairs } from '../../../core/schema/api/preference/people.ts';
import type { AnswerPreference, PreferenceReport } from '../../../core/schema/api/preference/report.ts';
import type { ReviewTask } from '../../../core/schema/review/review-task.ts';
import { cohensKappa } from '../../../core/stats/agreement/cohens-kappa.ts';
import { wilsonInterval } from '../../../core/stats/proportion-interval.ts';
import type { Store } from '../../../stores/store.ts';
import { nameOf } from './reveal-pair.ts';

/** The stored verdicts of a judge on pairs of answers, with the names of targets that a review task has. */
export interface JudgedPair {
  readonly judge: string;
  readonly criterion: string;
  /** The verdicts by what `keyOf` returns. */
  readonly winners: ReadonlyMap<string, Winner>;
}

type Winner = 'a' | 'b' | 'tie';

/** Reads what judges said of the pairs of a review task: all stored comparisons of its targets. */
export async function readJudgedPairs(store: Store, task: ReviewTask): Promise<JudgedPair[]> {
  const judged: JudgedPair[] = [];
  for (const id of new Set(task.pairs?.targets.map(({ run }) => run))) {
    const run = await store.readRun(id);
    if (run === undefined) continue;
    for await (const report of readStoredPreferences(run, store)) judged.push(toJudged(report, task));
  }
  return judged.filter(({ winners }) => winners.size > 0);
}

function toJudged({ rule, preferences }: PreferenceReport, task: ReviewTask): JudgedPair {
  const names = new Map(rule.targets.map((target) => [target.name, nameOf(task, target)]));
  const order = new Map(task.pairs?.targets.map(({ name }, place) => [name, place]));
  const winners = new Map<string, Winner>();
  for (const preference of preferences) {
    const [a, b] = [names.get(preference.a) ?? '', names.get(preference.b) ?? ''];
    const isSwapped = (order.get(a) ?? 0) > (order.get(b) ?? 0);
    const outcome = isSwapped ? swapOutcome(preference.outcome) : preference.outcome;
    if (outcome.status !== 'decided') continue;
    const named = { ...preference, ...(isSwapped ? { a: b, b: a } : { a, b }) };
    winners.set(keyOf(named), outcome.winner);
  }
  return { judge: rule.judge.name, criterion: rule.criterion, winners };
}

function keyOf({
  a,
  b,
  caseHash,
  attempt,
}: Pick<AnswerPreference, 'a' | 'b' | 'caseHash' | 'attempt'>): string {
  return JSON.stringify([a, b, caseHash, attempt]);
}

const categories: readonly Winner[] = ['a', 'b', 'tie'];

/** Compares judges with people, each on the pairs on which both have a verdict. */
export function judgesOnPairs(
  preferences: readonly AnswerPreference[],
  judged: readonly JudgedPair[],
): JudgeOnPairs[] {
  return judged.flatMap(({ judge, criterion, winners }) => {
    const both = preferences.flatMap((preference) => {
      const said = winners.get(keyOf(preference));
      if (preference.outcome.status !== 'decided' || said === undefined) return [];
      return [{ people: preference.outcome.winner, judge: said }];
    });
    if (both.length === 0) return [];
    const same = both.filter((each) => each.people === each.judge).length;
    const [a, b] = [both.map((each) => each.people), both.map((each) => each.judge)];
    return [
      {
        judge,
        criterion,
        pairs: both.length,
        same,
        agreement: toEstimate(wilsonInterval({ successes: same, trials: both.length })),
        kappa: toEstimate(cohensKappa({ a, b, categories: [...categories] })),
        table: categories.map((row) =>
          categories.map(
            (column) => both.filter((each) => each.people === row && each.judge === column).length,
          ),
        ),
      },
    ];
  });
}
