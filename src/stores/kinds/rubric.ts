import { rubricEquivalenceSchema, rubricSchema } from '../../core/schema/review/rubric.ts';
import { defineKind } from '../documents/kind.ts';

/** The versions of rubrics. */
export const rubricKind = defineKind({
  name: 'rubric',
  table: 'rubrics',
  about: 'The versions of rubrics.',
  schema: () => rubricSchema,
  columns: {
    id: ['text', ({ id }) => id],
    version: ['text', ({ version }) => version],
    criterion: ['text', ({ criterion }) => criterion],
  },
  keyLength: 2,
});

/** The statements of people that two versions of a rubric mean the same. */
export const equivalenceKind = defineKind({
  name: 'equivalence',
  table: 'rubric_equivalences',
  about: 'Versions of a rubric that mean the same, as people have stated.',
  schema: () => rubricEquivalenceSchema,
  columns: { id: ['text', ({ id }) => id], rubric: ['text', ({ rubric }) => rubric] },
});
