import type { Random } from '../../../core/stats/random.ts';
import type { Perturbation } from './perturbation.ts';
import { changePieces, drawOne } from './pieces.ts';

const variants = ['upper', 'lower', 'mixed'] as const;

/** A question in capital letters, in small letters, or in both at random. */
export const letterCase: Perturbation = {
  kind: 'case',
  version: 1,
  summary:
    'ALL CAPITALS, all small letters, or bOTh; the seed chooses, unless one is named, as in case:upper.',
  variants,
  perturb: (question, { random, variant = drawOne(variants, random) }) =>
    changePieces(question, (part) =>
      Array.from(part, (character) => withCase(character, variant, random)).join(''),
    ),
};

function withCase(character: string, variant: string, random: Random): string {
  const isUpper = variant === 'mixed' ? random.integer(2) === 1 : variant === 'upper';
  const changed = isUpper ? character.toUpperCase() : character.toLowerCase();
  // ß has no capital of its own, and the final ς would come back as σ.
  const isSame = changed.toLowerCase() === character.toLowerCase() && Array.from(changed).length === 1;
  return isSame ? changed : character;
}
