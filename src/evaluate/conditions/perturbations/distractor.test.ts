import { expect, test } from 'vitest';
import { createRandom } from '../../../core/stats/random.ts';
import { distractor as definition } from './distractor.ts';
import type { QuestionPerturbation } from './perturbation.ts';

const distractor = definition as QuestionPerturbation;

test('a sentence is added before or after the question, which stays as it is', () => {
  const question = 'What is the rent of unit B12?';
  const all = Array.from(
    { length: 40 },
    (_, seed) =>
      distractor.perturb(question, {
        random: createRandom(seed),
        rate: 1,
        variant: undefined,
        metadata: {},
      }) as string,
  );
  expect(all.every((text) => text.startsWith(`${question} `) || text.endsWith(` ${question}`))).toBe(true);
  expect(new Set(all).size).toBe(8);
  for (const text of all) expect(text.replace(question, '')).not.toMatch(/[\d?]/);
});
