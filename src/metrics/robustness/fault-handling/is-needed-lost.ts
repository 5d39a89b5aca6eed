import type { Case } from '../../../schema/case.ts';
import type { Json } from '../../../schema/json.ts';
import type { ToolCall } from '../../../schema/message.ts';
import { factKinds } from '../../grounding/fact.ts';
import { createSupport } from '../../grounding/fact-support.ts';
import { findFacts } from '../../grounding/find-facts.ts';
import { foldWords } from '../../grounding/fold-words.ts';
import { listTotals } from '../../grounding/list-totals.ts';
import type { DateStyle } from '../../values/find-dates.ts';

/**
 * Whether spoilt results lack something that the right answer needs and that the tools really returned, sums and counts of
 * lists among it. Undefined where the case names no text that could be looked for.
 */
export function isNeededLost(
  { expected }: Case,
  hit: readonly ToolCall[],
  style: DateStyle,
): boolean | undefined {
  const { keywords = [], entities = [], answer = [] } = expected;
  const needed = [...keywords, ...entities, ...[answer].flat()];
  if (needed.length === 0) return undefined;
  return hit.some(({ result = null, withheld }) => {
    if (withheld === undefined) return false;
    const [isReal, isSeen] = [createLookUp(withheld, style), createLookUp(result, style)];
    return needed.some((text) => isReal(text) && !isSeen(text));
  });
}

/** Makes a look-up of texts in a result: figures, dates and names by what they say, other words as they stand. */
function createLookUp(result: Json, style: DateStyle): (text: string) => boolean {
  const written = typeof result === 'string' ? result : JSON.stringify(result).replaceAll(/[{}[\]",]+/g, ' ');
  const supports = createSupport([written, ...listTotals(result)], style);
  return (text) => {
    const facts = findFacts(text, factKinds, style);
    return facts.length > 0 ? facts.every(supports) : foldWords(written).includes(foldWords(text));
  };
}
