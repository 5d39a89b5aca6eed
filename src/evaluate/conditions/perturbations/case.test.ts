import { expect, test } from 'vitest';
import { createRandom } from '../../../core/stats/random.ts';
import { letterCase as definition } from './case.ts';
import type { QuestionPerturbation } from './perturbation.ts';

const letterCase = definition as QuestionPerturbation;

function perturb(text: string, variant?: string, seed = 1): string {
  return letterCase.perturb(text, { random: createRandom(seed), rate: 1, variant, metadata: {} }) as string;
}

test('all letters are capital or small, except in the parts that stay', () => {
  expect(perturb('Is "No Pets" in lease B12?', 'upper')).toBe('IS "No Pets" IN LEASE B12?');
  expect(perturb('Is the EIN of Poolula LLC known?', 'lower')).toBe('is the ein of poolula llc known?');
});

test('letters without a counterpart stay', () => {
  expect(perturb('Größe, ﬁn, ς', 'upper')).toBe('GRÖßE, ﬁN, ς');
});

test('without a variant, the seed chooses among the three', () => {
  const all = Array.from({ length: 20 }, (_, seed) => perturb('What is the rent?', undefined, seed));
  expect(all).toContain('WHAT IS THE RENT?');
  expect(all).toContain('what is the rent?');
  expect(new Set(all).size).toBeGreaterThan(3);
});
