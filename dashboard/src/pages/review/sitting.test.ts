import { expect, test } from 'vitest';
import type { ReviewCardView } from '../../../../src/core/schema/api/review/card.ts';
import { buildRubric } from '../../../../test/support/build-labels.ts';
import {
  beginSitting,
  continueSitting,
  firstOpen,
  minutesOfLong,
  type Outgoing,
  type Sitting,
  type SittingEvent,
} from './sitting.ts';

const card = (item: number, purpose: ReviewCardView['purpose'] = 'new'): ReviewCardView => ({
  item,
  purpose,
  until: '2026-01-03T09:15:00.000Z',
  transcript: [],
  answer: `answer ${item}`,
  cuts: [],
});

const label = (item: number, path: Outgoing['path'] = 'labels'): Outgoing =>
  ({
    path,
    body: { person: 'ann', item, purpose: 'new', id: `id-${item}`, seconds: 1, order: 1 },
  }) as Outgoing;

const begin = (unsent?: Outgoing) => beginSitting([buildRubric()], { now: 0, unsent });

function after(sitting: Sitting, ...events: SittingEvent[]): Sitting {
  return events.reduce(continueSitting, sitting);
}

const filled = (...cards: ReviewCardView[]): SittingEvent & { readonly type: 'filled' } => ({
  type: 'filled',
  cards,
  gone: 0,
  hasMore: false,
});

const kept = (
  item: number,
  {
    now = 0,
    isRevealed = false,
    path = 'labels',
  }: { readonly now?: number; readonly isRevealed?: boolean; readonly path?: Outgoing['path'] } = {},
): SittingEvent => ({
  type: 'kept',
  outgoing: label(item, path),
  now,
  isRevealed,
});

const itemsOf = ({ queue }: Sitting) => queue.map(({ item }) => item);

test('an item that was labelled while a request was on its way is not offered again, but a second look at it is', () => {
  const sitting = after(
    begin(),
    filled(card(1), card(2)),
    kept(1),
    filled(card(1), card(2), card(3), card(1, 'repeat')),
  );
  expect(itemsOf(sitting)).toEqual([2, 3, 1]);
  expect(sitting.queue[2]?.purpose).toBe('repeat');
});

test('a sitting is exhausted when there are no more items, and not while some are left to others', () => {
  const few = { ...filled(card(1)), hasMore: true };
  expect(after(begin(), few).isExhausted).toBe(false);
  expect(after(begin(), few, kept(1), filled(card(2))).isExhausted).toBe(true);
});

test('what the server shows after the label comes to its item only, not to the one after it', () => {
  const revealed = { target: 'bot', total: null, verdicts: [], others: [], cuts: [] };
  const shown = after(begin(), filled(card(1), card(2)), kept(1, { isRevealed: true }));
  expect(after(shown, { type: 'revealed', item: 1, revealed }).phase).toMatchObject({
    type: 'revealed',
    revealed,
  });
  const gone = after(shown, { type: 'advanced' }, { type: 'revealed', item: 1, revealed });
  expect(gone.phase).toEqual({ type: 'labelling' });
  const next = after(gone, kept(2, { isRevealed: true }), {
    type: 'corrected',
    item: 1,
    finding: 'judge-wrong',
  });
  expect(next.phase).toEqual({ type: 'revealed' });
});

test('an undo brings back the item that was labelled or skipped last, with the counts of before', () => {
  const sitting = after(begin(), filled(card(1), card(2), card(3)), kept(1), kept(2, { path: 'skips' }));
  expect(sitting).toMatchObject({ labelled: 1, order: 2 });
  const skipTaken = after(sitting, { type: 'undone', item: 2, card: undefined });
  expect(itemsOf(skipTaken)).toEqual([2, 3]);
  expect(skipTaken.labelled).toBe(1);
  const both = after(skipTaken, { type: 'undone', item: 1, card: card(1) });
  expect(itemsOf(both)).toEqual([1, 2, 3]);
  expect(both.labelled).toBe(0);
  const shown = after(both, kept(1, { isRevealed: true }), { type: 'undone', item: 1, card: card(1) });
  expect(shown).toMatchObject({ labelled: 0, phase: { type: 'labelling' } });
  expect(itemsOf(shown)).toEqual([1, 2, 3]);
});

test('a label of an earlier sitting is sent first, and takes no item from the screen', () => {
  const sitting = begin(label(9));
  expect(sitting.phase).toMatchObject({ type: 'sending' });
  expect(itemsOf(after(sitting, filled(card(1)), kept(9, { isRevealed: true })))).toEqual([1]);
});

test('a sitting is long after 90 minutes, and a break of more than ten minutes begins another', () => {
  let sitting = after(begin(), filled(...Array.from({ length: 20 }, (_, item) => card(item))));
  for (let item = 0; item < 9; item += 1) sitting = after(sitting, kept(item, { now: (item + 1) * 600_000 }));
  expect(minutesOfLong(sitting)).toBeUndefined();
  sitting = after(sitting, kept(9, { now: 5_460_000 }));
  expect(minutesOfLong(sitting)).toBe(91);
  expect(minutesOfLong(after(sitting, kept(10, { now: 6_060_001 })))).toBeUndefined();
});

test('a text of blanks is no answer, and "not applicable" is one', () => {
  const drafted = (value: string | null) =>
    after(begin(), filled(card(1)), { type: 'drafted', draft: { value } });
  expect(firstOpen(drafted(' '))).toBe(0);
  expect(firstOpen(drafted(null))).toBe(-1);
});
