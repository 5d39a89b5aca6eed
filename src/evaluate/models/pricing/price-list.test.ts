import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createPriceList } from './price-list.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function writePrices(text: string): { folder: string; prices: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-prices-'));
  folders.push(folder);
  writeFileSync(path.join(folder, 'prices.yaml'), text);
  return { folder, prices: 'prices.yaml' };
}

const local = { baseUrl: 'http://localhost:8000/v1', folder: '.' };
const million = { inputTokens: 1_000_000, outputTokens: 1_000_000 };

test("the user's file goes before the published prices, and is found by either name", async () => {
  const list = createPriceList({ ...local, ...writePrices('llama3:\n  input: 0.1\n  output: 0.4\n') });
  expect(await list.priceOf(million, 'llama3')).toBeCloseTo(0.5, 12);
  expect(await list.priceOf(million, 'llama3-2026-01-01', 'llama3')).toBeCloseTo(0.5, 12);
  expect(await list.priceOf(million, 'llama4', undefined)).toBeUndefined();
  const openai = createPriceList({
    ...writePrices('x: { input: 1, output: 1 }'),
    baseUrl: 'https://api.openai.com/v1',
  });
  expect(await openai.priceOf(million, 'gpt-4o-mini')).toBeCloseTo(0.75, 12);
});

test('a file with other content is refused with the expected form', async () => {
  const list = createPriceList({ ...local, ...writePrices('llama3: 5') });
  await expect(list.priceOf(million, 'llama3')).rejects.toMatchObject({
    code: 'model-invalid',
    remedy: expect.stringContaining('model-name: { input: 2.5, output: 10 }'),
  });
});

test('unknown tokens cost an unknown amount, never 0', async () => {
  const list = createPriceList({ ...local, prices: { input: 1, output: 1 } });
  expect(await list.priceOf({ inputTokens: 5 }, 'm')).toBeUndefined();
  expect(await list.priceOf({ outputTokens: 5 }, 'm')).toBeUndefined();
  expect(await list.priceOf(undefined, 'm')).toBeUndefined();
});

// Sonnet 4 costs 3 and 15 dollars for a million tokens; 0.30 from a cache, 3.75 into it, 6 into it for an hour.
test.each([
  ['written to a cache', { cacheWriteTokens: 4735 }, (5 * 3 + 4735 * 3.75 + 255 * 15) / 1e6],
  [
    'written for an hour',
    { cacheWriteTokens: 4735, longCacheWriteTokens: 4735 },
    (5 * 3 + 4735 * 6 + 255 * 15) / 1e6,
  ],
  ['read from a cache', { cachedTokens: 4000 }, (740 * 3 + 4000 * 0.3 + 255 * 15) / 1e6],
])("Anthropic's published price for tokens %s", async (_what, cached, cost) => {
  const list = createPriceList({ baseUrl: 'https://api.anthropic.com/v1', folder: '.' });
  const usage = { inputTokens: 4740, outputTokens: 255, ...cached };
  expect(await list.priceOf(usage, 'claude-sonnet-4-20250514')).toBeCloseTo(cost, 12);
});
