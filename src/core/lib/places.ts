/** A number of places, each of which is for one piece of work at a time. */
export interface Places {
  /** Resolves when a place is free and taken, in the order of the calls. */
  take(): Promise<void>;
  leave(): void;
}

/** Creates places, all of which are free. */
export function createPlaces(count: number): Places {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    take: async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave: () => {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}
