import { z } from 'zod';
import { personSchema, recordIdSchema, spansSchema } from '../review/label.ts';
import { modeIdSchema } from './mode.ts';

const text = z.string().trim().min(1).max(4000);
const sentences = z.array(text).max(50).optional();

const newModeShape = {
  id: modeIdSchema,
  name: text.optional(),
  definition: text,
  includes: sentences,
  excludes: sentences,
};

const editSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('add'), ...newModeShape }),
  z.object({ type: z.literal('rename'), id: modeIdSchema, name: text }),
  z.object({
    type: z.literal('redefine'),
    id: modeIdSchema,
    definition: text.optional(),
    includes: sentences,
    excludes: sentences,
    sameMeaning: z.boolean().optional(),
  }),
  z.object({ type: z.literal('merge'), id: modeIdSchema, into: modeIdSchema }),
  z.object({
    type: z.literal('split'),
    id: modeIdSchema,
    into: z.array(z.object(newModeShape)).min(2).max(20),
    sameMeaning: z.array(modeIdSchema).optional(),
  }),
  z.object({ type: z.literal('retire'), id: modeIdSchema }),
  z.object({
    type: z.literal('same-meaning'),
    id: modeIdSchema,
    as: modeIdSchema,
    version: recordIdSchema.optional(),
  }),
  z.object({ type: z.literal('undo'), id: modeIdSchema }),
]);

/** A request to change the failure modes. */
export const editModeRequestSchema = z.object({ person: personSchema, edit: editSchema });

/** A request to mark the failure modes of an answer, by the note of who read it or by its place. */
export const markModesRequestSchema = z.object({
  person: personSchema,
  answer: z.union([
    z.object({ note: recordIdSchema }),
    z.object({
      run: z.string().optional(),
      case: z.string(),
      target: z.string().optional(),
      attempt: z.int().positive().optional(),
    }),
  ]),
  /** By mode: whether the answer has it; null takes the own mark back. */
  modes: z.record(modeIdSchema, z.boolean().nullable()),
  /** False: it has none of the other open modes. */
  others: z.literal(false).optional(),
  first: modeIdSchema.optional(),
  spans: z.record(modeIdSchema, spansSchema).optional(),
});
