import { z } from 'zod';
import { metricFamilies } from '../../../core/schema/metric.ts';
import { expectations } from '../../../core/schema/expectation.ts';
import type { Described } from '../../../library/find/describe-definition.ts';
import { findDefinitions } from '../../../library/find/find-definitions.ts';
import { settingsOf } from '../../../library/find/settings.ts';
import { OwnError } from '../errors.ts';
import type { Reply } from '../fit-reply.ts';
import { defineTool } from '../tool.ts';

/** `find_metrics`: the metrics that check something, by words, by name or by what they read. */
export const findMetrics = defineTool({
  name: 'find_metrics',
  description:
    'Finds metrics by what they check (word: "hallucination"), by the expectation that they read, or with or without a judge; with name: all options of one.',
  input: z.strictObject({
    word: z.string().max(200).optional(),
    name: z.string().max(80).optional(),
    reads: z.enum(expectations).optional(),
    judge: z.boolean().optional().describe('true: only with a judge; false: only without.'),
    limit: z.int().min(1).max(20).default(10),
  }),
  output: ['metrics', 'total', 'near'],
  limit: 8000,
  call: async ({ word, name, reads, judge, limit }) => {
    const found = findDefinitions(['metric'], { words: name ?? word, reads, noJudge: judge === false });
    const hits = found.hits.filter(({ needs }) => judge !== true || needs.includes('judge'));
    if (name !== undefined && !found.isExact) throw unknownMetric(found.near?.hits ?? hits);
    const near = found.near?.hits.slice(0, 3).map((one) => one.name);
    return {
      metrics: hits.slice(0, limit).map((one) => ({
        ...describe(one),
        ...(name !== undefined && { options: describeOptions(one) }),
      })),
      total: hits.length,
      near,
    };
  },
});

function unknownMetric(near: readonly Described[]): OwnError {
  const names = near.slice(0, 3).map(({ name }) => name);
  return new OwnError(
    'usage-invalid',
    `No metric has this name.${names.length === 0 ? '' : ` Near: ${names.join(', ')}.`}`,
    'Find one by a word in place of name.',
  );
}

function describe({ name, says, family, reads = [], needs, unit, example }: Described): Reply {
  return {
    name,
    says,
    ...(family !== undefined && { highMeans: metricFamilies[family] }),
    unit,
    reads,
    needs,
    example,
  };
}

function describeOptions({ options }: Described): Reply[] {
  return settingsOf(options).flatMap(({ rows }) =>
    rows.map((row) => {
      const [name = '', type = '', fallback = '', says = ''] = row.map((cell) => cell.replaceAll('`', ''));
      return { name, type, ...(fallback !== '' && { default: fallback }), says };
    }),
  );
}
