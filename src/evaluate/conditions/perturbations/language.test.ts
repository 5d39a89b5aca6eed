import { expect, test } from 'vitest';
import { createRandom } from '../../../core/stats/random.ts';
import { TargetFailure } from '../../targets/target.ts';
import { language as definition } from './language.ts';
import type { QuestionContext, QuestionPerturbation } from './perturbation.ts';

const language = definition as QuestionPerturbation;

async function perturb(more: Partial<QuestionContext>): Promise<string> {
  const context = { random: createRandom(1), rate: 1, variant: 'German', metadata: {}, ...more };
  return await language.perturb('What is the rent?', context);
}

test('a translation in the dataset precedes the model', async () => {
  const metadata = { translations: { german: 'Wie hoch ist die Miete?' } };
  const rewrite = async (task: string) => task;
  expect(await perturb({ metadata, rewrite })).toBe('Wie hoch ist die Miete?');
  expect(await perturb({ rewrite })).toContain('into this language: German');
});

test('without either, the trial fails and says what is missing', async () => {
  await expect(perturb({ metadata: { translations: { French: 'x' } } })).rejects.toThrow(TargetFailure);
  await expect(perturb({})).rejects.toThrow('the question has no `metadata.translations.German`');
});
