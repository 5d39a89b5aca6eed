import type { Usage } from '../../../../core/schema/usage.ts';
import type { Attributes } from '../../../../core/schema/message.ts';
import { amountOf } from './attribute-values.ts';

/** The tokens and the cost of a model call. */
export interface Consumed {
  readonly usage: Usage;
  /** The cost in US dollars. */
  readonly cost?: number;
}

const counts: Readonly<Record<keyof Usage, readonly string[]>> = {
  inputTokens: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'llm.usage.prompt_tokens',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
  ],
  outputTokens: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'llm.usage.completion_tokens',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  ],
  cachedTokens: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.details.cache_read_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.cachedInputTokens',
  ],
  reasoningTokens: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'llm.token_count.completion_details.reasoning',
    'ai.usage.reasoningTokens',
  ],
};

const costs = ['llm.cost.total', 'gen_ai.usage.cost', 'gen_ai.usage.total_cost', 'operation.cost'];

/** Returns the consumption that a span states; undefined when it states none. */
export function consumedBy(attributes: Attributes): Consumed | undefined {
  const usage: Usage = {};
  for (const count of Object.keys(counts) as (keyof Usage)[]) {
    const amount = amountOf(attributes, counts[count]);
    if (amount !== undefined) usage[count] = amount;
  }
  const cost = amountOf(attributes, costs);
  if (Object.keys(usage).length === 0 && cost === undefined) return undefined;
  return { usage, ...(cost !== undefined && { cost }) };
}

/**
 * Returns the consumption of several calls. A count or a cost that one of them does not state is unknown for all;
 * cached and reasoning tokens are summed over the calls that state them.
 */
export function sumConsumed(calls: readonly (Consumed | undefined)[]): Partial<Consumed> {
  const sum = (amountOf: (call: Consumed | undefined) => number | undefined, isOptional: boolean = false) => {
    const amounts = calls.map(amountOf);
    const known = amounts.filter((amount) => amount !== undefined);
    const isKnown = isOptional ? known.length > 0 : known.length === amounts.length && known.length > 0;
    return isKnown ? known.reduce((total, amount) => total + amount, 0) : undefined;
  };
  const usage: Usage = {};
  for (const count of Object.keys(counts) as (keyof Usage)[]) {
    const isOptional = count === 'cachedTokens' || count === 'reasoningTokens';
    const total = sum((call) => call?.usage[count], isOptional);
    if (total !== undefined) usage[count] = total;
  }
  const cost = sum((call) => call?.cost);
  return { ...(Object.keys(usage).length > 0 && { usage }), ...(cost !== undefined && { cost }) };
}
