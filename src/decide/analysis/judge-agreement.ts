import type { JudgeAgreement, JudgedMetric, JudgeFlips } from '../../core/schema/api/judge-view.ts';
import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { VerdictNumbers, VerdictSample } from '../../core/schema/verdict.ts';
import { createClusterNumbers } from './summary/estimates.ts';
import { createShareTally } from './summary/tally-trials.ts';

const mostSplits = 20;

/** The contents of a verdict as one byte: nothing, a no, a yes, or a score that is neither. */
const said = { nothing: 0, no: 1, yes: 2, score: 3 } as const;

function codeOf(verdict: VerdictNumbers | undefined): number {
  if (verdict?.status !== 'scored' || verdict.unit !== undefined) return said.nothing;
  return codeOfSample(verdict);
}

function codeOfSample({ value, passed }: VerdictSample): number {
  if (passed !== undefined) return passed ? said.yes : said.no;
  if (value === 0 || value === 1) return value === 1 ? said.yes : said.no;
  return said.score;
}

/** The verdicts of one metric of a run as yes or no, by the place of their trial in the plan. */
export type Verdicts = Uint8Array;

/** Reads the verdicts of a metric, one byte for each trial of the run. */
export async function readVerdicts(
  { dataset: { cases }, targets, attempts }: Run,
  metric: string,
  outcomes: AsyncIterable<readonly Outcome[]>,
): Promise<Verdicts> {
  const verdicts = new Uint8Array(cases * targets.length * attempts);
  for await (const some of outcomes) {
    for (const { trial, verdicts: own } of some) verdicts[trial.ordinal] = codeOf(own[metric]);
  }
  return verdicts;
}

/** Creates a tally of how often a judge and another one give the same verdict. Outcomes are added in the order of the plan. */
export function createAgreementTally(run: Run, own: JudgedMetric, other: JudgedMetric, verdicts: Verdicts) {
  const share = createShareTally(run.attempts, createClusterNumbers());
  const counts = { pairs: 0, alike: 0, graded: 0 };
  const splits: JudgeAgreement['splits'] = [];
  return {
    add: (outcome: Outcome): void => {
      const { ordinal, caseId, target } = outcome.trial;
      const [mine, theirs] = [codeOf(outcome.verdicts[own.metric]), verdicts[ordinal] ?? said.nothing];
      if (mine === said.nothing || theirs === said.nothing) return;
      if (mine === said.score || theirs === said.score) {
        counts.graded += 1;
        return;
      }
      const isAlike = mine === theirs;
      counts.pairs += 1;
      counts.alike += Number(isAlike);
      share.add(outcome, isAlike);
      if (isAlike || splits.length >= mostSplits) return;
      splits.push({ run: own.run, ordinal, caseId, target, verdict: mine === said.yes });
    },
    summarize: (): JudgeAgreement => ({ own, other, ...counts, share: share.estimate(), splits }),
  };
}

/** Creates a tally of the answers on which samples of a judge differ: in their yes or no, else in their score. */
export function createFlipTally(run: Run, metric: string) {
  const share = createShareTally(run.attempts, createClusterNumbers());
  const counts = { answers: 0, flipped: 0 };
  const splits: JudgeFlips['splits'] = [];
  return {
    add: (outcome: Outcome): void => {
      const verdict = outcome.verdicts[metric];
      if (verdict?.status !== 'scored' || verdict.samples === undefined) return;
      const values = verdict.samples.map((sample) => {
        const code = codeOfSample(sample);
        return code === said.score ? sample.value : code === said.yes;
      });
      const isFlipped = new Set(values).size > 1;
      counts.answers += 1;
      counts.flipped += Number(isFlipped);
      share.add(outcome, isFlipped);
      if (!isFlipped || splits.length >= mostSplits) return;
      const { ordinal, caseId, target } = outcome.trial;
      splits.push({ run: run.id, ordinal, caseId, target, verdict: codeOf(verdict) === said.yes });
    },
    summarize: (): JudgeFlips => ({ run: run.id, metric, ...counts, share: share.estimate(), splits }),
  };
}
