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

/** Throws unless a confidence level lies strictly between 0 and 1. */
export function checkConfidence(confidence: number): void {
  checkDomain(confidence > 0 && confidence < 1, 'confidence', confidence, 'between 0 and 1, both excluded');
}
