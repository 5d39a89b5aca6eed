import { expect, test } from 'vitest';
import { createRandom } from '../../../core/stats/random.ts';
import { diacritics as definition } from './diacritics.ts';
import type { QuestionPerturbation } from './perturbation.ts';

const diacritics = definition as QuestionPerturbation;

function perturb(text: string, variant?: string): string {
  return diacritics.perturb(text, { random: createRandom(5), rate: 0.5, variant, metadata: {} }) as string;
}

test.each([
  ['Où est le café «Élysée» de Zoë Müller ?', 'Ou est le cafe «Élysée» de Zoe Muller ?'],
  ['Größe der Straße, Łódź, smørrebrød, œuvre', 'Grosse der Strasse, Lodz, smorrebrod, oeuvre'],
  ['Πότε λήγει το συμβόλαιο;', 'Ποτε ληγει το συμβολαιο;'],
  ['Какой ещё йод?', 'Какой еще йод?'],
])('diacritics are removed: "%s"', (text, expected) => {
  expect(perturb(text)).toBe(expected);
});

test('diacritics are added when there are none, and nothing else changes', () => {
  const text = 'What is the monthly amount of the insurance?';
  const changed = perturb(text);
  expect(changed).not.toBe(text);
  expect(changed.normalize('NFD').replace(/\p{M}/gu, '')).toBe(text);
});

test('either variant can be requested', () => {
  expect(perturb('What is the rent?', 'remove')).toBe('What is the rent?');
  expect(perturb('Où est la résidence?', 'add')).toContain('Où');
});
