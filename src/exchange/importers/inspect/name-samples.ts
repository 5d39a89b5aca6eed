import { asNumber, type Fields } from '../values.ts';

/** Returns the samples in the order of their dataset, and by epoch: a log has them in the order in which they ended. */
export function inOrder(samples: readonly Fields[], ids: readonly unknown[]): Fields[] {
  const places = new Map(ids.map((id, index) => [JSON.stringify(id), index]));
  const placeOf = ({ id }: Fields) => places.get(JSON.stringify(id)) ?? ids.length;
  return samples.toSorted(
    (a, b) => placeOf(a) - placeOf(b) || (asNumber(a.epoch) ?? 1) - (asNumber(b.epoch) ?? 1),
  );
}

/** Returns a function that names the case of a sample. The ids 4 and "4" are two. */
export function namesOf(samples: readonly Fields[]): (sample: Fields) => string {
  const kinds = new Map<string, Set<string>>();
  for (const { id } of samples) {
    const known = kinds.get(String(id)) ?? new Set();
    kinds.set(String(id), known.add(JSON.stringify(id)));
  }
  return ({ id }) => ((kinds.get(String(id))?.size ?? 0) > 1 ? JSON.stringify(id) : String(id));
}

/** Returns a function that numbers the epochs of a log from 1, whichever of them it contains. */
export function attemptsOf(samples: readonly Fields[]): (sample: Fields) => number {
  const epochs = [...new Set(samples.map(({ epoch }) => asNumber(epoch) ?? 1))].toSorted((a, b) => a - b);
  return ({ epoch }) => epochs.indexOf(asNumber(epoch) ?? 1) + 1;
}

/**
 * Returns a function that gives the samples of several logs one name where they ask the same. A sample that has the id of one
 * before it, and asks something else, gets a number.
 */
export function nameAcrossLogs(): (name: string, sample: Fields) => string {
  const contents = new Map<string, string[]>();
  return (name, { input, target, choices }) => {
    const known = contents.get(name) ?? [];
    contents.set(name, known);
    const content = JSON.stringify([input, target, choices]);
    const index = known.indexOf(content);
    const place = index === -1 ? known.push(content) - 1 : index;
    return place === 0 ? name : `${name} (${place + 1})`;
  };
}
