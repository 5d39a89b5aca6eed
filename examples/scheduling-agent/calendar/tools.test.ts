import { expect, test } from 'vitest';
import { openCalendar } from './calendar.ts';
import { tools } from './tools.ts';

test('people are found by any of their names, with or without accents', () => {
  const names = ['Jorg', 'joerg', 'jörg becker', 'Sam', 'sam lee', 'Zoe', 'Lee Ben'];
  const found = tools.find_people(openCalendar(), { names });
  expect(found.map(({ matches }) => matches.map(({ id }) => id))).toEqual([
    ['joerg'],
    ['joerg'],
    ['joerg'],
    ['sam-lee', 'sam-okafor'],
    ['sam-lee'],
    [],
    [],
  ]);
});

test('free and busy times are those within the span, without the event that is to be moved', () => {
  const asked = { people: ['ben'], start: '2026-03-26T13:00Z', end: '2026-03-26T21:00Z' };
  const [ben] = tools.free_busy(openCalendar(), asked);
  expect(ben?.working).toEqual([{ start: '2026-03-26T13:00Z', end: '2026-03-26T21:00Z' }]);
  expect(ben?.busy.map(({ start }) => start)).toEqual([
    '2026-03-26T14:00Z',
    '2026-03-26T15:00Z',
    '2026-03-26T18:00Z',
  ]);
  const [without] = tools.free_busy(openCalendar(), { ...asked, except: 'e3' });
  expect(without?.busy).toHaveLength(2);
  expect(() => tools.free_busy(openCalendar(), { ...asked, people: ['nobody'] })).toThrow('404');
});

test('a meeting is booked once, however often the same booking is asked for', () => {
  const calendar = openCalendar();
  const asked = { title: 'Talk', participants: ['ana', 'ben'], start: '2026-03-26T13:00Z', minutes: 45 };
  const event = tools.book_event(calendar, asked);
  expect(event).toMatchObject({ start: '2026-03-26T13:00Z', end: '2026-03-26T13:45Z' });
  expect(tools.book_event(calendar, asked)).toEqual(event);
  expect(calendar.events).toHaveLength(15);
});

test('a participant has one meeting at a time, and meetings may follow each other', () => {
  const calendar = openCalendar();
  const asked = { title: 'Talk', participants: ['ana', 'ben'], minutes: 30 };
  expect(() => tools.book_event(calendar, { ...asked, start: '2026-03-26T14:30Z' })).toThrow(
    '409: Ben Carter is busy',
  );
  expect(() => tools.book_event(calendar, { ...asked, start: 'soon' })).toThrow('400');
  expect(calendar.events).toHaveLength(14);
  tools.book_event(calendar, { ...asked, start: '2026-03-26T15:30Z' });
  expect(calendar.events).toHaveLength(15);
});

test('a meeting may move onto a part of its own time, and keeps its length', () => {
  const calendar = openCalendar();
  const moved = tools.move_event(calendar, { id: 'e11', start: '2026-03-30T13:30Z' });
  expect(moved).toMatchObject({ start: '2026-03-30T13:30Z', end: '2026-03-30T14:30Z' });
  expect(() => tools.move_event(calendar, { id: 'e3', start: '2026-03-26T18:00Z' })).toThrow('409');
  expect(() => tools.move_event(calendar, { id: 'e99', start: '2026-03-26T18:00Z' })).toThrow('404');
});

test('a cancelled meeting is gone for everybody, however often it is cancelled, and what is over is not listed', () => {
  const calendar = openCalendar();
  const cancelled = tools.cancel_event(calendar, { id: 'e3' });
  expect(tools.cancel_event(calendar, { id: 'e3' })).toEqual(cancelled);
  expect(tools.list_events(calendar, { person: 'chloe' }).map(({ id }) => id)).toEqual([
    'e5',
    'e10',
    'e11',
    'e14',
  ]);
  calendar.now = '2026-03-28T00:00Z';
  expect(tools.list_events(calendar, { person: 'chloe' }).map(({ id }) => id)).toEqual(['e11', 'e14']);
});
