import { expect, test } from 'vitest';
import { readPieces, sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import type { SampleTrial } from '../../../test/support/judge-sample.ts';
import { pictures } from '../../../test/support/pictures.ts';
import { hashBytes } from '../../core/lib/content-hash.ts';
import type { Message } from '../../core/schema/message.ts';
import type { ReportInput } from './reporter.ts';
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

/** Builds a report whose answers have these files, one each, all read from one place. */
function inputWithFiles(files: readonly Buffer[], kept: readonly Buffer[] = files): ReportInput {
  const input = sampleInput(files.map(() => ({ found: ['a'] })));
  const blobs = new Map(kept.map((bytes) => [hashBytes(bytes), bytes]));
  return {
    ...input,
    readBlob: async (hash) => blobs.get(hash),
    results: async function* results(ordinals) {
      for await (const result of input.results(ordinals)) {
        const bytes = files[result.trial.ordinal] ?? Buffer.alloc(0);
        const file = { hash: hashBytes(bytes), mediaType: 'image/png' as const, bytes: bytes.length, at: 0 };
        const [question, answer] = result.trial.transcript as [Message, Message];
        yield {
          ...result,
          trial: { ...result.trial, transcript: [question, { ...answer, attachments: [file] }] },
        };
      }
    },
  };
}

const kibibyte = 1024;
const sized = (size: number, name: number) =>
  Buffer.concat([pictures.png, Buffer.from(String(name)), Buffer.alloc(size)]).subarray(0, size);
const picturesIn = (text: string) =>
  Array.from(text.matchAll(/data-answer="\/blobs\/([0-9a-f]{64})">"data:([^;]+);base64,/g));

test('a picture of at most 256 KiB is in the file, once, as what its first bytes are', async () => {
  const [small, large] = [sized(256 * kibibyte, 1), sized(256 * kibibyte + 1, 2)];
  const files = [small, small, large, pictures.svg, pictures.wav];
  const text = await readPieces(html.report(inputWithFiles(files), sampleView()));
  expect(picturesIn(text).map(([, hash, type]) => [hash, type])).toEqual([[hashBytes(small), 'image/png']]);
  expect(text).toContain('"leftOut":{"image":3}');
});

test('all pictures of a file together have at most 10 MiB; all or none of them are asked for', async () => {
  const files = Array.from({ length: 50 }, (_, index) => sized(250 * kibibyte, index));
  const count = async (attachments?: 'all' | 'none') => {
    const view = { ...sampleView(), ...(attachments && { attachments }) };
    return picturesIn(
      await readPieces(html.report(inputWithFiles([...files, sized(600 * kibibyte, 99)]), view)),
    ).length;
  };
  expect(await count()).toBe(40);
  expect(await count('all')).toBe(51);
  expect(await count('none')).toBe(0);
});

test('a picture that the store has lost is left out of a report, which is written all the same', async () => {
  const text = await readPieces(html.report(inputWithFiles([pictures.png], []), sampleView()));
  expect(picturesIn(text)).toEqual([]);
  expect(text).toContain('"leftOut":{"image":1}');
});
