import type { Perturbation } from './perturbation.ts';
import { changeSome, drawOne } from './pieces.ts';

const gaps = ['  ', '   ', '\t', '\n', ' \n ', '\u00a0'];
const ends = ['', ' ', '  ', '\n'];

/** A question with double spaces, tabs, line breaks and non-breaking spaces between words, and space around it. */
export const whiteSpace: Perturbation = {
  kind: 'white-space',
  version: 1,
  summary:
    'Double spaces, tabs, line breaks and non-breaking spaces between the words, and space around them.',
  rate: { usual: 0.5, of: 'the spaces' },
  perturb: (question, { random, rate: share }) => {
    if (question.trim() === '') return question;
    const changed = changeSome(question, {
      pattern: / /g,
      share,
      random,
      change: () => drawOne(gaps, random),
    });
    return `${drawOne(ends, random)}${changed}${drawOne(ends, random)}`;
  },
};
