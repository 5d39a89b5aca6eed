import { setMember } from '../objects.ts';
import { ExactNumber } from './exact-number.ts';

/**
 * Returns a value whose long numbers survive structured cloning, as in `node:v8` or in messages to a thread; the
 * value itself where it has none.
 */
export function packNumbers(value: unknown): unknown {
  // JSON has no sets.
  return replace(value, (part) => (part instanceof ExactNumber ? new Set([part.digits]) : part));
}

/** Returns what `packNumbers` was given. */
export function unpackNumbers(value: unknown): unknown {
  return replace(value, (part) => (part instanceof Set ? new ExactNumber([...part].join('')) : part));
}

/** Returns a value with the nearest double of each long number, or with the one next to that, for libraries that know no others. */
export function roundNumbers(value: unknown, side: 'below' | 'nearest' | 'above' = 'nearest'): unknown {
  return replace(value, (part) => (part instanceof ExactNumber ? besideDouble(Number(part), side) : part));
}

/** Returns a double, or the next one below or above it. */
function besideDouble(value: number, side: 'below' | 'nearest' | 'above'): number {
  if (side === 'nearest' || value === 0 || !Number.isFinite(value)) return value;
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  const isOutwards = (side === 'above') === value > 0;
  bits[0] = (bits[0] ?? 0n) + (isOutwards ? 1n : -1n);
  return new Float64Array(bits.buffer)[0] ?? value;
}

/**
 * Returns a value with some of its parts replaced; what has none of them is not copied, and what is in several places is
 * replaced once.
 */
function replace(
  value: unknown,
  replacePart: (part: object) => unknown,
  known = new Map<object, unknown>(),
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  const replaced = replacePart(value);
  const next =
    replaced !== value || replaced instanceof ExactNumber
      ? replaced
      : replaceInside(value, replacePart, known);
  known.set(value, next);
  return next;
}

function replaceInside(
  value: object,
  replacePart: (part: object) => unknown,
  known: Map<object, unknown>,
): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => replace(item, replacePart, known));
    return items.some((item, index) => !Object.is(item, value[index])) ? items : value;
  }
  let copy: Record<string, unknown> | undefined;
  for (const [name, part] of Object.entries(value)) {
    const next = replace(part, replacePart, known);
    if (!Object.is(next, part)) setMember((copy ??= { ...value }), name, next);
  }
  return copy ?? value;
}
