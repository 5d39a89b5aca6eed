import type { BilledUsage } from '../http/protocol.ts';

/** What is paid for, and to whom. */
export interface Purchase {
  /** Says who the provider is; one that is not known has no known price, whatever the model is called. */
  readonly baseUrl: string;
  /** Names of the model, the likeliest first. */
  readonly names: readonly string[];
}

/** Nobody sells tokens here; so the prices need not be loaded. */
const localHost = /^(localhost|127\.|10\.|192\.168\.|\[)|\.(local|internal)$/;

/** US dollars by the price data of genai-prices; undefined when they do not hold the provider or the model. */
export async function publishedPrice(
  usage: BilledUsage,
  { baseUrl, names }: Purchase,
): Promise<number | undefined> {
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
