import { expect, test } from 'vitest';
import { reportSchema } from '../../core/schema/api/report.ts';
import type { Result } from '../../core/schema/result.ts';
import { readPieces, sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import { json } from './json.ts';

test('the document matches reportSchema and loses nothing', async () => {
  const input = sampleInput([
    { answer: 'a "quoted"\u2028 \ud83d answer' },
    { error: { code: 'timeout', message: 'late' } },
  ]);
  const text = await readPieces(json.report(input, sampleView()));
  const report = reportSchema.parse(JSON.parse(text));
  const { summary: _, ...run } = input.run;
  expect(report).toEqual({
    version: 1,
    run,
    summary: input.summary,
    results: await Array.fromAsync(input.results()),
  });
  expect(text.endsWith(']}\n')).toBe(true);
});

test('a run without results is a valid document', async () => {
  const input = sampleInput([{}]);
  const none = { ...input, results: async function* (): AsyncGenerator<Result> {} };
  expect(reportSchema.parse(JSON.parse(await readPieces(json.report(none, sampleView())))).results).toEqual(
    [],
  );
});

test('the document of a part of a run names the selection', async () => {
  const part = { ...sampleInput([{}]), narrowing: 'category=hybrid' };
  const report = reportSchema.parse(JSON.parse(await readPieces(json.report(part, sampleView()))));
  expect(report.narrowing).toBe('category=hybrid');
});

test('a number that JSON cannot represent becomes null, never NaN', async () => {
  const input = sampleInput([{}]);
  const [target] = input.summary.targets;
  if (target === undefined) throw new Error('the sample has a target');
  const summary = { ...input.summary, targets: [{ ...target, worstCase: Number.NaN, bestCase: Infinity }] };
  const text = await readPieces(json.report({ ...input, summary }, sampleView()));
  expect(reportSchema.parse(JSON.parse(text)).summary.targets[0]).toMatchObject({
    worstCase: null,
    bestCase: null,
  });
});

test('twenty thousand results are streamed in small pieces', async () => {
  const input = sampleInput([{}]);
  const [result] = await Array.fromAsync(input.results());
  let read = 0;
  const many = {
    ...input,
    async *results() {
      for (; read < 20_000; read += 1) yield result as Result;
    },
  };
  let [longest, written, pieces, mostWaiting] = [0, 0, 0, 0];
  for await (const piece of json.report(many, sampleView())) {
    longest = Math.max(longest, piece.length);
    const results = piece.split('"caseHash"').length - 1;
    written += results;
    mostWaiting = Math.max(mostWaiting, read + 1 - written);
    pieces += 1;
  }
  expect(written).toBe(20_000);
  expect(longest).toBeLessThan(100_000);
  expect(mostWaiting).toBeLessThanOrEqual(1);
  expect(pieces).toBeGreaterThan(200);
});
