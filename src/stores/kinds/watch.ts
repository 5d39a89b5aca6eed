import { watchDaySchema, watchSchema } from '../../core/schema/watch/watch-record.ts';
import { defineKind } from '../documents/kind.ts';

/** The watches over the traces of production. */
export const watchKind = defineKind({
  name: 'watch',
  table: 'watches',
  about:
    'Watches over the traces of production: the state of their rules, and messages that are yet to be delivered.',
  schema: () => watchSchema,
  columns: { name: ['text', ({ name }) => name] },
});

/** The days of watches. */
export const watchDayKind = defineKind({
  name: 'watch-day',
  table: 'watch_days',
  about: 'Days of watches: what was drawn of the traces of a day, and its scores.',
  schema: () => watchDaySchema,
  columns: { watch: ['text', ({ watch }) => watch], day: ['text', ({ day }) => day] },
  keyLength: 2,
});
