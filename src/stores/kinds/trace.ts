import { z } from 'zod';
import { storedSpanSchema, traceHeadSchema } from '../../core/schema/trace/stored-trace.ts';
import { defineKind } from '../documents/kind.ts';

/** The traces of production, until their time is over or they are erased. */
export const traceKind = defineKind({
  name: 'trace',
  table: 'traces',
  about: 'Traces of production, until their time is over or they are erased.',
  schema: () => traceHeadSchema,
  columns: {
    id: ['text', ({ traceId }) => traceId],
    conversation: ['text?', ({ conversation }) => conversation],
    user_hash: ['text?', ({ user }) => user?.hash ?? null],
    started_at: ['text?', ({ startedAt }) => startedAt],
    received_at: ['text', ({ receivedAt }) => receivedAt],
    spans: ['integer', ({ spans }) => spans],
  },
  order: ['received_at', 'id'],
  isNewestFirst: true,
  indexes: [{ on: ['received_at', 'id'] }, { on: ['user_hash'] }, { on: ['conversation'], isLong: true }],
});

/** The spans of traces. */
export const spanKind = defineKind({
  name: 'span',
  table: 'spans',
  about: 'Spans of traces.',
  schema: () => storedSpanSchema,
  columns: { trace: ['text', ({ traceId }) => traceId], id: ['text', ({ spanId }) => spanId] },
  keyLength: 2,
});

const erasedTraceSchema = z.object({ traceId: z.string(), erasedAt: z.string() });

/** The traces that were erased, whose spans are refused. */
export const erasedTraceKind = defineKind({
  name: 'erased-trace',
  table: 'erased_traces',
  about: 'Traces that were erased, whose spans are refused.',
  schema: () => erasedTraceSchema,
  columns: { id: ['text', ({ traceId }) => traceId], erased_at: ['text', ({ erasedAt }) => erasedAt] },
});
