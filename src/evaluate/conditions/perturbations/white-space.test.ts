import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../../../core/stats/random.ts';
import type { QuestionPerturbation } from './perturbation.ts';
import { whiteSpace as definition } from './white-space.ts';

const whiteSpace = definition as QuestionPerturbation;

test('only white space changes, and no words are joined', () => {
  fc.assert(
    fc.property(fc.lorem({ maxCount: 12 }), fc.nat(), (text, seed) => {
      const changed = whiteSpace.perturb(text, {
        random: createRandom(seed),
        rate: 1,
        variant: undefined,
        metadata: {},
      }) as string;
      expect(changed.trim().split(/\s+/u)).toEqual(text.trim().split(/\s+/u));
    }),
  );
});

test('spaces inside quotation marks stay', () => {
  const random = createRandom(3);
  const changed = whiteSpace.perturb('say "no pets at all" please', {
    random,
    rate: 1,
    variant: undefined,
    metadata: {},
  });
  expect(changed).toContain('"no pets at all"');
  expect(changed).not.toContain('say "no');
});
