import { expect, test } from 'vitest';
import { readInstant } from './read-instant.ts';

test.each([
  '2025-03-01T10:00:00Z',
  '2025-03-01T10:00:00.000Z',
  '2025-03-01T10:00Z',
  '2025-03-01 10:00:00Z',
  '2025-03-01t10:00:00z',
  '2025-03-01T12:00:00+02:00',
  '2025-03-01T12:00:00+0200',
  '2025-03-01T12:00:00+02',
  '2025-03-01T05:30:00-04:30',
  '2025-03-01T10:00:00,000000000+00:00',
  ' 2025-03-01T10:00:00-00:00 ',
  '2025-03-02T00:00:00+14:00',
])('%s is ten o’clock in Greenwich', (text) => {
  expect(readInstant(text)).toBe('instant 2025-03-01T10:00:00.000Z');
});

test.each([
  '2025-03-01T10:00:01Z',
  '2025-03-01T10:00:00.001Z',
  '2025-03-01T10:00:00.0000001Z',
  '2025-03-01T10:00:00+02:00',
  '2025-03-02T10:00:00Z',
  '2025-03-01T10:00:00',
])('%s is another time', (text) => {
  expect(readInstant(text)).toBeDefined();
  expect(readInstant(text)).not.toBe('instant 2025-03-01T10:00:00.000Z');
});

test('times without a zone equal each other', () => {
  expect(readInstant('2025-03-01 10:00')).toBe(readInstant('2025-03-01T10:00:00.0'));
});

test.each([
  '',
  '2025-03-01',
  '10:00',
  'tomorrow',
  '2025-02-30T10:00:00Z',
  '2025-13-01T10:00:00Z',
  '2025-03-01T25:00:00Z',
  '2025-03-01T10:61:00Z',
  '2025-03-01T10:00:00+99:00',
  'at 2025-03-01T10:00:00Z',
  '1740823200',
  '01.03.2025 10:00',
])('%j is no instant', (text) => {
  expect(readInstant(text)).toBeUndefined();
});
