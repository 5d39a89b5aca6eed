import type { ResolvedTarget } from '../../../evaluate/run/evaluation.ts';
import { type NamedUse, withOptions } from '../../../core/lib/define.ts';
import type { GridPlace } from '../../../core/schema/condition.ts';
import type { Target, TargetNeeds } from '../../../evaluate/targets/target.ts';
import { describeUnknown, knownSettings } from '../config-problem.ts';
import { findDefinition, type Registry } from '../resolve-use.ts';
import { problem, readGrid, type WrittenGrid } from './read-grid.ts';
import { createRandom } from '../../../core/stats/random.ts';

/** A target of a config, with its place in a grid. */
interface GridTarget {
  readonly use: NamedUse;
  readonly grid: GridPlace | undefined;
}

/**
 * Expands a target with a `grid` to one for each combination of levels, `bot[model=small,prompt=long]`, in the order of the file:
 * a target with the settings of the combination alone, so that adding a level changes no other. A target without a grid is
 * returned as it is. Throws `ConfigProblem`.
 */
export function expandGrid(
  written: NamedUse,
  path: readonly PropertyKey[],
  registry: Registry<'target', Target, TargetNeeds>,
): GridTarget[] {
  const grid = readGrid(written, path);
  if (grid === undefined) return [{ use: written, grid: undefined }];
  const base = withOptions(written, { grid: undefined });
  delete (base as Record<string, unknown>)['grid'];
  const definition = findDefinition(base, path, registry);
  const known = knownSettings(definition.options, []);
  for (const { setting } of grid.axes) {
    const [first = ''] = setting.split('.');
    if (known.length > 0 && !known.includes(first))
      throw problem([...path, 'grid', setting], describeUnknown(first, known));
  }
  const name = written.name ?? definition.name;
  return chooseCells(grid, path).map((cell) => {
    const chosen = grid.axes.map(({ setting, levels }, axis) => ({
      setting,
      level: levels[cell[axis] as number],
    }));
    const levels = Object.fromEntries(chosen.map(({ setting, level }) => [setting, level?.name ?? '']));
    const title = chosen.map(({ setting, level }) => `${setting}=${level?.name ?? ''}`).join(',');
    const use = chosen.reduce(
      (so, { setting, level }) => withSettingAt(so, setting.split('.'), level?.value),
      withOptions(base, { name: `${name}[${title}]` }),
    );
    return { use, grid: { of: name, levels } };
  });
}

function withSettingAt(use: NamedUse, [first = '', ...rest]: readonly string[], value: unknown): NamedUse {
  return withOptions(use, { [first]: replaced(use[first], rest, value) });
}

function replaced(at: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
  const held = typeof at === 'object' && at !== null ? (at as Record<string, unknown>) : undefined;
  if (first === undefined) {
    // The name of a model varies, and what else is said of it stays.
    const isModelName = typeof value === 'string' && typeof held?.['use'] === 'string' && 'model' in held;
    return isModelName ? { ...held, model: value } : value;
  }
  return { ...held, [first]: replaced(held?.[first], rest, value) };
}

/** Returns the combinations of a grid that are asked, as places of levels. Throws `ConfigProblem`. */
function chooseCells(grid: WrittenGrid, path: readonly PropertyKey[]): number[][] {
  const allowed = listCells(grid);
  const at = [...path, 'grid'];
  if (allowed.length === 0) throw problem(at, 'has no combination left: look at `only` and `except`');
  if (grid.cells === undefined) return allowed;
  if (grid.cells > allowed.length)
    throw problem([...at, 'cells'], `is ${grid.cells}, and the grid has ${allowed.length} combinations`);
  const keys = new Set(allowed.map((cell) => cell.join(' ')));
  const drawn = drawCells(
    grid.axes.map(({ levels }) => levels.length),
    grid.cells,
    { seed: grid.seed, isAllowed: (cell) => keys.has(cell.join(' ')) },
  );
  if (drawn === undefined)
    throw problem(
      [...at, 'cells'],
      'cannot have each level equally often with this `only` and `except`; choose another number, or list them in `only`',
    );
  const chosen = new Set(drawn.map((cell) => cell.join(' ')));
  return allowed.filter((cell) => chosen.has(cell.join(' ')));
}

/** Lists the allowed combinations, with the last setting varying fastest. */
export function listCells({ axes, only, except }: WrittenGrid): number[][] {
  const all = axes.reduce<number[][]>(
    (cells, { levels }) => cells.flatMap((cell) => levels.map((_, level) => [...cell, level])),
    [[]],
  );
  const matches = (cell: readonly number[], combination: Readonly<Record<string, string>>) =>
    axes.every(({ setting, levels }, axis) => {
      const wanted = combination[setting];
      return wanted === undefined || wanted === levels[cell[axis] as number]?.name;
    });
  return all.filter(
    (cell) =>
      (only?.some((each) => matches(cell, each)) ?? true) && !except.some((each) => matches(cell, each)),
  );
}

/** Throws `ConfigProblem` for a grid over recorded answers, which have no settings. */
export function refuseRecordedGrid(
  targets: readonly (Pick<ResolvedTarget, 'grid' | 'target'> & { readonly path: readonly PropertyKey[] })[],
): void {
  const recorded = targets.find(
    ({ grid, target }) => grid !== undefined && target.holdsConversation === true,
  );
  if (recorded === undefined) return;
  throw problem([...recorded.path, 'grid'], 'recorded answers have no settings that could vary');
}

/** The number of exchanges after which a draw begins again, and of draws after which there is none. */
const [mostExchanges, mostDraws] = [2_000, 50];

/**
 * Draws combinations of levels at random, in which each level of a setting stands equally often, ± 1, and none twice. Undefined
 * when the allowed combinations do not give that.
 * @param sizes - The number of levels of each setting.
 */
function drawCells(
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
