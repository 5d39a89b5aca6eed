import { z } from 'zod';
import { useOrNameSchema } from '../../../core/schema/use.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { defineMetric } from '../metric.ts';
import { wrapMetric } from './wrap-metric.ts';
import { share } from '../../../core/schema/json.ts';

/**
 * Turns any metric into its opposite: 1 minus its value. It passes where the metric does not; where the metric says
 * nothing about passing, `threshold` decides, or else only the full value passes. A quantity with a limit is 1 outside
 * its limit and 0 within. What was not measured stays not measured.
 */
export const not = defineMetric({
  name: 'not',
  version: 1,
  reads: ({ metric }, readsOf) => readsOf(metric),
  summary: 'The opposite of any metric: 1 minus its value; it passes where the metric does not.',
  words: 'opposite, negate, inverse, must not, invert',
  example: { metric: { use: 'regex', pattern: 'sorry' } },
  options: () =>
    z.strictObject({
      metric: useOrNameSchema.describe(
        'The metric, by name or with its options: `{ use: not, metric: { use: regex, pattern: "sorry" } }`.',
      ),
      threshold: share()
        .optional()
        .describe('The least value that passes, in place of the pass mark of the metric.'),
    }),
  create: ({ metric, threshold }, needs) =>
    wrapMetric(metric, needs, { after: (verdict) => oppositeOf(verdict, threshold) }),
});

const tolerance = 1e-9;

function oppositeOf(verdict: Verdict, threshold: number | undefined): Verdict {
  if (verdict.status !== 'scored') return verdict;
  const { unit, value: quantity, passed: _passed, samples, ...rest } = verdict;
  const opposite = opposed(verdict, threshold);
  if (opposite === undefined) {
    const reason = `${quantity} ${unit} neither passes nor fails, so its opposite is not known; give the metric a limit`;
    return { status: 'failed', code: 'no-verdict', reason };
  }
  const ofSamples = samples?.map((sample) => opposed({ ...sample, unit }, threshold) ?? { value: 0 });
  return { ...rest, ...opposite, ...(ofSamples !== undefined && { samples: ofSamples }) };
}

/** Returns the opposite of a value; undefined for a quantity without a limit. */
function opposed(
  { value, unit, passed }: { readonly value: number; readonly unit?: string; readonly passed?: boolean },
  threshold: number | undefined,
): { value: number; passed: boolean } | undefined {
  if (unit !== undefined)
    return passed === undefined ? undefined : { value: Number(!passed), passed: !passed };
  const opposite = 1 - value;
  const least = threshold ?? (passed === undefined ? 1 : undefined);
  return { value: opposite, passed: least === undefined ? passed !== true : opposite >= least - tolerance };
}
