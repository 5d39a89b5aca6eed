const most = 3;

/** Keeps the few questions with the lowest values, the first of equals first. */
export function createLowest() {
  let kept: { readonly id: string; readonly value: number }[] = [];
  return {
    /** Offers a question with its value; of several values of a question the lowest counts. */
    offer: (id: string, value: number): void => {
      const highest = kept.length < most ? Infinity : (kept.at(-1)?.value ?? Infinity);
      if (value >= highest || kept.some((other) => other.id === id && other.value <= value)) return;
      const others = kept.filter((other) => other.id !== id);
      kept = [...others, { id, value }].toSorted((a, b) => a.value - b.value).slice(0, most);
    },
    /** The ids, lowest first. */
    ids: (): string[] => kept.map(({ id }) => id),
  };
}
