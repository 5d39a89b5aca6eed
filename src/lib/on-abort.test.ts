import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { onAbort } from './on-abort.ts';

test('everything that waits for a signal is done once, in the order in which it came', () => {
  const controller = new AbortController();
  const done: number[] = [];
  for (const number of [1, 2, 3]) onAbort(controller.signal, () => done.push(number));
  controller.abort();
  expect(done).toEqual([1, 2, 3]);
});

test('what was called off is not done, also when that happens while others are', () => {
  const controller = new AbortController();
  const done: string[] = [];
  const work = () => done.push('work');
  const callOff = onAbort(controller.signal, work);
  onAbort(controller.signal, () => callOffLast());
  onAbort(controller.signal, work);
  const callOffLast = onAbort(controller.signal, () => done.push('last'));
  callOff();
  controller.abort();
  expect(done).toEqual(['work']);
});

test('nobody listens to a signal any more once all was called off, and what comes after that is done all the same', () => {
  const controller = new AbortController();
  const done: number[] = [];
  const callOffs = [1, 2].map((number) => onAbort(controller.signal, () => done.push(number)));
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  for (const callOff of callOffs) callOff();
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  onAbort(controller.signal, () => done.push(3));
  for (const callOff of callOffs) callOff();
  controller.abort();
  expect(done).toEqual([3]);
});
