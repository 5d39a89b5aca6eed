import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../core/stats/random.ts';
import type { Perturbation, QuestionPerturbation } from './perturbation.ts';
import { toPieces } from './pieces.ts';
import * as registry from './registry.ts';

const all: readonly Perturbation[] = Object.values(registry);
const offline = all.filter(
  (perturbation): perturbation is QuestionPerturbation =>
    'perturb' in perturbation && perturbation.model !== 'needed',
);

async function perturb(perturbation: QuestionPerturbation, text: string, seed: number): Promise<string> {
  const { rate, kind } = perturbation;
  const random = createRandom(seed).fork(kind);
  return await perturbation.perturb(text, {
    random,
    rate: rate?.usual ?? 1,
    variant: undefined,
    metadata: {},
  });
}

/** Texts of all kinds: of any characters, and of words as people write them. */
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        ...'What is the rent for apartment B12 at 900 S 9th St? Schrödinger’s “due date” naïve привет δοκιμή สวัสดี 家賃は maße 👩‍👩‍👧 WSM-DP3 a@b.example https://x.example/?q=Rent {{name}} ١٢٣ \n \t'.split(
          ' ',
        ),
      ),
    )
    .map((words) => words.join(' ')),
);

describe.each(offline.map((perturbation) => ({ kind: perturbation.kind, perturbation })))(
  '$kind',
  ({ perturbation }) => {
    test('the same seed gives the same question', async () => {
      await fc.assert(
        fc.asyncProperty(texts, fc.nat(), async (text, seed) => {
          expect(await perturb(perturbation, text, seed)).toBe(await perturb(perturbation, text, seed));
        }),
      );
    });

    test('an empty question stays empty', async () => {
      expect(await perturb(perturbation, '', 1)).toBe('');
    });

    test('no character is split', async () => {
      await fc.assert(
        fc.asyncProperty(texts, fc.nat(), async (text, seed) => {
          const changed = await perturb(perturbation, text.toWellFormed(), seed);
          expect(changed.isWellFormed()).toBe(true);
        }),
      );
    });

    test('every digit stays, in the same order', async () => {
      await fc.assert(
        fc.asyncProperty(texts, fc.nat(), async (text, seed) => {
          const digits = (of: string) => of.match(/\p{N}/gu)?.join('') ?? '';
          expect(digits(await perturb(perturbation, text, seed))).toBe(digits(text));
        }),
      );
    });

    test('parts that carry the meaning stay as they are', async () => {
      await fc.assert(
        fc.asyncProperty(texts, fc.nat(), async (text, seed) => {
          const changed = await perturb(perturbation, text, seed);
          for (const { text: part, isKept } of toPieces(text)) if (isKept) expect(changed).toContain(part);
        }),
      );
    });

    test('some English question is changed', async () => {
      const question = 'What is the monthly rent for the large apartment?';
      const seeds = [1, 2, 3];
      const changed = await Promise.all(seeds.map((seed) => perturb(perturbation, question, seed)));
      expect(changed.some((text) => text !== question)).toBe(true);
    });
  },
);

test('kinds are in kebab case and unique', () => {
  const kinds = all.map(({ kind }) => kind);
  expect(new Set(kinds).size).toBe(kinds.length);
  for (const kind of kinds) expect(kind).toMatch(/^[a-z]+(-[a-z]+)*$/);
});
