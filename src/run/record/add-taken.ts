import { sumRewritings } from '../../schema/rewriting.ts';
import { sumKnown, sumUsage } from '../../schema/usage.ts';
import type { PartialReply } from '../../targets/target.ts';

/**
 * What a call came to, with what the calls before it had come to when they failed: that was paid for, too. A call that failed
 * and did not say what it took is not known to have taken anything.
 */
export function addTaken<Last extends PartialReply>(
  { usage: lastUsage, cost: lastCost, ...last }: Last,
  earlier: readonly PartialReply[],
) {
  const usage = sumUsage([...earlier.flatMap((part) => part.usage ?? []), lastUsage]);
  const cost = sumKnown([...earlier.flatMap((part) => part.cost ?? []), lastCost]);
  const rewriting = sumRewritings([...earlier, last].map((part) => part.rewriting));
  return {
    ...last,
    ...(usage !== undefined && { usage }),
    ...(cost !== undefined && { cost }),
    ...(rewriting !== undefined && { rewriting }),
  };
}
