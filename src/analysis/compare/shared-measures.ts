import { canonicalJson } from '../../lib/canonical-json.ts';
import { truthOf } from '../../schema/criterion-truth.ts';
import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { RunDifference } from '../../schema/run-comparison.ts';
import type { Criterion } from '../../schema/scorecard-result.ts';
import { betterOf, listMeasures, type Measure, ofAnswer } from '../targets/comparison-measures.ts';

/** A number that both of two runs have for an outcome. */
export interface SharedMeasure extends Pick<RunDifference, 'measure' | 'name'> {
  readonly older: Reading;
  readonly newer: Reading;
  /** Measured by another rule in one run than in the other. */
  readonly isRuleChanged: boolean;
}

/** How one run has the number. */
export interface Reading {
  read(outcome: Outcome): number | undefined;
  /** Known at the latest when outcomes were read. */
  unit(): string | undefined;
  better(): RunDifference['better'];
}

/** The measures that two runs have both, the score first; categories are made of the score. */
export function listSharedMeasures(older: Run, newer: Run): SharedMeasure[] {
  const ofNewer = new Map(listMeasures(newer).map((measure) => [keyOf(measure), measure]));
  const shared = listMeasures(older).flatMap((ofOlder) => {
    const partner = ofNewer.get(keyOf(ofOlder));
    return partner === undefined ? [] : [share(older, newer, [ofOlder, partner])];
  });
  return shared.toSorted((one, other) => order.indexOf(one.measure) - order.indexOf(other.measure));
}

const order: readonly RunDifference['measure'][] = [
  'score',
  'passed',
  'criterion',
  'metric',
  'errors',
  'latency',
  'input-tokens',
  'output-tokens',
  'cost',
];

function keyOf({ measure, name }: Measure): string {
  return `${measure} ${name}`;
}

function share(older: Run, newer: Run, [ofOlder, ofNewer]: readonly [Measure, Measure]): SharedMeasure {
  const { measure, name } = ofNewer;
  if (measure !== 'metric') {
    const isScore = measure === 'score' || measure === 'passed';
    const isRuleChanged = isScore && ruleOfScore(older) !== ruleOfScore(newer);
    return { measure, name, older: readingOf(ofOlder), newer: readingOf(ofNewer), isRuleChanged };
  }
  const isRuleChanged = fingerprintOf(older, name) !== fingerprintOf(newer, name);
  const criteria = [criterionOf(older, name), criterionOf(newer, name)] as const;
  const [inOlder, inNewer] = criteria;
  if (inOlder === undefined || inNewer === undefined) {
    return { measure, name, older: readingOf(ofOlder), newer: readingOf(ofNewer), isRuleChanged };
  }
  return {
    measure: 'criterion',
    name: inNewer.name,
    older: older.scorecard?.outcomes === undefined ? readingOf(ofOlder) : readingOfTruth(inOlder),
    newer: newer.scorecard?.outcomes === undefined ? readingOf(ofNewer) : readingOfTruth(inNewer),
    isRuleChanged,
  };
}

function readingOf(measure: Measure): Reading {
  return { read: measure.read, unit: measure.unit, better: () => betterOf(measure) };
}

/** 1 where the criterion is as it should be, 0 where it is not. */
function readingOfTruth(criterion: Criterion): Reading {
  const wanted = criterion.negative === true ? 'false' : 'true';
  return {
    read: ofAnswer(({ verdicts }) => {
      const truth = truthOf(criterion, verdicts[criterion.metric]);
      return truth === 'true' || truth === 'false' ? Number(truth === wanted) : undefined;
    }),
    unit: () => undefined,
    better: () => 'higher',
  };
}

function criterionOf({ scorecard }: Run, metric: string): Criterion | undefined {
  return scorecard?.criteria.find((criterion) => criterion.metric === metric);
}

function fingerprintOf({ metrics }: Run, name: string): string | undefined {
  return metrics.find((metric) => metric.name === name)?.fingerprint;
}

/** All that a total follows from: the scorecard, and the rules of the metrics it weighs. */
function ruleOfScore(run: Run): string {
  const { use: _use, name: _name, ...scorecard } = run.scorecard ?? { use: undefined, name: undefined };
  const metrics = run.scorecard?.criteria.map(({ metric }) => fingerprintOf(run, metric));
  return canonicalJson({ scorecard, metrics });
}
