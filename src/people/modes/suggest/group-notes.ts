import { z } from 'zod';
import {
  type AskedReply,
  type AskedRequest,
  type Asker,
  objectOf,
} from '../../../evaluate/judges/asking/create-asker.ts';
import { lazily } from '../../../core/lib/lazily.ts';
import type { Grouping } from '../../../core/schema/modes/grouping.ts';
import { TouchstoneError } from '../../../core/errors.ts';

/** The versions of the prompts below. */
export const groupPrompts = { 'group-notes': 1 } as const;

/** A note to group: the id of its label, and its first line, which is what went wrong first. */
export interface NoteText {
  readonly id: string;
  readonly text: string;
}

/** Groups of notes, without the record that they become. */
export type NoteGroups = Pick<Grouping, 'groups' | 'ungrouped'>;

/** The most notes that one request contains. */
const batchSize = 60;

const text = z.string().trim().min(1);

const replySchema = lazily(() =>
  z.object({
    groups: z.array(z.object({ name: text, definition: text, notes: z.array(z.int()).min(1) })).min(1),
  }),
);
type GroupsReply = z.infer<ReturnType<typeof replySchema>>;

/**
 * Asks a model to group notes, at most 60 at a time: it sees notes, never answers, and the groups of earlier requests. A note that
 * it puts into no group, or into several, stays ungrouped. Throws `grouping-unreadable` for a reply that cannot be used, after it was
 * asked for once more.
 */
export async function groupNotes(notes: readonly NoteText[], asker: Asker): Promise<NoteGroups> {
  const groups: Grouping['groups'] = [];
  for (let start = 0; start < notes.length; start += batchSize) {
    const batch = notes.slice(start, start + batchSize);
    const reply = requireAnswer(await asker.ask(requestGroups(batch, groups)));
    const uses = new Map<number, number>();
    for (const number of reply.groups.flatMap((group) => [...new Set(group.notes)]))
      uses.set(number, (uses.get(number) ?? 0) + 1);
    for (const { name, definition, notes: numbers } of reply.groups) {
      const own = [...new Set(numbers)].filter((number) => uses.get(number) === 1);
      const ids = own.flatMap((number) => batch[number - 1]?.id ?? []);
      if (ids.length === 0) continue;
      const known = groups.find((group) => group.name.toLowerCase() === name.toLowerCase());
      if (known === undefined) groups.push({ name, definition, notes: ids });
      else known.notes.push(...ids);
    }
  }
  const grouped = new Set(groups.flatMap((group) => group.notes));
  return { groups, ungrouped: notes.flatMap(({ id }) => (grouped.has(id) ? [] : [id])) };
}

const instructions = `People read conversations of a chatbot and noted the first thing that went wrong in each. Put the notes into groups, so that each group is one kind of failure: one that could be counted, and that one change of the chatbot could mend.
- Few groups, each narrow: "states a wrong date", not "quality issues". Notes about different failures are never in one group, even if they are about the same topic.
- \`name\`: two to four words. \`definition\`: one sentence that says what the chatbot does wrong, such that a stranger could decide for any conversation whether it happens there.
- \`notes\`: the numbers of the notes of the group. Each note is in one group at most; leave out notes that fit none.
- Where a part "known groups" is there, use the name of a known group for notes that belong to it.`;

/** Writes the request for the groups of some notes, which are numbered from 1. */
function requestGroups(
  notes: readonly NoteText[],
  known: Grouping['groups'],
): AskedRequest<GroupsReply, keyof typeof groupPrompts> {
  const names = known.map(({ name, definition }) => `${name}: ${definition}`).join('\n');
  return {
    prompt: 'group-notes',
    instructions,
    variant: null,
    material: [
      ...(known.length === 0 ? [] : [{ title: 'known groups', text: names }]),
      ...notes.map((note, index) => ({ title: `note ${index + 1}`, text: note.text })),
    ],
    example:
      '"groups": [{"name": "wrong date", "definition": "States a date that no source gives.", "notes": [1, 4]}]',
    properties: {
      groups: {
        type: 'array',
        items: objectOf({
          name: { type: 'string' },
          definition: { type: 'string' },
          notes: { type: 'array', items: { type: 'integer' } },
        }),
      },
    },
    answer: replySchema().refine(
      ({ groups }) =>
        groups.every((group) => group.notes.every((number) => number >= 1 && number <= notes.length)),
      { message: `the notes are numbered from 1 to ${notes.length}`, path: ['groups'] },
    ),
  };
}

function requireAnswer(reply: AskedReply<GroupsReply>): GroupsReply {
  if (reply.status === 'answered') return reply.answer;
  if (reply.cause === 'unreadable')
    throw new TouchstoneError(
      'grouping-unreadable',
      `The groups of the model cannot be used: ${reply.reason}.`,
    );
  throw new TouchstoneError('model-unreachable', `The model grouped no notes: ${reply.reason}.`);
}
