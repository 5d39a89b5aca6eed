/** A growing list of numbers that takes 8 bytes for each, outside of the heap that V8 keeps room in for growing. */
export interface NumberList {
  readonly length: number;
  push(value: number): void;
  /** All of them in one array of their own. */
  toArray(): Float64Array;
}

/** Small at first: there is a list for each metric in each category. */
const firstLength = 64;
const mostLength = 65_536;

/** An empty list. What was added is never copied to make room. */
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
