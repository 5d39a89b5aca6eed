import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, TouchstoneError } from '../../errors.ts';
import { displayPath } from '../../lib/display-path.ts';
import type { BilledUsage } from '../http/protocol.ts';
import { publishedPrice } from './published-price.ts';
import { type ModelPrice, priceFileSchema } from './price-schema.ts';

/** What a price depends on beside the tokens. */
export interface PriceSettings {
  readonly prices?: string | ModelPrice | undefined;
  /** Says whose prices count: a model of the same name elsewhere costs something else. */
  readonly baseUrl: string;
  readonly folder: string;
}

/** Prices of one model's calls. */
export interface PriceList {
  /**
   * US dollars for a call; undefined when the tokens or their price are not known. The first of the names that has a
   * price counts: the one that the provider reports, then the one that was asked for.
   */
  priceOf(
    usage: BilledUsage | undefined,
    ...names: readonly (string | undefined)[]
  ): Promise<number | undefined>;
}

/** Makes a price list: the user's own prices first, then the published ones of the provider at that address. */
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
    priceOf: async (usage, ...given) => {
      const { inputTokens, outputTokens } = usage ?? {};
      if (usage === undefined || inputTokens === undefined || outputTokens === undefined) return undefined;
      const names = given.filter((name) => name !== undefined);
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
