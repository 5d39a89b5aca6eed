import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeWithin, outOfTime, UnmeasurableError } from './compute-within.ts';
import { execPattern, testPattern } from './exec-pattern.ts';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';

const hostile = `${'a'.repeat(40)}!`;

test.each(['^(a+)+$', '^(a|a)*$', '^(?=(a+)+$).', '(x|a+){40}$', 'a*a*a*a*a*a*a*a*a*a*a*b'])(
  '%s on a text that almost matches runs out of time',
  (source) => {
    const pattern = new RegExp(source, 'u');
    const text = source.endsWith('b') ? 'a'.repeat(3000) : hostile;
    expect(computeWithin(100, () => pattern.exec(text))).toBe(outOfTime);
  },
);

test('a pattern that ran out of time works for the next text', () => {
  const pattern = /^(a+)+$/;
  const thrown = catchFrom(() => execPattern(pattern, hostile));
  expect(thrown).toBeInstanceOf(UnmeasurableError);
  expect(thrown).toMatchObject({
    code: 'pattern-too-slow',
    message: expect.stringContaining('looking for /'),
  });
  expect(execPattern(pattern, 'aaa')?.[0]).toBe('aaa');
  expect(testPattern(pattern, 'b')).toBe(false);
});

const sources = [
  'a',
  'a|b',
  'a+',
  'a*b',
  '(a+)+',
  '(a|b)*c',
  'a{2,3}',
  'a{2}',
  'a{2,}',
  '(?:ab?)+c',
  '^a',
  'a$',
  '^a.b$',
  '.',
  String.raw`\bA\b`,
  String.raw`\d+[.,]\d\d`,
  String.raw`(\w)\1`,
  '(?<x>a)|(?<y>b)',
  '(?=a)a',
  '(?<!a)b',
  '[^a]',
  '[\\]a-]+',
  String.raw`\u0041`,
  String.raw`\x41`,
  '[é-ü]',
  'ß',
  'ſ',
  '(?:🙂|b)+',
  'a{',
  'x{,3}',
  '(a?b?){0,20}c',
  '(((a)))',
  '()',
];
const unicodeSources = [
  String.raw`\p{L}+`,
  String.raw`\u{61}`,
  String.raw`[\p{Lu}\d]+`,
  String.raw`(?<n>.)\k<n>`,
  '.$',
];
const alphabet = [
  'a',
  'A',
  'b',
  'B',
  'c',
  'C',
  's',
  'S',
  '1',
  ',',
  '.',
  ' ',
  '\n',
  '-',
  ']',
  'é',
  'ß',
  'ſ',
  '\u212a',
  '🙂',
  '\ud83d',
  'e\u0301',
];
const texts = fc.array(fc.constantFrom(...alphabet), { maxLength: 30 }).map((parts) => parts.join(''));

test('ordinary patterns find what RegExp finds, watched or not', () => {
  const flagSets = ['', 'i', 'm', 's', 'im', 'u', 'iu', 'imsu', 'v'];
  const patterns = flagSets.flatMap((flags) =>
    [...sources, ...unicodeSources].flatMap((source) => tryCompile(source, flags)),
  );
  expect(patterns.length).toBeGreaterThan(200);
  const found = (match: RegExpExecArray | null) =>
    match && { texts: Array.from(match), index: match.index, groups: { ...match.groups } };
  fc.assert(
    fc.property(fc.constantFrom(...patterns), texts, (pattern, text) => {
      expect(found(execPattern(pattern, text))).toEqual(found(pattern.exec(text)));
    }),
    { numRuns: 3000 },
  );
});

test('work that is done in time returns its value or throws its error, also inside other work', () => {
  expect(computeWithin(1000, () => computeWithin(1000, () => 7))).toBe(7);
  expect(() =>
    computeWithin(1000, () => {
      throw new RangeError('mine');
    }),
  ).toThrow(RangeError);
  const inner = () => computeWithin(50, () => /^(a+)+$/.test(hostile));
  expect(computeWithin(10_000, inner)).toBe(outOfTime);
  expect(computeWithin(1000, () => undefined)).toBeUndefined();
});

test.skipIf(!isReleaseTested)(
  'a worker thread gives up as well and continues (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const file = new URL('./exec-pattern.ts', import.meta.url);
    const code = `
    const { parentPort } = require('node:worker_threads');
    import(${JSON.stringify(file.href)}).then(({ execPattern }) => {
      const replies = [];
      for (const text of [${JSON.stringify(hostile)}, 'aaa']) {
        try { replies.push(execPattern(/^(a+)+$/, text)?.[0]); } catch (error) { replies.push(error.code); }
      }
      parentPort.postMessage(replies);
    });`;
    const worker = new Worker(code, { eval: true });
    const replies = await new Promise((resolve, reject) =>
      worker.once('message', resolve).once('error', reject),
    );
    expect(replies).toEqual(['pattern-too-slow', 'aaa']);
    await worker.terminate();
  },
);

function tryCompile(source: string, flags: string): RegExp[] {
  try {
    return [new RegExp(source, flags)];
  } catch {
    return []; // Not written with these flags.
  }
}

function catchFrom(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
