import { getOrCreate } from '../../../core/lib/objects.ts';
import type { Conversations, FaultRow, TrialCount } from '../../../core/schema/api/tools-view.ts';
import { metricsMeasuring } from '../../../core/schema/metric.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { Run, RunTarget } from '../../../core/schema/run.ts';
import { toolCallsOf } from '../../../core/schema/trial.ts';
import { countTrial, noTrials } from './count-trials.ts';
import { countWhole } from './distributions.ts';

/** Creates a tally of how a target handled the faults of one condition: in all tools together, and in each tool. */
export function createFaultTally(run: Run, { name: target, condition }: RunTarget) {
  const metric = metricsMeasuring(run, 'handled-fault')[0]?.name;
  const all = new Map<string, TrialCount>();
  const byTool = new Map<string, Map<string, TrialCount>>();
  return {
    add: ({ case: { id }, trial, verdicts }: Result): void => {
      const verdict = metric === undefined ? undefined : verdicts[metric];
      if (verdict?.status !== 'scored' || verdict.label === undefined) return;
      const { label } = verdict;
      countTrial(getOrCreate(all, label, noTrials), id);
      const hit = toolCallsOf(trial.transcript).flatMap(({ name, fault }) =>
        fault === undefined ? [] : [name],
      );
      for (const tool of new Set(hit)) {
        const ways = getOrCreate(byTool, tool, () => new Map<string, TrialCount>());
        countTrial(getOrCreate(ways, label, noTrials), id);
      }
    },
    summarize: (): FaultRow[] => {
      if (condition === undefined || all.size === 0) return [];
      const row = (tool: string | null, ways: ReadonlyMap<string, TrialCount>): FaultRow => {
        return { condition, target, tool, ways: Object.fromEntries(ways) };
      };
      return [row(null, all), ...Array.from(byTool, ([tool, ways]) => row(tool, ways))];
    },
  };
}

/** Creates a tally of the conversations of a target: their turns, how they ended, and those that the user invalidated. */
export function createConversationTally() {
  const turns: number[] = [];
  const endings = new Map<string, Conversations['endings'][number]>();
  const spoilt = new Map<string, Conversations['spoilt'][number]>();
  return {
    add: ({ case: { id }, trial }: Result): void => {
      if (trial.conversation !== undefined) {
        const { ended, turns: made } = trial.conversation;
        turns.push(made.length);
        countTrial(
          getOrCreate(endings, ended, () => ({ ...noTrials(), ending: ended })),
          id,
        );
      }
      if (trial.spoilt === undefined) return;
      const { kind, reason } = trial.spoilt;
      countTrial(
        getOrCreate(spoilt, kind, () => ({ ...noTrials(), kind, reason })),
        id,
      );
    },
    summarize: (): Conversations | null => {
      if (turns.length === 0 && spoilt.size === 0) return null;
      const frequent = (one: TrialCount, other: TrialCount) => other.trials - one.trials;
      return {
        turns: countWhole(turns),
        endings: [...endings.values()].toSorted(frequent),
        spoilt: [...spoilt.values()].toSorted(frequent),
      };
    },
  };
}
