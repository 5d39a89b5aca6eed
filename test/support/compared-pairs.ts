import { createLocalExecutor } from '../../src/evaluate/executors/local.ts';
import { scriptedJudge } from '../../src/evaluate/judges/registry.ts';
import { usualCriterion } from '../../src/people/prefer/ask-preference.ts';
import { preferRuns } from '../../src/people/prefer/prefer.ts';
import { addLabels } from '../../src/people/reviews/give-labels.ts';
import { nextItems } from '../../src/people/reviews/next-items.ts';
import { neverStopped } from '../../src/evaluate/run/run-needs.ts';
import type { PreferenceReport } from '../../src/core/schema/api/preference/report.ts';
import type { Run } from '../../src/core/schema/run.ts';
import type { Store } from '../../src/stores/store.ts';

/** A rule of a scripted judge. */
type Rule = Readonly<Record<string, unknown>>;

/** Lets a scripted judge compare the answers of all targets of runs. Returns the report. */
export async function compareByRules(
  store: Store,
  runs: readonly Run[],
  rules: readonly Rule[],
  label = 'scripted',
): Promise<PreferenceReport> {
  const never = (): never => {
    throw new Error('a scripted judge needs nothing');
  };
  const judge = scriptedJudge.definition.create(scriptedJudge.definition.options.parse({ rules, label }), {
    environment: {},
    resolveModel: never,
    resolveJudge: never,
  });
  const rule = { judge, criterion: usualCriterion, order: 'both', seed: 0, reusesJudgements: true } as const;
  const executor = createLocalExecutor();
  return await preferRuns(runs, rule, { store, executor, observer: {}, signals: neverStopped });
}

/** Lets a person compare all pairs of a task: the function gets both answers as they are shown. */
export async function labelPairs(
  store: Store,
  task: string,
  person: string,
  say: (first: string, second: string) => 'first' | 'second' | 'tie' | 'both-bad',
): Promise<void> {
  for (let second = 0; ; second += 1) {
    const reviewer = { person, now: new Date(Date.UTC(2026, 0, 4, 0, 0, second)) };
    const [card] = (await nextItems(store, task, reviewer, 1)).cards;
    if (card === undefined) return;
    const { item, turn = 0, answer, second: other } = card;
    const value = say(answer ?? '', other?.answer ?? '');
    await addLabels(store, task, reviewer, { item, turn, labels: [{ rubric: 'preference', value }] });
  }
}
