import { z } from 'zod';
import { labelPurposeSchema } from '../../core/schema/review/label.ts';
import { reviewItemSchema, reviewTaskSchema } from '../../core/schema/review/review-task.ts';
import { defineKind } from '../documents/kind.ts';

/** The review tasks. */
export const reviewTaskKind = defineKind({
  name: 'review-task',
  table: 'review_tasks',
  about: 'Review tasks.',
  schema: () => reviewTaskSchema,
  columns: {
    id: ['text', ({ id }) => id],
    created_at: ['text', ({ createdAt }) => createdAt],
    run_id: ['text', ({ frame }) => frame.run],
    status: ['text', ({ status }) => status],
  },
  order: ['created_at', 'id'],
  isNewestFirst: true,
});

/** The answers to be labelled in review tasks. */
export const reviewItemKind = defineKind({
  name: 'review-item',
  table: 'review_items',
  about: 'The answers to be labelled in review tasks; `people` is the number of those who are to label one.',
  schema: () => reviewItemSchema,
  columns: {
    task: ['text', ({ task }) => task],
    position: ['integer', ({ position }) => position],
    people: ['integer', ({ people }) => people],
    run_id: ['text?', ({ subject }) => subject.run ?? null],
    ordinal: ['integer?', ({ subject }) => subject.ordinal ?? null],
    case_hash: ['text', ({ subject }) => subject.caseHash],
    answer_hash: ['text', ({ subject }) => subject.answerHash],
    stratum: ['text', ({ stratum }) => stratum],
  },
  keyLength: 2,
  part: 'task',
  indexes: [{ on: ['task', 'position', 'people'] }],
});

const reservationSchema = z.lazy(() =>
  z.object({
    task: z.string(),
    item: z.int().nonnegative(),
    person: z.string(),
    purpose: labelPurposeSchema,
    until: z.iso.datetime(),
  }),
);

/** The items that people are labelling now. */
export const reservationKind = defineKind({
  name: 'reservation',
  table: 'reservations',
  about: 'Items that a person is labelling now.',
  schema: () => reservationSchema,
  columns: {
    task: ['text', ({ task }) => task],
    item: ['integer', ({ item }) => item],
    person: ['text', ({ person }) => person],
    purpose: ['text', ({ purpose }) => purpose],
    until: ['text', ({ until }) => until],
  },
  keyLength: 2,
});
