import { withoutConditions } from '../schema/condition.ts';
import type { GateRule } from '../schema/gate-rule.ts';
import type { Outcome } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { TargetSummary } from '../schema/summary.ts';
import type { Store } from '../stores/store.ts';
import { weighAttempts } from '../analysis/attempts/weigh-attempts.ts';
import { countCategories } from '../analysis/summary/count-categories.ts';
import { createTargetTally } from '../analysis/summary/tally-target.ts';
import { createCaseNumbers } from './rules/case-numbers.ts';
import type { FoundBaseline, GateEvidence } from './rules/gate-rule.ts';
import { createReading } from './reading.ts';
import type { MarkedCases } from './read-marks.ts';
import { keyOfSubject, subjectOf } from './rules/subject.ts';

/** What evidence is made of, beside the outcomes of the run. */
export interface EvidenceNeeds {
  readonly rules: readonly GateRule[];
  readonly marks: MarkedCases;
  readonly baseline: FoundBaseline;
  /** Of the targets that a gate is about, over all cases. */
  readonly summaries: readonly TargetSummary[];
}

/** Reads all that rules decide on, once: the numbers of every trial that some rule asks for. */
export async function readEvidence(run: Run, store: Store, needs: EvidenceNeeds): Promise<GateEvidence[]> {
  const names = withoutConditions(run.targets).map(({ name }) => name);
  const collectors = new Map(names.map((name) => [name, createCollector(run, name, needs)]));
  const outcomes = weighAttempts(run, store.readOutcomes(run.id));
  for await (const some of outcomes) {
    const byTarget = Map.groupBy(some, ({ trial }) => trial.target);
    for (const [target, ofTarget] of byTarget) collectors.get(target)?.add(ofTarget);
  }
  return needs.summaries.flatMap((whole) => collectors.get(whole.target)?.evidence(whole) ?? []);
}

function createCollector(run: Run, target: string, { rules, marks, baseline }: EvidenceNeeds) {
  const counted = new Set(marks.counted.map(({ position }) => position));
  const isNarrowed = counted.size < marks.planned.size;
  const narrowed = { ...run, dataset: { ...run.dataset, cases: counted.size } };
  const tally = isNarrowed ? createTargetTally(narrowed, target, countCategories(marks.counted)) : undefined;
  const numbers = createNumbers(run, rules);
  const hasLatency = rules.some(({ type }) => type === 'latency');
  const latencies: number[] = [];
  const trialsPerCase = run.targets.length * run.attempts;

  const positionOf = ({ trial }: Outcome): number => Math.floor(trial.ordinal / trialsPerCase);
  const addNumbers = (outcome: Outcome): void => {
    for (const each of numbers.values()) if ('add' in each) each.add(positionOf(outcome), outcome);
    const { status, latency } = outcome.trial;
    // How long an error took is not how long an answer takes.
    if (hasLatency && status === 'completed' && latency !== undefined) latencies.push(latency.totalMs);
  };

  return {
    add: (outcomes: readonly Outcome[]): void => {
      const some = outcomes.filter((outcome) => counted.has(positionOf(outcome)));
      tally?.add(some);
      for (const outcome of some) addNumbers(outcome);
    },
    evidence: (whole: TargetSummary): GateEvidence => ({
      run,
      target,
      summary: tally?.summarize() ?? whole,
      whole,
      cases: marks.counted,
      planned: marks.planned,
      latencies,
      baseline,
      numbersOf: (subject) => numbers.get(keyOfSubject(subject)) ?? { reason: 'nothing was read' },
    }),
  };
}

function createNumbers(run: Run, rules: readonly GateRule[]) {
  const subjects = rules.map(subjectOf).filter((subject) => subject !== undefined);
  return new Map(
    subjects.map((subject) => {
      const reading = createReading(run, subject);
      const numbers =
        'reason' in reading ? reading : createCaseNumbers(reading, run.dataset.cases, run.attempts);
      return [keyOfSubject(subject), numbers];
    }),
  );
}
