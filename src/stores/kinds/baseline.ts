import { baselineSchema } from '../../core/schema/decision.ts';
import { defineKind } from '../documents/kind.ts';

/** The baselines: the numbers that runs are compared with, each under a name. Their runs need not be in the store. */
export const baselineKind = defineKind({
  name: 'baseline',
  table: 'baselines',
  about: 'Baselines by name.',
  schema: () => baselineSchema,
  columns: {
    name: ['text', ({ name }) => name],
    run_id: ['text', ({ run }) => run.id],
    run_created_at: ['text', ({ run }) => run.createdAt],
  },
});
