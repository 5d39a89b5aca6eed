import { z } from 'zod';
import { foldForComparison } from '../../../core/lib/text/fold.ts';
import { wordBoundaries } from '../../../core/lib/text/words.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { nonEmpty } from '../../../core/schema/json.ts';
import { notApplicable, passOrFail } from '../verdicts.ts';

/**
 * Checks that the answer is a member of a list, or mentions exactly one member: 1, else 0. Case, white space, and
 * quotes, Markdown emphasis and a full stop around the answer are ignored. Not applicable without a list.
 */
export const oneOf = defineMetric({
  name: 'one-of',
  family: 'content',
  version: 2,
  reads: ({ values, from }) => (values === undefined ? expectationsAt(from) : []),
  summary: 'The answer is one of a list of values: 1, else 0.',
  words: 'enum, allowed values, classification, label, choices, multiple choice, any of',
  example: { values: ['yes', 'no'] },
  options: () =>
    z.strictObject({
      values: z.array(nonEmpty()).min(1).optional().describe('The list. When absent, see `from`.'),
      from: nonEmpty()
        .default('expected.answer')
        .describe('Path in the question to the list, used when `values` is absent.'),
      mode: z
        .enum(['whole', 'mention'])
        .default('whole')
        .describe(
          '`whole`: the whole answer must be one of the values. `mention`: it must mention exactly one of them as a word.',
        ),
    }),
  create: ({ values, from, mode }) => ({
    score: ({ case: testCase, trial }) => {
      const listed =
        values ?? [valueAtPath(testCase, from)].flat().filter((value) => typeof value === 'string');
      const members = new Map(listed.map((value) => [fold(value), value]));
      members.delete('');
      if (members.size === 0) return notApplicable('the question has no list of values');
      const answer = fold(trial.answer ?? '');
      const found =
        mode === 'whole' ? [answer].filter((text) => members.has(text)) : mentions(answer, members);
      const passed = found.length === 1;
      const names = found.map((member) => members.get(member) ?? member);
      const explanation = passed ? undefined : explain(names);
      return passOrFail(passed, { explanation, evidence: { found: names } });
    },
  }),
});

function explain(found: string[]): string {
  return found.length === 0
    ? 'the answer is none of the values'
    : `the answer mentions several values: ${found.join(', ')}`;
}

const before = ' "\'“”‘’«»`*_';
const after = `${before}.。!`;

function fold(text: string): string {
  const folded = foldForComparison(text);
  let start = 0;
  let end = folded.length;
  while (start < end && before.includes(folded.charAt(start))) start++;
  while (end > start && after.includes(folded.charAt(end - 1))) end--;
  return folded.slice(start, end);
}

/** Returns the members that occur in a text as words. A member inside a longer one that also occurs does not count. */
function mentions(text: string, members: ReadonlyMap<string, string>): string[] {
  const boundaries = wordBoundaries(text);
  let rest = text;
  const longestFirst = [...members.keys()].sort((first, second) => second.length - first.length);
  return longestFirst.filter((member) => {
    const pieces: string[] = [];
    let end = 0;
    for (let at = rest.indexOf(member); at !== -1; at = rest.indexOf(member, Math.max(at + 1, end))) {
      if (!boundaries.has(at) || !boundaries.has(at + member.length)) continue;
      pieces.push(rest.slice(end, at), '\0'.repeat(member.length));
      end = at + member.length;
    }
    rest = pieces.join('') + rest.slice(end);
    return end > 0;
  });
}
