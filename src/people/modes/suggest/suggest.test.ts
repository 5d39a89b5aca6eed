import { expect, test } from 'vitest';
import type { AskedRequest, Asker } from '../../../evaluate/judges/asking/create-asker.ts';
import { groupNotes } from './group-notes.ts';
import { linkNotes } from './link-notes.ts';

const notesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `n${index}`, text: `note ${index}` }));

/** An asker that replies by a function of the texts it gets, as a model of which only valid replies are taken. */
function askerOf(reply: (titles: readonly string[]) => object, asked: string[][] = []): Asker {
  return {
    ask: async (request: AskedRequest<never>) => {
      const titles = request.material.map(({ title }) => title);
      asked.push(request.material.map(({ text }) => text));
      const read = request.answer.safeParse(reply(titles));
      return read.success
        ? { status: 'answered', answer: read.data }
        : { status: 'failed', cause: 'unreadable', reason: String(read.error.issues[0]?.message) };
    },
  };
}

test('notes are sent 60 at a time, with the groups of before; what is twice or missing stays ungrouped', async () => {
  const asked: string[][] = [];
  const asker = askerOf(
    (titles) =>
      titles.includes('known groups')
        ? { groups: [{ name: 'Wrong date', definition: 'x', notes: [1, 2] }] }
        : {
            groups: [
              { name: 'wrong date', definition: 'States a wrong date.', notes: [1, 2, 3, 3] },
              { name: 'rude', definition: 'Is rude.', notes: [3, 4] },
            ],
          },
    asked,
  );
  const { groups, ungrouped } = await groupNotes(notesOf(63), asker);
  expect(groups).toEqual([
    { name: 'wrong date', definition: 'States a wrong date.', notes: ['n0', 'n1', 'n60', 'n61'] },
    { name: 'rude', definition: 'Is rude.', notes: ['n3'] },
  ]);
  expect(ungrouped).toHaveLength(63 - 5);
  expect(ungrouped).toContain('n2');
  expect(asked.map((texts) => texts.length)).toEqual([60, 4]);
});

test.each([
  ['ids that were not sent', { groups: [{ name: 'a', definition: 'b', notes: [9] }] }],
  ['no groups', { groups: [] }],
  ['something else', { answer: 'fine' }],
])('a reply with %s is unreadable', async (_, reply) => {
  await expect(
    groupNotes(
      notesOf(3),
      askerOf(() => reply),
    ),
  ).rejects.toMatchObject({
    code: 'grouping-unreadable',
  });
});

test('average linkage joins what is near, cuts at a distance, and names a group by its central note', () => {
  const at = (degrees: number) => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const vectors = [0, 10, 20, 90, 100, 200].map(at);
  const { groups, ungrouped } = linkNotes({ notes: notesOf(6), vectors, cut: 0.35 });
  expect(groups).toEqual([
    { name: 'note 1', definition: '', notes: ['n0', 'n1', 'n2'] },
    { name: 'note 3', definition: '', notes: ['n3', 'n4'] },
  ]);
  expect(ungrouped).toEqual(['n5']);
  expect(linkNotes({ notes: notesOf(6), vectors, cut: 2 }).groups[0]?.notes).toHaveLength(6);
  expect(linkNotes({ notes: notesOf(6), vectors, cut: 0.001 }).groups).toEqual([]);
});
