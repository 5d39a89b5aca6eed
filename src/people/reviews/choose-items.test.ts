import { expect, test } from 'vitest';
import { type Label, markOf } from '../../core/schema/review/label.ts';
import type { Reservation, ReviewTask } from '../../core/schema/review/review-task.ts';
import { buildItems, buildLabel, buildRubric, buildTask } from '../../../test/support/build-labels.ts';
import { chooseItems } from './choose-items.ts';
import type { ReviewView } from './review-view.ts';

const now = new Date('2026-01-10T12:00:00.000Z');
const earlier = '2026-01-05T09:00:00.000Z';

interface Given {
  readonly task?: Partial<ReviewTask>;
  readonly people?: number;
  readonly labels?: readonly Label[];
  readonly reservations?: readonly Reservation[];
}

function viewOf({ task: parts = {}, people = 1, labels = [], reservations = [] }: Given = {}): ReviewView {
  const task = buildTask(parts);
  const items = buildItems(task, { people });
  return { task, rubrics: [buildRubric()], items, marks: labels.map(markOf), reservations };
}

function choose(given: Given, person = 'ann', role: 'reviewer' | 'adjudicator' = 'reviewer') {
  return chooseItems(viewOf(given), { person, role, now });
}

function reserve(item: number, person: string, minutes: number): Reservation {
  const until = new Date(now.getTime() + minutes * 60_000).toISOString();
  return { item, person, purpose: 'new', until };
}

test('each person gets all items in a random order of their own, the same every time', () => {
  const [ann, bob] = [choose({}), choose({}, 'bob')].map((wishes) => wishes.map(({ item }) => item));
  const all = Array.from({ length: 10 }, (_, item) => item);
  expect(ann?.toSorted((a, b) => a - b)).toEqual(all);
  expect(bob?.toSorted((a, b) => a - b)).toEqual(all);
  expect(ann).not.toEqual(all);
  expect(ann).not.toEqual(bob);
  expect(choose({}).map(({ item }) => item)).toEqual(ann);
  expect(choose({ task: { seed: 8 } }).map(({ item }) => item)).not.toEqual(ann);
  const left = choose({ labels: [buildLabel('a', { item: ann?.[0] as number })] });
  expect(left.map(({ item }) => item)).toEqual(ann?.slice(1));
});

test('an item has as many labels as it wants, of different people, and a skipped one goes to others', () => {
  const labels = [
    buildLabel('a', { item: 1 }),
    buildLabel('b', { item: 2, outcome: { status: 'skipped', reason: 'unclear' } }),
  ];
  const itemsOf = (given: Given, person: string) => choose(given, person).map(({ item }) => item);
  expect(itemsOf({ labels }, 'ann')).not.toContain(1);
  expect(itemsOf({ labels }, 'ann')).not.toContain(2);
  expect(itemsOf({ labels }, 'bob')).not.toContain(1);
  expect(itemsOf({ labels }, 'bob')).toContain(2);
  expect(itemsOf({ labels, people: 2 }, 'bob')).toContain(1);
  expect(itemsOf({ labels, people: 2 }, 'ann')).not.toContain(1);
});

test('an item that another person has reserved is not offered until the time is over; an own one comes first', () => {
  const reservations = [reserve(4, 'ann', 10), reserve(5, 'bob', 10), reserve(6, 'bob', -1)];
  const wishes = choose({ reservations });
  expect(wishes[0]).toEqual({ item: 4, purpose: 'new' });
  const items = wishes.map(({ item }) => item);
  expect(items).not.toContain(5);
  expect(items).toContain(6);
});

test('of the own labels that are a day old, the planned share is asked again, once', () => {
  const task = { items: 40, repeats: { share: 0.05, afterMs: 86_400_000 } };
  const old = Array.from({ length: 39 }, (_, item) => buildLabel(`l${item}`, { item, at: earlier }));
  const [again, ...others] = choose({ task, labels: old });
  expect(again?.purpose).toBe('repeat');
  expect(others).toEqual([{ item: 39, purpose: 'new' }]);
  const repeated = buildLabel('r', { item: again?.item as number, purpose: 'repeat' });
  expect(choose({ task, labels: [...old, repeated] })).toEqual([{ item: 39, purpose: 'new' }]);
  const fresh = old.map((label) => ({ ...label, at: '2026-01-10T11:00:00.000Z' }));
  expect(choose({ task, labels: fresh })).toEqual([{ item: 39, purpose: 'new' }]);
});

test('a share of the items is a control: settled by others, and not seen by this person', () => {
  const task = { items: 60, controls: { share: 0.05 } };
  const settled = Array.from({ length: 20 }, (_, item) => buildLabel(`b${item}`, { item, person: 'bob' }));
  const own = Array.from({ length: 20 }, (_, index) => buildLabel(`a${index}`, { item: 20 + index }));
  const [control, ...others] = choose({ task, labels: [...settled, ...own] });
  expect(control?.purpose).toBe('control');
  expect(control?.item).toBeLessThan(20);
  expect(others.every(({ purpose, item }) => purpose === 'new' && item >= 40)).toBe(true);
  const checked = buildLabel('k', { item: control?.item as number, purpose: 'control' });
  const after = choose({ task, labels: [...settled, ...own, checked] });
  expect(after.every(({ purpose }) => purpose === 'new')).toBe(true);
  expect(choose({ task, labels: [...settled, ...own.slice(1)] })[0]?.purpose).toBe('new');
});

test('a disputed item goes to an adjudicator who has not labelled it, and to no reviewer', () => {
  const labels = [
    buildLabel('a', { item: 3 }),
    buildLabel('b', { item: 3, person: 'bob', value: false }),
    buildLabel('c', { item: 4, person: 'cem' }),
  ];
  expect(choose({ labels, people: 2 }, 'cem', 'adjudicator')).toEqual([{ item: 3, purpose: 'dispute' }]);
  expect(choose({ labels, people: 2 }, 'ann', 'adjudicator')).toEqual([]);
  expect(choose({ labels, people: 2 }, 'cem').map(({ item }) => item)).not.toContain(3);
  const decision = buildLabel('d', { item: 3, person: 'cem', kind: 'adjudication', purpose: 'dispute' });
  expect(choose({ labels: [...labels, decision], people: 2 }, 'dee', 'adjudicator')).toEqual([]);
});
