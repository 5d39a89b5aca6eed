import { batchRequestSchema, batchSchema } from '../../core/schema/batches/batch.ts';
import { defineKind } from '../documents/kind.ts';

/** The batches of requests that were submitted for runs, until their results are used. */
export const batchKind = defineKind({
  name: 'batch',
  table: 'batches',
  about: 'Batches of requests to models, until their results are used.',
  schema: () => batchSchema,
  columns: {
    id: ['text', ({ id }) => id],
    run_id: ['text', ({ run }) => run],
    state: ['text', ({ state }) => state],
    requests: ['integer', ({ requests }) => requests],
  },
  ofRun: 'run_id',
  indexes: [{ on: ['run_id', 'id'] }],
});

/** The questions that are answered in batches, until their judgements are stored. The key of the table locks a question. */
export const batchRequestKind = defineKind({
  name: 'batch-request',
  table: 'batch_requests',
  about: 'Questions that are answered in batches, until their judgements are stored.',
  schema: () => batchRequestSchema,
  columns: {
    id: ['text', ({ id }) => id],
    run_id: ['text', ({ run }) => run],
    model: ['text', ({ model }) => model],
    lead: ['text?', ({ lead }) => lead],
    batch: ['text?', ({ batch }) => batch],
    state: ['text', ({ state }) => state],
  },
  ofRun: 'run_id',
  indexes: [{ on: ['run_id', 'state', 'id'] }, { on: ['batch', 'id'] }],
});
