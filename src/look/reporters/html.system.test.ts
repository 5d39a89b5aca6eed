import { expect, test } from 'vitest';
import { readPieces, sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import type { SampleTrial } from '../../../test/support/judge-sample.ts';
import type { Judgement } from '../../core/schema/judgement.ts';
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

test('a trial has the questions to judges that its verdicts are based on', async () => {
  const input = sampleInput([{ found: ['x'] }]);
  const judgement = { id: 'j1', outcome: { status: 'failed', code: 'x', reason: 'the reply of <b>' } };
  const text = await readPieces(
    html.report(
      {
        ...input,
        results: async function* results(ordinals) {
          for await (const result of input.results(ordinals)) {
            const verdict = { status: 'scored' as const, value: 1, judgements: ['j1'] };
            yield { ...result, verdicts: { ...result.verdicts, relevance: verdict } };
          }
        },
        judgements: async function* judgements(ids) {
          if (ids.includes('j1')) yield judgement as Judgement;
        },
      },
      sampleView(),
    ),
  );
  expect(text).toContain('/trials/0/judgements">{"judgements":[{"id":"j1"');
  expect(text).toContain(String.raw`the reply of \u003cb>`);
});
