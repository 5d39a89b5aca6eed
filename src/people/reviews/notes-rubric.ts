import { notesRubricId } from '../../core/schema/modes/mode.ts';
import type { Rubric } from '../../core/schema/review/rubric.ts';

/**
 * The rubric by which people read conversations before any failure mode is known. The note says what went wrong first, as it
 * is seen, without a cause; each further line of it is a further fault.
 */
export const notesRubric: Omit<Rubric, 'version'> = {
  id: notesRubricId,
  criterion: notesRubricId,
  question:
    'Is anything wrong? Note the first thing that went wrong, as you see it; further faults on further lines.',
  scale: { type: 'yes-no' },
  examples: [],
  maySeeContext: true,
  maySeeExpected: true,
  passing: [false],
  noteOn: [true],
  settle: 'agreement',
};
