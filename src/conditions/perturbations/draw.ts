import type { Random } from '../../stats/random.ts';

/** One item of a list that is not empty. */
export function drawOne<Item>(items: readonly Item[], random: Random): Item {
  return items[random.integer(items.length)] as Item;
}

/** Some places of a list, none twice: a share of it, at least one where there is any. */
export function drawPlaces(length: number, share: number, random: Random): Set<number> {
  const wanted = Math.min(length, Math.max(1, Math.round(length * share)));
  const places = Array.from({ length }, (_, place) => place);
  for (let drawn = 0; drawn < wanted; drawn += 1) {
    const other = drawn + random.integer(length - drawn);
    [places[drawn], places[other]] = [places[other] as number, places[drawn] as number];
  }
  return new Set(places.slice(0, wanted));
}
