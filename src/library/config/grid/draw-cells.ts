import { createRandom } from '../../../core/stats/random.ts';

/** The number of exchanges after which a draw is begun anew, and of draws after which there is none. */
const [mostExchanges, mostDraws] = [2_000, 50];

/**
 * Draws combinations of levels at random, in which each level of a setting stands equally often, ± 1, and none twice. Undefined
 * when the allowed combinations do not give that.
 * @param sizes - The number of levels of each setting.
 */
export function drawCells(
  sizes: readonly number[],
  wanted: number,
  { seed, isAllowed }: { readonly seed: number; readonly isAllowed: (cell: readonly number[]) => boolean },
): number[][] | undefined {
  const random = createRandom(`grid ${seed}`);
  for (let draw = 0; draw < mostDraws; draw += 1) {
    const columns = sizes.map((levels) => {
      // Which levels stand once more than others is drawn, too.
      const order = shuffled(
        Array.from({ length: levels }, (_, level) => level),
        random,
      );
      return shuffled(
        Array.from({ length: wanted }, (_, place) => order[place % levels] as number),
        random,
      );
    });
    const cells = Array.from({ length: wanted }, (_, place) =>
      columns.map((column) => column[place] as number),
    );
    if (settle(cells, isAllowed, random)) return cells;
  }
  return undefined;
}

/** Exchanges levels between combinations until all are allowed and none is there twice; false when it does not end. */
function settle(
  cells: number[][],
  isAllowed: (cell: readonly number[]) => boolean,
  random: ReturnType<typeof createRandom>,
): boolean {
  for (let exchange = 0; exchange < mostExchanges; exchange += 1) {
    const seen = new Set<string>();
    const bad = cells.findIndex((cell) => {
      const key = cell.join(' ');
      const isBad = seen.has(key) || !isAllowed(cell);
      seen.add(key);
      return isBad;
    });
    if (bad === -1) return true;
    const setting = random.integer(cells[0]?.length ?? 1);
    const [one, other] = [cells[bad] as number[], cells[random.integer(cells.length)] as number[]];
    const level = one[setting] as number;
    one[setting] = other[setting] as number;
    other[setting] = level;
  }
  return false;
}

function shuffled(values: readonly number[], random: ReturnType<typeof createRandom>): number[] {
  const mixed = [...values];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const place = random.integer(last + 1);
    const value = mixed[last] as number;
    mixed[last] = mixed[place] as number;
    mixed[place] = value;
  }
  return mixed;
}
