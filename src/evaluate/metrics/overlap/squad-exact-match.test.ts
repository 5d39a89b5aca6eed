import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scoreAnswer, valueOf } from '../../../../test/support/score-answer.ts';
import { squadExactMatch } from './squad-exact-match.ts';
import { squadF1 } from './squad-f1.ts';

test.each([
  ['The France!', ['france'], 1],
  ['10th and 11th centuries', ['in the 10th', '10th and 11th centuries.'], 1],
  ['an eel', ['eel'], 1],
  ['theatre', ['atre'], 0],
  ['a\u0301 b', ['\u0301 b'], 1],
  ['', ['the'], 1],
])('%j against %j → %d', (answer, references, value) => {
  expect(scoreAnswer(squadExactMatch, answer, { expected: { answer: references } })).toMatchObject({ value });
});

interface Row {
  readonly gold: string[];
  readonly predictions: Record<string, { text: string; exact: number; f1: number }>;
}

const file = new URL('../../../../../shared/data/qa/squad11_dev_subset.jsonl', import.meta.url);

test.skipIf(!existsSync(file))(
  'both SQuAD metrics equal the official script on real predictions (needs ../shared/data)',
  () => {
    const rows = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
    let count = 0;
    for (const { gold, predictions } of rows) {
      for (const { text, exact, f1 } of Object.values(predictions)) {
        const expected = { answer: gold };
        expect(valueOf(scoreAnswer(squadExactMatch, text, { expected }))).toBe(exact);
        expect(valueOf(scoreAnswer(squadF1, text, { expected }))).toBe(f1);
        count++;
      }
    }
    expect(count).toBeGreaterThan(1000);
  },
);
