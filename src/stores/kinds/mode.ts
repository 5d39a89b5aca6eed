import { groupingSchema } from '../../core/schema/modes/grouping.ts';
import { markSchema } from '../../core/schema/modes/mark.ts';
import { modeSchema } from '../../core/schema/modes/mode.ts';
import { defineKind } from '../documents/kind.ts';

/** The failure modes, each with all its records: events that never change, the newest of which holds. */
export const modeKind = defineKind({
  name: 'mode',
  table: 'modes',
  about: 'Failure modes: events that never change; the newest record of a mode holds.',
  schema: () => modeSchema,
  columns: {
    entry: ['text', ({ entry }) => entry],
    id: ['text', ({ id }) => id],
    version: ['text', ({ version }) => version],
    written_at: ['text', ({ at }) => at],
  },
  order: ['written_at', 'entry'],
  indexes: [{ on: ['written_at', 'entry'] }],
  describe: ({ id, written_at: at }) => `the mode ${id} as of ${at}`,
});

/** The marks of people, which say whether an answer has a failure mode: events that never change. */
export const markKind = defineKind({
  name: 'mark',
  table: 'marks',
  about:
    'Marks of people, whether an answer has a failure mode: events that never change; one that was replaced stays.',
  schema: () => markSchema,
  columns: {
    id: ['text', ({ id }) => id],
    // Empty for an answer without a task.
    task: ['text', ({ task }) => task ?? ''],
    note: ['text?', ({ note }) => note],
    mode: ['text', ({ mode }) => mode.id],
    mode_version: ['text', ({ mode }) => mode.version],
    person: ['text', ({ by }) => by.person],
    // 1 and 0: the answer has the mode, it has not; null for a withdrawal.
    present: ['integer?', ({ present, withdrawn }) => (withdrawn === true ? null : Number(present))],
    is_first: ['integer', ({ first }) => Number(first)],
    given_at: ['text', ({ at }) => at],
    replaces: ['text?', ({ replaces }) => replaces ?? null],
    run_id: ['text?', ({ subject }) => subject.run ?? null],
    category: ['text?', ({ subject }) => subject.category ?? null],
    target: ['text', ({ subject }) => subject.target],
    case_hash: ['text', ({ subject }) => subject.caseHash],
    answer_hash: ['text', ({ subject }) => subject.answerHash],
  },
  order: ['given_at', 'id'],
  part: 'task',
  indexes: [
    // All that the table of modes reads, so that it reads no records.
    {
      on: ['mode', 'given_at', 'id'],
      with: [
        'mode_version',
        'person',
        'present',
        'is_first',
        'replaces',
        'category',
        'target',
        'case_hash',
        'answer_hash',
      ],
    },
    { on: ['given_at', 'id'] },
    { on: ['task', 'given_at', 'id'] },
    { on: ['answer_hash'] },
    { on: ['run_id'] },
  ],
  describe: ({ id, person, mode }) => `mark ${id} of ${person} of the mode ${mode}`,
});

/** The suggested groups of notes: events that never change. */
export const groupingKind = defineKind({
  name: 'grouping',
  table: 'groupings',
  about: 'Suggested groups of notes, of which nothing counts until people make modes of them.',
  schema: () => groupingSchema,
  columns: {
    id: ['text', ({ id }) => id],
    task: ['text', ({ task }) => task ?? ''],
    made_at: ['text', ({ at }) => at],
  },
  order: ['made_at', 'id'],
  isNewestFirst: true,
});
