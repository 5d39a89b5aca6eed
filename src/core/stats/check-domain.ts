/**
 * Throws unless a condition on an argument holds. For callers' mistakes only: for data that merely leave a result
 * undefined (no values, one cluster), the result states the reason instead.
 *
 * @throws RangeError naming the argument, its actual value and what it must be.
 */
export function checkDomain(isInside: boolean, name: string, value: unknown, expected: string): void {
  if (!isInside) {
    throw new RangeError(`${name} is ${String(value)}; it must be ${expected}.`);
  }
}

/**
 * Returns the weight of an item that was drawn with a probability, which is 1 over it.
 * @param place - The place of the item in its list, from 0, which the error names.
 * @throws RangeError unless the probability is above 0 and at most 1.
 */
export function drawnWeight(probability: number | undefined, place: number): number {
  const isInside = probability !== undefined && probability > 0 && probability <= 1;
  checkDomain(isInside, `probability ${place + 1}`, probability, 'above 0 and at most 1');
  return 1 / (probability as number);
}

/** Throws unless a confidence level lies strictly between 0 and 1. */
export function checkConfidence(confidence: number): void {
  checkDomain(confidence > 0 && confidence < 1, 'confidence', confidence, 'between 0 and 1, both excluded');
}
