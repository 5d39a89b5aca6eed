import { expect, test } from 'vitest';
import { setMember } from './set-member.ts';

test('any name is that of a member, and no object changes its kind', () => {
  const record: Record<string, unknown> = {};
  for (const name of ['a', 'constructor', '__proto__']) setMember(record, name, { polluted: true });
  expect(Object.keys(record)).toEqual(['a', 'constructor', '__proto__']);
  expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  expect('polluted' in record).toBe(false);
});
