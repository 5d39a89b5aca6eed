import { z } from 'zod';
import type { LintFinding } from '../../../core/schema/api/lint-finding.ts';
import { isInside } from '../../routes/datasets.ts';
import { OwnError } from '../errors.ts';
import { type Reply, takeFitting } from '../fit-reply.ts';
import { named, pathOf, quote } from '../quote.ts';
import { defineTool, localOf } from '../tool.ts';

const limit = 12_000;

/** `lint_dataset`: what is wrong with the questions, before anything is asked. */
export const lintDataset = defineTool({
  name: 'lint_dataset',
  description:
    'Checks the dataset (or files of the project) and asks nothing: duplicates, expectations that say nothing or that no metric reads, leaks. Counts by rule, and findings with place and remedy.',
  input: z.strictObject({
    files: z
      .array(z.string().min(1).max(500))
      .max(20)
      .default([])
      .describe('By default the files of the config.'),
    limit: z.int().min(1).max(100).default(20),
    cursor: z.string().max(20).optional(),
  }),
  output: ['cases', 'counts', 'byRule', 'findings', 'next'],
  limit,
  isLocal: true,
  call: async ({ files, limit: most, cursor = '0' }, call) => {
    const { folder, config, call: inProcess } = localOf(call);
    if (files.some((file) => !isInside(file, folder)))
      throw new OwnError('usage-invalid', 'One of the files is not in the folder of the project.');
    const { cases, counts, findings } = await inProcess('lint', files, { folder, config });
    const begin = readPlace(cursor);
    const byRule = countRules(findings);
    const beside = { cases, counts, byRule };
    const shown = takeFitting(findings.slice(begin, begin + most).map(describe), { limit, beside });
    const end = begin + shown.length;
    return { ...beside, findings: shown, next: end < findings.length ? String(end) : null };
  },
});

function readPlace(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new OwnError(
    'usage-invalid',
    'The cursor is not one of this list.',
    'Use the `next` of the part before.',
  );
}

function countRules(findings: readonly LintFinding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { rule } of findings) counts[rule] = (counts[rule] ?? 0) + 1;
  return counts;
}

function describe({ rule, severity, file, line, caseId, message, remedy, related }: LintFinding): Reply {
  return {
    rule,
    severity,
    place: pathOf(line === undefined ? file : `${file}:${line}`),
    ...(caseId !== undefined && { case: named('dataset', caseId).id }),
    says: quote('dataset', message, 400),
    remedy: quote('dataset', remedy, 300),
    ...(related !== undefined && { related: pathOf(`${related.file}:${related.line ?? ''}`) }),
  };
}
