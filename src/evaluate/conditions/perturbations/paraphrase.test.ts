import { expect, test } from 'vitest';
import { createRandom } from '../../../core/stats/random.ts';
import { guessLanguage } from './guess-language.ts';
import { paraphrase as definition } from './paraphrase.ts';
import type { QuestionContext, QuestionPerturbation } from './perturbation.ts';

const paraphrase = definition as QuestionPerturbation;

async function perturb(text: string, seed: number, more: Partial<QuestionContext> = {}): Promise<string> {
  return await paraphrase.perturb(text, {
    random: createRandom(seed),
    rate: 1,
    variant: undefined,
    metadata: {},
    ...more,
  });
}

test('the whole question is in a template, its short forms swapped', async () => {
  const question = 'What is the rent of unit B12?';
  const all = new Set(await Promise.all(Array.from({ length: 60 }, (_, seed) => perturb(question, seed))));
  expect(all.size).toBe(6);
  for (const text of all) expect(text).toContain("What's the rent of unit B12?");
});

test.each([
  ['What is the rent for our house?', 'en'],
  ['Wie hoch ist die Miete für unsere Wohnung?', 'de'],
  ['Quel est le loyer de notre maison ?', 'fr'],
  ['¿Cuánto es el alquiler de nuestra casa?', 'es'],
  ["Quanto costa l'affitto della nostra casa e chi lo paga?", 'it'],
  ['Quanto custa o aluguel da nossa casa e quem são os donos?', 'pt'],
  ['Wat is de huur van onze woning?', 'nl'],
  ['家賃はいくらですか', undefined],
  ['Rent?', undefined],
])('the language of "%s" is %s, and so is its template', async (question, language) => {
  expect(guessLanguage(question)).toBe(language);
  const framed = await perturb(question, 1);
  expect(framed === question).toBe(language === undefined);
});

test('a model writes it if there is one, unless templates are requested', async () => {
  const rewrite = async (task: string, text: string) => `${text} (${task.slice(0, 7)})`;
  expect(await perturb('What is the rent?', 1, { rewrite })).toBe('What is the rent? (Rewrite)');
  expect(await perturb('What is the rent?', 1, { rewrite, variant: 'template' })).toContain(
    "What's the rent?",
  );
});
