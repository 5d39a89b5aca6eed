import type { Json } from '../../schema/json.ts';
import { readPath } from '../criteria/record-view.ts';
import type { MetricInput } from '../metric.ts';

/** An expected value that stands in the config or, in its place, in each case. */
export interface ExpectedValue {
  readonly expected?: Json | undefined;
  /** The path in the case. */
  readonly from: string;
}

/** The expected value; undefined where the case has none. */
export function readExpected({ expected, from }: ExpectedValue, input: MetricInput): Json | undefined {
  return expected === undefined ? readPath(input, from) : expected;
}

/** The verdict on a trial of a case that has nothing at a path. */
export function nothingAt(path: string) {
  return { status: 'not-applicable', reason: `the case has no ${path}` } as const;
}
