import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { displayPath } from '../../../core/lib/text/display-path.ts';
import type { Usage } from '../../../core/schema/usage.ts';
import { type ModelPrice, priceFileSchema } from './price-schema.ts';

/**
 * Token counts, including those that only a price list needs. Counts are totals: cached tokens are part of the input.
 */
export interface BilledUsage extends Usage {
  readonly cacheWriteTokens?: number;
  readonly longCacheWriteTokens?: number;
}

/** The settings of a price list. */
export interface PriceSettings {
  readonly prices?: string | ModelPrice;
  /** The address of the provider whose prices count: a model of the same name may cost something else elsewhere. */
  readonly baseUrl: string;
  readonly folder: string;
}

/** Prices of one model's calls. */
export interface PriceList {
  /**
   * Returns the price of a call in US dollars; undefined when the tokens or their price are unknown. The first of the
   * names that has a price counts: the reported one, then the requested one.
   */
  priceOf(
    usage: BilledUsage | undefined,
    ...names: readonly (string | undefined)[]
  ): Promise<number | undefined>;
}

/** Creates a price list: the user's own prices first, then the published ones of the provider at that address. */
export function createPriceList({ prices, baseUrl, folder }: PriceSettings): PriceList {
  let file: Promise<Record<string, ModelPrice>> | undefined;
  const own = async (names: readonly string[]): Promise<ModelPrice | undefined> => {
    if (typeof prices !== 'string') return prices;
    file ??= readPrices(path.resolve(folder, prices));
    const known = await file;
    const name = names.find((candidate) => Object.hasOwn(known, candidate));
    return name === undefined ? undefined : known[name];
  };
  return {
    priceOf: async (usage, ...args) => {
      const { inputTokens, outputTokens } = usage ?? {};
      if (usage === undefined || inputTokens === undefined || outputTokens === undefined) return undefined;
      const names = args.filter((name) => name !== undefined);
      const price = await own(names);
      if (price !== undefined) return costOf({ ...usage, inputTokens, outputTokens }, price);
      return await publishedPrice({ ...usage, inputTokens, outputTokens }, { baseUrl, names });
    },
  };
}

type CountedUsage = BilledUsage & { readonly inputTokens: number; readonly outputTokens: number };

function costOf(
  usage: CountedUsage,
  { input, output, cachedInput = input, cacheWrite = input }: ModelPrice,
): number {
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  const fresh = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  const sum =
    fresh * input + cachedTokens * cachedInput + cacheWriteTokens * cacheWrite + outputTokens * output;
  return sum / 1_000_000;
}

async function readPrices(file: string): Promise<Record<string, ModelPrice>> {
  try {
    const text = await readFile(file, 'utf8');
    const { parse } = await import('yaml');
    return priceFileSchema.parse(parse(text));
  } catch (error) {
    throw new TouchstoneError(
      'model-invalid',
      `The prices in ${displayPath(file)} cannot be read: ${messageOf(error)}`,
      {
        remedy: 'Write `model-name: { input: 2.5, output: 10 }`, in US dollars for a million tokens.',
        cause: error,
      },
    );
  }
}

/** A purchase: the names of the model and its provider. */
interface Purchase {
  /** The address of the provider. An unknown provider has no known price, whatever the model is called. */
  readonly baseUrl: string;
  /** The possible names of the model, the likeliest first. */
  readonly names: readonly string[];
}

/** Addresses at which tokens are not sold, so that the prices need not be loaded. */
const localHost = /^(localhost|127\.|10\.|192\.168\.|\[)|\.(local|internal)$/;

/**
 * Returns the price in US dollars from the data of genai-prices; undefined when they lack the provider or the model.
 */
async function publishedPrice(usage: BilledUsage, { baseUrl, names }: Purchase): Promise<number | undefined> {
  if (localHost.test(new URL(baseUrl).hostname)) return undefined;
  const { calcPrice } = await import('@pydantic/genai-prices'); // 0.8 MB that a run without models does not need.
  const input_tokens = usage.inputTokens ?? 0;
  const cache_read_tokens = Math.min(input_tokens, usage.cachedTokens ?? 0);
  const cache_write_tokens = Math.min(input_tokens - cache_read_tokens, usage.cacheWriteTokens ?? 0);
  const cache_write_1h_tokens = Math.min(cache_write_tokens, usage.longCacheWriteTokens ?? 0);
  const counts = {
    input_tokens,
    output_tokens: usage.outputTokens ?? 0,
    ...(cache_read_tokens > 0 && { cache_read_tokens }),
    ...(cache_write_tokens > 0 && { cache_write_tokens }),
    ...(cache_write_1h_tokens > 0 && { cache_write_1h_tokens }),
  };
  for (const name of names) {
    const price = calcPrice(counts, name, { providerApiUrl: baseUrl });
    if (price !== null) return price.total_price;
  }
  return undefined;
}
