import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { editDistance } from '../../../core/lib/text/edit-distance.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import type { Metric } from '../metric.ts';
import { squadExactMatch } from '../overlap/squad-exact-match.ts';
import { squadF1 } from '../overlap/squad-f1.ts';
import { answerLength } from './answer-length.ts';
import { exactMatch } from './exact-match.ts';
import { keywordRecall } from './keyword-recall.ts';
import { politeness } from './politeness.ts';

/** Written by scripts/write-expected-scores.py: the pieces of random texts, and Python's results for each pair. */
const { seed, pieces, rows } = JSON.parse(
  readFileSync(new URL('expected-scores.json', import.meta.url), 'utf8'),
) as { seed: number; pieces: string[]; rows: number[][] };

const metrics = [exactMatch, keywordRecall, answerLength, politeness, squadExactMatch, squadF1].map(
  ({ definition }): Metric => {
    const options = definition.options.parse(definition.name === 'exact-match' ? { source: true } : {});
    return definition.create(options as never, {});
  },
);

function createPicker(start: number): (limit: number) => number {
  let state = start;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1) >>> 0;
    value = (value ^ (value + Math.imul(value ^ (value >>> 7), value | 61))) >>> 0;
    return ((value ^ (value >>> 14)) >>> 0) % limit;
  };
}

function* randomPairs(): Generator<{ expected: string; answer: string; scores: number[] }> {
  const below = createPicker(seed);
  const randomText = () => {
    const length = below(14);
    return Array.from({ length }, () => pieces[below(pieces.length)]).join('');
  };
  for (const scores of rows) {
    const expected = randomText();
    const kind = below(4);
    const other = randomText();
    const answer = kind === 0 ? ` ${expected.toUpperCase()}\u001c` : kind === 1 ? expected + other : other;
    yield { expected, answer, scores };
  }
}

test(`on ${rows.length} pairs of random texts the values equal those of the original formulas in Python`, () => {
  const differences: unknown[] = [];
  for (const { expected, answer, scores } of randomPairs()) {
    const input = { case: buildCase({ expected: { answer: expected } }), trial: buildTrial(answer) };
    const verdicts = metrics.map((metric) => metric.score(input));
    const values = verdicts.map((verdict) => ('value' in verdict ? verdict.value : verdict));
    const given = [...values, editDistance(Array.from(expected), Array.from(answer))];
    if (given.join() !== scores.join()) differences.push({ expected, answer, given, scores });
  }
  expect(differences).toEqual([]);
});
