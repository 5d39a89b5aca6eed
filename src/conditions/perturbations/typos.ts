import { longWords } from './long-words.ts';
import { misspell } from './misspell.ts';
import type { Perturbation } from './perturbation.ts';
import { changeSome } from './pieces.ts';

/** Slips of the finger in some words, one in each. */
export const typos: Perturbation = {
  kind: 'typos',
  version: 1,
  summary: 'Slips of the finger: neighbouring keys, swapped, missing and doubled letters.',
  rate: { usual: 0.25, of: 'the words of four letters and more' },
  perturb: (question, { random, rate: share }) =>
    changeSome(question, {
      pattern: longWords(),
      share,
      random,
      change: (word) => misspell(word, random),
    }),
};
