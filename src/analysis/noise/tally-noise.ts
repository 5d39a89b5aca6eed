import type { MeasureNoise, NoisePart } from '../../schema/noise.ts';
import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import { createNestedVariance, type VariancePart } from '../../stats/means/nested-variance.ts';
import { createCertainTest } from '../attempts/certain-outcomes.ts';

/** A measure whose noise is told, and its samples on one trial: one where no judge was asked again, none unmeasured. */
interface NoisyMeasure extends Pick<MeasureNoise, 'measure' | 'name'> {
  readonly isJudged: boolean;
  read(outcome: Outcome): readonly number[];
}

/**
 * Tells how much of the differences between scores is due to the questions, to the agent and to the judge, for the score
 * and every metric that is judged. The outcomes of a case come one after the other.
 */
export function createNoiseTally(run: Run) {
  const tracks = noisyMeasures(run).map(createTrack);
  const isCertain = createCertainTest(run);
  let caseId: string | undefined;
  const flush = () => {
    for (const track of tracks) track.endCase();
  };
  return {
    add: (outcome: Outcome): void => {
      if (outcome.trial.caseId !== caseId) flush();
      caseId = outcome.trial.caseId;
      if (!isCertain(outcome)) return;
      for (const track of tracks) track.add(outcome);
    },
    /** To be asked for once, after the last outcome. Empty where everything was tried and judged once. */
    summarize: (): MeasureNoise[] => {
      flush();
      const all = tracks.map((track) => track.summarize());
      return all.some(({ questions, samples }) => samples > questions) ? all : [];
    },
  };
}

function noisyMeasures({ scorecard, metrics, attempts }: Run): NoisyMeasure[] {
  const judged = metrics.filter(({ judge }) => judge !== undefined).map(({ name }) => name);
  // Nothing was tried or judged twice.
  if (attempts === 1 && judged.length === 0) return [];
  const ofMetrics = judged.map(
    (name): NoisyMeasure => ({
      measure: 'metric',
      name,
      isJudged: true,
      read: ({ verdicts }) => {
        const verdict = verdicts[name];
        if (verdict?.status !== 'scored') return [];
        return verdict.samples?.map(({ value }) => value) ?? [verdict.value];
      },
    }),
  );
  if (scorecard === null) return ofMetrics;
  const isJudged = scorecard.criteria.some(({ metric }) => judged.includes(metric));
  const score: NoisyMeasure = {
    measure: 'score',
    name: scorecard.name,
    isJudged,
    read: ({ scorecard: card }) => card?.samples ?? (typeof card?.total === 'number' ? [card.total] : []),
  };
  return [score, ...ofMetrics];
}

function createTrack({ measure, name, isJudged, read }: NoisyMeasure) {
  const nested = createNestedVariance();
  let attempts: (readonly number[])[] = [];
  return {
    add: (outcome: Outcome): void => {
      attempts.push(read(outcome));
    },
    endCase: (): void => {
      nested.add(attempts);
      attempts = [];
    },
    summarize: (): MeasureNoise => {
      const { questions, attempts: tried, samples, ...parts } = nested.current();
      const numbers = { measure, name, questions, attempts: tried, samples };
      const { betweenQuestions: between, betweenAttempts: agent, betweenSamples: judge } = parts;
      if (isJudged)
        return { ...numbers, between: toPart(between), agent: toPart(agent), judge: toPart(judge) };
      const nobody = { variance: null, reason: 'no judge has a part in it' };
      return { ...numbers, between: toPart(between), agent: withoutReason(toPart(agent)), judge: nobody };
    },
  };
}

function toPart(part: VariancePart): NoisePart {
  if (part.status === 'undefined') return { variance: null, reason: part.reason };
  const { variance, includes } = part;
  return includes === undefined ? { variance } : { variance, reason: `with ${includes}` };
}

/** Where nothing is judged, no noise of a judge is in it. */
function withoutReason(part: NoisePart): NoisePart {
  return part.variance === null ? part : { variance: part.variance };
}
