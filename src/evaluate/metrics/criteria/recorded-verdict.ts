import { z } from 'zod';
import { describeValue } from '../../../core/lib/text/describe-value.ts';
import { stepInto } from '../../../core/lib/objects.ts';
import { metricAspectSchema } from '../../../core/schema/metric.ts';
import { type Verdict, verdictSchema } from '../../../core/schema/verdict.ts';
import { defineMetric } from '../metric.ts';
import { nonEmpty } from '../../../core/schema/json.ts';
import { notApplicable } from '../verdicts.ts';

/**
 * Reads a verdict that another tool gave and that was recorded with the answer, in the form of Touchstone's own verdicts:
 * `{"status": "scored", "value": 0.8, "passed": true, "explanation": "…"}`. It is passed on as it is; what the other tool
 * could not measure is not measured here. A check that the other tool did not make of this case is not applicable.
 */
export const recordedVerdict = defineMetric({
  name: 'recorded-verdict',
  family: 'recorded',
  version: 1,
  summary: 'The verdict that another tool gave on the recorded answer, as it gave it.',
  words: 'existing verdict, other tool, imported result',
  example: { of: 'correct' },
  options: () =>
    z.strictObject({
      of: nonEmpty().describe('The name of the verdict among the verdicts recorded with the answer.'),
      column: nonEmpty()
        .default('verdicts')
        .describe('The column with the recorded verdicts: an object with one for each name.'),
      aspect: metricAspectSchema
        .optional()
        .describe(
          'What it says of an answer, where reports treat that in a way of their own: `resisted-attack` of a red team.',
        ),
      unported: nonEmpty()
        .optional()
        .describe(
          'The reason why a check of another tool is not made here. An answer without its recorded verdict is not measured, until the check is ported and takes the place of this one.',
        ),
    }),
  create: ({ of, column, unported, aspect }) => ({
    aspect,
    score: ({ trial: { recorded = {} } }): Verdict => {
      const verdicts = stepInto(recorded, column);
      const isRecorded = stepInto(verdicts ?? {}, of) !== undefined;
      if (unported !== undefined && !isRecorded)
        return { status: 'failed', code: 'not-ported', reason: `not measured until ported: ${unported}` };
      if (verdicts === undefined || verdicts === null) {
        const reason = `no \`${column}\` were recorded with the answer`;
        return { status: 'failed', code: 'not-recorded', reason };
      }
      const found = stepInto(verdicts, of);
      return found === undefined
        ? notApplicable(`the recording has no verdict "${of}" on this answer`)
        : readVerdict(found, `\`${column}.${of}\``);
    },
  }),
});

function readVerdict(found: unknown, name: string): Verdict {
  const { data } = verdictSchema.safeParse(found);
  if (data === undefined) {
    const reason = `${name} is ${describeValue(found)}; it must be a verdict with a \`status\``;
    return { status: 'failed', code: 'recorded-invalid', reason };
  }
  if (data.status === 'scored' && data.unit === undefined && !(data.value >= 0 && data.value <= 1)) {
    const reason = `${name} has the value ${data.value}; one without a unit is from 0 to 1`;
    return { status: 'failed', code: 'recorded-invalid', reason };
  }
  return withoutJudgements(data);
}

/** Leaves out the ids of judgements: the judgements of another tool are not in the store. */
function withoutJudgements(verdict: Verdict): Verdict {
  if (verdict.status === 'not-applicable') return verdict;
  const { judgements: _, ...rest } = verdict;
  return rest;
}
