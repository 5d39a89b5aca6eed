/** A growing list of numbers that uses 8 bytes for each, outside of the V8 heap with its growth reserve. */
export interface NumberList {
  readonly length: number;
  push(value: number): void;
  /** Copies all numbers into a new array. */
  toArray(): Float64Array;
}

/** The first part is small, because there is a list for each metric in each category. */
const firstLength = 64;
const mostLength = 65_536;

/** Creates an empty list, which grows without copying existing numbers. */
export function createNumberList(): NumberList {
  const parts: Float64Array[] = [];
  let last = new Float64Array(firstLength);
  let inLast = 0;
  let before = 0;
  return {
    get length() {
      return before + inLast;
    },
    push: (value) => {
      if (inLast === last.length) {
        parts.push(last);
        before += inLast;
        last = new Float64Array(Math.min(mostLength, last.length * 4));
        inLast = 0;
      }
      last[inLast] = value;
      inLast += 1;
    },
    toArray: () => {
      const all = new Float64Array(before + inLast);
      let place = 0;
      for (const part of [...parts, last.subarray(0, inLast)]) {
        all.set(part, place);
        place += part.length;
      }
      return all;
    },
  };
}
