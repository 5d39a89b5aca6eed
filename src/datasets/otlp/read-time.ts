/**
 * Milliseconds since 1970 with fractions, from nanoseconds as a text or a number, from seconds and nanoseconds in a list, or
 * from an ISO text. Undefined for zero, which stands for a time that is not known, and for anything else.
 */
export function readTime(given: unknown): number | undefined {
  if (typeof given === 'number') return toMilliseconds(given);
  if (Array.isArray(given)) return fromPair(given);
  if (typeof given !== 'string') return undefined;
  if (/^\d+$/.test(given)) {
    // Microseconds are as exact as a number can be here.
    return toMilliseconds(given.length > 15 ? Number(BigInt(given) / 1000n) * 1000 : Number(given));
  }
  const milliseconds = Date.parse(given);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** Where OTLP has nanoseconds, others write microseconds, milliseconds or seconds: for times of this century it shows. */
const units: readonly (readonly [from: number, perMillisecond: number])[] = [
  [1e17, 1e6],
  [1e14, 1e3],
  [1e11, 1],
  [1e8, 1e-3],
];

function toMilliseconds(time: number): number | undefined {
  if (!(time > 0 && Number.isFinite(time))) return undefined;
  const [, perMillisecond] = units.find(([from]) => time >= from) ?? [0, 1e6];
  return Math.round((time / perMillisecond) * 1000) / 1000;
}

function fromPair([seconds, nanoseconds]: readonly unknown[]): number | undefined {
  if (typeof seconds !== 'number' || typeof nanoseconds !== 'number') return undefined;
  return Math.round(seconds * 1e6 + nanoseconds / 1e3) / 1000;
}
