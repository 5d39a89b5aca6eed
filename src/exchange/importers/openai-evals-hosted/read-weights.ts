/**
 * Reads a formula that is a weighted mean of names, such as `0.7 * helpful + 0.3 * short` or `(a + b) / 2`. It is read, never
 * evaluated. Returns the weight of each name; undefined for any other formula, and when the weights do not add up to 1.
 */
export function readWeights(formula: string, names: readonly string[]): Map<string, number> | undefined {
  const { sum, divisor } = readQuotient(formula.trim());
  const weights = new Map<string, number>();
  for (const term of sum.split('+')) {
    const read = readTerm(term.trim());
    if (read === undefined || !names.includes(read.name)) return undefined;
    weights.set(read.name, (weights.get(read.name) ?? 0) + read.factor / divisor);
  }
  const total = [...weights.values()].reduce((all, weight) => all + weight, 0);
  return Math.abs(total - 1) < 1e-9 ? weights : undefined;
}

function readQuotient(formula: string): { sum: string; divisor: number } {
  const parts = /^\(([^()]*)\)\s*\/\s*(\d+(?:\.\d+)?)$/.exec(formula);
  return parts === null ? { sum: formula, divisor: 1 } : { sum: parts[1] ?? '', divisor: Number(parts[2]) };
}

function readTerm(term: string): { name: string; factor: number } | undefined {
  const [, before, name, after, divisor] =
    /^(?:(\d*\.?\d+)\s*\*\s*)?([A-Za-z_][\w-]*)(?:\s*\*\s*(\d*\.?\d+))?(?:\s*\/\s*(\d*\.?\d+))?$/.exec(
      term,
    ) ?? [];
  if (name === undefined) return undefined;
  return { name, factor: (Number(before ?? 1) * Number(after ?? 1)) / Number(divisor ?? 1) };
}
