import type { Json } from '../../src/core/schema/json.ts';

/** A matcher, its meaning, and values that match and that do not; undefined is a missing value. */
export interface MatcherRow {
  readonly matcher: Json;
  readonly meaning: string;
  readonly fits: readonly (Json | undefined)[];
  readonly others: readonly (Json | undefined)[];
}

/** The matchers: tested, and printed in docs/tool-calls.md. */
export const matcherRows: readonly MatcherRow[] = [
  {
    matcher: { $near: 5, $tolerance: 0.1 },
    meaning: 'a number at most so far away',
    fits: [5, 4.9, 5.1],
    others: [5.11, '5', null],
  },
  {
    matcher: { $near: 200, $relative: 0.01 },
    meaning: 'the same, as a share of the number; of both, the wider counts',
    fits: [198, 202],
    others: [203, -200],
  },
  {
    matcher: { $text: 'San Francisco, CA' },
    meaning: 'a text, but for letter case, punctuation and white space',
    fits: ['san francisco CA', 'San-Francisco (CA)'],
    others: ['San Francisco', 5],
  },
  {
    matcher: { $text: 'A. B', $ignoring: '. ' },
    meaning: 'a text, but for letter case, the kind of quotes and just these characters',
    fits: ['ab', 'A B.'],
    others: ['A-B'],
  },
  {
    matcher: { $regex: '^2025-', $flags: 'i' },
    meaning: 'a text in which a JavaScript regular expression matches; flags i, m, s, u, v',
    fits: ['2025-03-01'],
    others: ['1.3.2025', 2025],
  },
  {
    matcher: { $instant: '2025-03-01T10:00:00Z' },
    meaning:
      'a date and time of ISO 8601 that is the same instant, in any zone; without a zone it is that of an unknown place',
    fits: ['2025-03-01T10:00:00.000Z', '2025-03-01T12:00:00+02:00', '2025-03-01 10:00Z'],
    others: ['2025-03-01T10:00:00+02:00', '2025-03-01T10:00:00', '2025-03-01', 5],
  },
  {
    matcher: { $oneOf: ['SF', { $text: 'San Francisco' }] },
    meaning: 'any of several values or matchers',
    fits: ['SF', 'san francisco'],
    others: ['LA', undefined],
  },
  {
    matcher: { $schema: { type: 'integer', minimum: 1 } },
    meaning: 'a value that a JSON Schema allows',
    fits: [1, 7],
    others: [0, 1.5, undefined],
  },
  { matcher: { $any: true }, meaning: 'any value that is there', fits: [0, null, ''], others: [undefined] },
  { matcher: { $absent: true }, meaning: 'no value at all', fits: [undefined], others: [null, ''] },
  {
    matcher: { $set: ['a', 'b'] },
    meaning: 'a list with just these members; order and repetition do not count',
    fits: [['b', 'a', 'b']],
    others: [['a'], ['a', 'b', 'c'], 'a'],
  },
  {
    matcher: { $unordered: ['a', 'b', 'b'] },
    meaning: 'a list of just these items; order does not count, repetition does',
    fits: [['b', 'a', 'b']],
    others: [['a', 'b']],
  },
  {
    matcher: { $includes: ['a', { $regex: '^b' }] },
    meaning: 'a list in which each of these is found',
    fits: [['bc', 'x', 'a']],
    others: [['a'], 'ab'],
  },
  {
    matcher: { $not: { $regex: 'secret' } },
    meaning: 'anything else, or nothing',
    fits: ['fine', 5, undefined],
    others: ['a secret'],
  },
  {
    matcher: { $exact: { $near: 5 } },
    meaning: 'just this value: nothing in it is a matcher, nothing may be missing or more',
    fits: [{ $near: 5 }],
    others: [5, { $near: 5, x: 1 }],
  },
];
