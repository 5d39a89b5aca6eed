import type { NoteGroups, NoteText } from './group-notes.ts';

/** The distance at which groups are no longer joined: one minus the cosine of the angle between vectors. */
export const usualCut = 0.35;

/** The notes with a vector each, all of the same length. */
export interface EmbeddedNotes {
  readonly notes: readonly NoteText[];
  readonly vectors: readonly (readonly number[])[];
  readonly cut: number;
}

/**
 * Groups notes whose texts are similar: the two groups with the smallest mean distance between their notes are joined, until it
 * exceeds the cut. The name of a group is its central note, the one nearest to the others. A note without others stays ungrouped.
 *
 * Method: average linkage (R. Sokal & C. Michener, 1958), by chains of nearest neighbours (F. Murtagh, The Computer Journal 26,
 * 1983).
 */
export function linkNotes({ notes, vectors, cut }: EmbeddedNotes): NoteGroups {
  const distances = distancesOf(vectors);
  const groups = joinNearest(distances, cut).map((members) => {
    const central = members.toSorted((one, other) => meanOf(one, members) - meanOf(other, members))[0] ?? 0;
    return { members, name: notes[central]?.text ?? '' };
  });
  const idsOf = (members: readonly number[]) => members.flatMap((index) => notes[index]?.id ?? []);
  const [several, single] = [groups.filter(hasSeveral), groups.filter((group) => !hasSeveral(group))];
  return {
    groups: several
      .toSorted((one, other) => other.members.length - one.members.length)
      .map(({ members, name }) => ({ name, definition: '', notes: idsOf(members) })),
    ungrouped: single.flatMap(({ members }) => idsOf(members)),
  };

  function meanOf(index: number, members: readonly number[]): number {
    return members.reduce((sum, other) => sum + (distances[index]?.[other] ?? 0), 0);
  }
}

function hasSeveral({ members }: { readonly members: readonly number[] }): boolean {
  return members.length > 1;
}

function distancesOf(vectors: readonly (readonly number[])[]): number[][] {
  const lengths = vectors.map((vector) => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)));
  return vectors.map((one, index) =>
    vectors.map((other, place) => {
      if (index === place) return 0;
      const length = (lengths[index] ?? 0) * (lengths[place] ?? 0);
      return length === 0
        ? 1
        : 1 - one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0) / length;
    }),
  );
}

/** Joins the groups whose mean distance is at most the cut, and returns the members of each. */
function joinNearest(distances: readonly (readonly number[])[], cut: number): number[][] {
  const between = distances.map((row) => [...row]);
  const members = new Map(between.map((_, index) => [index, [index]]));
  const done: number[][] = [];
  const chain: number[] = [];
  while (members.size > 0) {
    if (chain.length === 0) chain.push([...members.keys()][0] ?? 0);
    const last = chain.at(-1) ?? 0;
    const nearest = nearestOf(last, [...members.keys()], { between, before: chain.at(-2) });
    if (nearest === undefined || (between[last]?.[nearest] ?? 0) > cut) {
      // The nearest one is too far, and joining others only brings it farther away.
      done.push(members.get(last) ?? []);
      members.delete(last);
      chain.pop();
    } else if (nearest === chain.at(-2)) {
      join(last, nearest);
      chain.splice(-2);
    } else chain.push(nearest);
  }
  return done.map((group) => group.toSorted((one, other) => one - other));

  function join(from: number, into: number): void {
    const [small, large] = [members.get(from) ?? [], members.get(into) ?? []];
    const all = small.length + large.length;
    for (const other of members.keys()) {
      const mean =
        ((between[from]?.[other] ?? 0) * small.length + (between[into]?.[other] ?? 0) * large.length) / all;
      (between[into] as number[])[other] = mean;
      (between[other] as number[])[into] = mean;
    }
    members.set(into, [...large, ...small]);
    members.delete(from);
  }
}

/** Returns the group that is nearest to another; of those equally near, the one before it in the chain. */
function nearestOf(
  index: number,
  others: readonly number[],
  {
    between,
    before,
  }: { readonly between: readonly (readonly number[])[]; readonly before: number | undefined },
): number | undefined {
  let [best, least]: [number | undefined, number] =
    before === undefined ? [undefined, Infinity] : [before, between[index]?.[before] ?? Infinity];
  for (const other of others) {
    const distance = between[index]?.[other] ?? Infinity;
    if (other !== index && distance < least) [best, least] = [other, distance];
  }
  return best;
}
