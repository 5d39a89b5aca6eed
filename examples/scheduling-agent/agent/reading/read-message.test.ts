import { expect, test } from 'vitest';
import { foldText } from '../../calendar/fold-text.ts';
import { readClock, readLengthOfSpan } from './read-clock.ts';
import { readDay } from './read-day.ts';
import { readDuration } from './read-duration.ts';
import { readMessage } from './read-message.ts';
import { readNameList, readNames } from './read-names.ts';
import { readZone } from './read-zone.ts';

/** A Wednesday. */
const today = '2026-03-25';

const at = (hour: number, minute = 0) => ({ type: 'at', minutes: hour * 60 + minute });
const within = (from: number, to: number) => ({ type: 'within', from: from * 60, to: to * 60 });

test.each([
  ['Book 30 minutes with Ben, Sam Lee and Chloe tomorrow', ['ben', 'sam lee', 'chloe']],
  ['with Ben & Jörg at 3', ['ben', 'jorg']],
  ['Invite Ana, Ben, and Priya on Friday', ['ana', 'ben', 'priya']],
  ['a call between me and Kenji next week', ['kenji']],
  ['half an hour for Ben and me', ['ben']],
  ['Book Ben for 30 minutes today at 8am', ['ben']],
  ['with Ben for an hour, and add Chloe', ['ben', 'chloe']],
  ['Book any time tomorrow between 2 and 4pm', []],
  ['Book an hour for the hiring plan', []],
  ['Schedule something tomorrow', []],
])('"%s" names %j', (text, names) => {
  expect(readNames(foldText(text))).toEqual(names);
});

test('an answer to "whom?" may be names alone', () => {
  expect(readNameList('ben and sam lee, please')).toEqual(['ben', 'sam lee']);
});

test.each([
  ['30 minutes', 30],
  ['a 45-minute call', 45],
  ['half an hour', 30],
  ['a half hour', 30],
  ['an hour', 60],
  ['an hour and a half', 90],
  ['1.5 hours', 90],
  ['two hours', 120],
  ['a quarter of an hour', 15],
  ['at 10', undefined],
])('"%s" is %j minutes', (text, minutes) => {
  expect(readDuration(text)).toBe(minutes);
});

test.each([
  ['today', '2026-03-25'],
  ['tomorrow', '2026-03-26'],
  ['the day after tomorrow', '2026-03-27'],
  ['friday', '2026-03-27'],
  ['monday', '2026-03-30'],
  ['wednesday', '2026-04-01'],
  ['next monday', '2026-03-30'],
  ['next wednesday', '2026-04-01'],
  ['next friday', '2026-04-03'],
  ['march 30', '2026-03-30'],
  ['on the 2nd of april', '2026-04-02'],
  ['march 24', '2027-03-24'],
  ['2026-05-04', '2026-05-04'],
])('"%s" is %s', (text, day) => {
  expect(readDay(text, today)).toEqual({ from: day, to: day });
});

test('a week has five days, and the present one goes on from today', () => {
  expect(readDay('next week', today)).toEqual({ from: '2026-03-30', to: '2026-04-03' });
  expect(readDay('this week', today)).toEqual({ from: '2026-03-25', to: '2026-03-27' });
  expect(readDay('soon', today)).toBeUndefined();
});

test.each([
  ['at 9am', at(9)],
  ['at 3:30 pm', at(15, 30)],
  ['at 3', at(15)],
  ['at 10', at(10)],
  ['14:45', at(14, 45)],
  ['12am', at(0)],
  ['12pm', at(12)],
  ['at noon', at(12)],
  ['tomorrow morning', within(0, 12)],
  ['any time tomorrow afternoon', within(12, 17)],
  ['between 2 and 4pm', within(14, 16)],
  ['between 11 and 1pm', within(11, 13)],
  ['after 3pm', within(15, 24)],
  ['before noon', within(0, 12)],
  ['from 2 to 3:30pm', at(14)],
  ['for 30 minutes', undefined],
])('"%s" is %j', (text, clock) => {
  expect(readClock(text)).toEqual(clock);
});

test('a span says how long', () => {
  expect(readLengthOfSpan('from 2 to 3:30pm')).toBe(90);
  expect(readLengthOfSpan('between 2 and 4pm')).toBeUndefined();
});

test.each([
  ['3pm london time', { zone: 'Europe/London' }],
  ['15:00 utc', { zone: 'UTC' }],
  ['at 9am pacific', { zone: 'America/Los_Angeles' }],
  ["6:30pm priya's time", { zoneOf: 'priya' }],
  ['with the london team at 3pm', {}],
  ['any time', {}],
])('"%s" is on the clocks of %j', (text, zone) => {
  expect(readZone(text)).toEqual(zone);
});

test('a message is a task with a wish; a move also says what is moved', () => {
  const read = (text: string) => readMessage(text, { readNames, today });
  expect(read('Book an hour with Ben on Monday at 3 about the hiring plan.')).toMatchObject({
    task: 'book',
    wish: { names: ['ben'], minutes: 60, days: { from: '2026-03-30' }, clock: at(15), title: 'hiring plan' },
  });
  expect(read('Move my one-on-one with Ben on Friday to Monday at 11am')).toMatchObject({
    task: 'move',
    subject: { names: ['ben'], days: { from: '2026-03-27' } },
    wish: { names: [], days: { from: '2026-03-30' }, clock: at(11) },
  });
  expect(read('Cancel the budget review').task).toBe('cancel');
  expect(read('earliest slot tomorrow').wish.isFlexible).toBe(true);
});

test.each([
  ['Yes, the first one.', 'yes', 0],
  ['the third works', undefined, 2],
  ['Sounds good', 'yes', undefined],
  ['No thanks.', 'no', undefined],
  ['Oh, then forget it.', 'no', undefined],
  ['9:30 works for me', undefined, undefined],
])('"%s" is %j, choice %j', (text, reply, choice) => {
  expect(readMessage(text, { readNames, today })).toMatchObject({ reply, choice });
});

test('letters in capitals, odd spaces and accents make no difference', () => {
  const [plain, odd] = [
    'Book 30 minutes with Jörg tomorrow at 9am',
    '  BOOK 30  MINUTES with JORG tomorrow at 9AM',
  ];
  expect(readMessage(odd, { readNames, today })).toEqual(readMessage(plain, { readNames, today }));
});
