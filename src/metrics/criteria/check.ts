import type { Verdict } from '../../schema/verdict.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { conditionSchema } from './check/condition.ts';
import { findOut } from './check/find-out.ts';
import type { Finding } from './check/finding.ts';
import { unlessUnusable } from '../matching/unless-unusable.ts';

const mostWords = 4;

/** 1 when a condition on the final state, the answer or the conversation holds, else 0. */
export const check = defineMetric({
  name: 'check',
  version: 1,
  reads: (condition) => pathsIn(condition).flatMap(expectationsAt),
  summary: 'A condition on the final state, the answer, the messages or the tool calls holds: 1, else 0.',
  options: conditionSchema,
  create: (condition) => ({
    score: (input) => unlessUnusable(() => toVerdict(findOut(condition, input))),
  }),
});

/** Returns every path that a condition names, those of its operands included. */
function pathsIn(condition: unknown): string[] {
  if (typeof condition !== 'object' || condition === null) return [];
  return Object.entries(condition).flatMap(([name, value]) =>
    name === 'path' && typeof value === 'string' ? [value] : pathsIn(value),
  );
}

function toVerdict(found: Finding): Verdict {
  if (found.status !== 'known') return found;
  const words = found.words.slice(0, mostWords);
  const more = found.words.length - words.length;
  const explanation = `${words.join('; ')}${more === 0 ? '' : `; and ${more} more`}`;
  return {
    status: 'scored',
    value: found.holds ? 1 : 0,
    passed: found.holds,
    ...(explanation !== '' && { explanation }),
  };
}
