import { expect, test } from 'vitest';
import { readPieces, sampleInput, sampleView } from '../../test/support/build-sample-run.ts';
import type { SampleTrial } from '../../test/support/judge-sample.ts';
import { html } from './html.ts';

test('a file contains the worst 2,000 of 3,000 cases, and says so', async () => {
  const many = Array.from({ length: 3_000 }, (_, index): SampleTrial => {
    return index % 2 === 0 ? { found: ['a'] } : { found: ['a'], missing: ['b', 'c', 'd', 'e'] };
  });
  const text = await readPieces(html.report(sampleInput(many), sampleView()));
  expect(text).toContain('"shown":2000,"cases":3000');
  const kept = Array.from(text.matchAll(/trials\/(\d+)">/g), ([, ordinal]) => Number(ordinal));
  expect(kept).toHaveLength(2_000);
  expect(kept.slice(0, 1_500).every((ordinal) => ordinal % 2 === 1)).toBe(true);
  expect(kept.slice(1_500)).toEqual(Array.from({ length: 500 }, (_, index) => index * 2));
});

test('a file stays below 20 MB, whatever the cases are', async () => {
  const long = 'x'.repeat(9_000_000);
  const input = sampleInput([{ found: ['a'], answer: long }, { found: ['a'] }]);
  // The answer is in the transcript too, so that this case alone would fill the file.
  const large = sampleInput([{ found: ['a'], answer: `${long}${long}` }, { found: ['a'] }]);
  expect(await readPieces(html.report(input, sampleView()))).toContain('"shown":2,"cases":2');
  const cut = await readPieces(html.report(large, sampleView()));
  expect(cut).toContain('"shown":1,"cases":2');
  expect(cut.length).toBeLessThan(21_000_000);
});

test('cases are listed by their worst trial: what did not pass first, then by the smallest total', async () => {
  const right = { expectedTools: ['a'], usedTools: ['a'], found: ['x'] };
  const poor = { found: ['x'], missing: ['y', 'z', 'u', 'v'] };
  const input = sampleInput([
    { ...right, id: 'right', target: 'one' },
    { ...right, id: 'right', target: 'two' },
    { ...right, id: 'error', target: 'one' },
    { id: 'error', target: 'two', error: { code: 'timeout', message: '' } },
    { ...right, id: 'poor', target: 'one' },
    { ...poor, id: 'poor', target: 'two' },
    { ...right, id: 'unmeasured', target: 'one' },
    { ...right, id: 'unmeasured', target: 'two', isUnmeasured: true },
  ]);
  const text = await readPieces(html.report(input, sampleView()));
  const ordinals = Array.from(text.matchAll(/trials\/(\d+)">/g), ([, ordinal]) => Number(ordinal));
  expect(ordinals).toEqual([4, 5, 2, 3, 6, 7, 0, 1]);
});
