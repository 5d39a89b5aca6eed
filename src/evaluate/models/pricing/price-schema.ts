import { z } from 'zod';

const perMillion = (what: string) => z.number().min(0).describe(`US dollars for a million ${what} tokens.`);

/** The schema of the prices of a model's tokens. */
export const modelPriceSchema = z.strictObject({
  input: perMillion('input'),
  output: perMillion('output'),
  cachedInput: perMillion('input tokens read from a cache; the same as `input` by default,').optional(),
  cacheWrite: perMillion('input tokens written to a cache; the same as `input` by default,').optional(),
});
export type ModelPrice = z.output<typeof modelPriceSchema>;

/** The schema of the option with the user's own prices: one price, or a file with prices by model name. */
export const priceSchema = z.lazy(() =>
  z
    .union([z.string().min(1), modelPriceSchema])
    .optional()
    .describe(
      'Prices that go before the known ones: `{ input, output, cachedInput, cacheWrite }` in US dollars for a million ' +
        'tokens, or a JSON or YAML file with such prices by model name.',
    ),
);

/** The schema of a file with prices. */
export const priceFileSchema = z.record(z.string(), modelPriceSchema);
