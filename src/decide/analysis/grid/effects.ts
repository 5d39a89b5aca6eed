import type { Grid, GridEffect } from '../../../core/schema/api/comparison/grid.ts';
import { holm } from '../../../core/stats/adjust-p-values.ts';
import { boundedMeanInterval } from '../../../core/stats/means/bounded-mean.ts';
import { pairedT } from '../../../core/stats/paired/differences.ts';
import { pairedSampleSize } from '../../../core/stats/planning/sample-size.ts';
import { confidence } from '../summary/estimates.ts';

/** A design: the settings, and the level of each in every cell, by its place. */
export interface GridDesign {
  readonly settings: Grid['settings'];
  readonly cells: readonly (readonly number[])[];
}

/** The scores of a question in every cell, with the cluster of the question. */
export interface GridRow {
  readonly scores: readonly number[];
  readonly cluster: string | undefined;
}

/** An effect before it is estimated: its weight of every cell. */
interface Contrast extends Pick<GridEffect, 'kind' | 'settings' | 'levels'> {
  readonly weights: readonly number[];
}

/** Returns whether every combination of levels has a cell. */
export function isFullDesign({ settings, cells }: GridDesign): boolean {
  return settings.reduce((product, { levels }) => product * levels.length, 1) === cells.length;
}

/**
 * Estimates the effects of settings: for each question, the main effects (with sum to zero) and, in a full design, the interactions
 * of every two settings by least squares over its cells; each effect is the mean over questions, with Student's t over questions
 * (cluster-robust, CR2). Every two levels of a setting are compared; an interaction is the change of such a difference, against
 * the first levels, by another setting. Corrected by Holm's method among the main effects, and among the interactions, each of which then has half
 * of the 5 % (bench/grid.ts: of two families at 5 %, something is shown in 9 % of grids of equal cells).
 */
export function estimateEffects(design: GridDesign, rows: readonly GridRow[]): GridEffect[] {
  const contrasts = [...mainContrasts(design), ...(isFullDesign(design) ? interactionContrasts(design) : [])];
  const effects = contrasts.map((contrast) => ({ contrast, ...estimate(contrast, rows) }));
  const kinds = new Set(contrasts.map(({ kind }) => kind)).size;
  return (['main', 'interaction'] as const).flatMap((kind) => {
    const family = effects.filter(({ contrast }) => contrast.kind === kind);
    const tested = family.filter(({ pValue }) => pValue !== null);
    const { adjusted } = holm({ pValues: tested.map(({ pValue }) => pValue ?? 1) });
    const corrected = new Map(tested.map((effect, place) => [effect, adjusted[place] ?? 1]));
    return family.map((effect): GridEffect => {
      const { contrast, bounds, needed, ...numbers } = effect;
      const { weights: _weights, ...named } = contrast;
      const adjustedPValue = corrected.get(effect) ?? null;
      const isShown = adjustedPValue !== null && adjustedPValue < (1 - confidence) / kinds;
      const isHigher = isShown && bounds.lower > 0;
      const isLower = isShown && bounds.upper < 0;
      const finding = isHigher ? 'higher' : isLower ? 'lower' : 'not-shown';
      return {
        ...named,
        ...numbers,
        adjustedPValue,
        finding,
        needed: finding === 'not-shown' ? needed(family.length * kinds) : null,
      };
    });
  });
}

function mainContrasts(design: GridDesign): Contrast[] {
  const { settings } = design;
  const solve = solveMain(design);
  return settings.flatMap(({ name, levels }, setting) =>
    pairsOf(levels.length).flatMap(([than, level]): Contrast[] => {
      const weights = solve(setting, level, than);
      if (weights === undefined) return [];
      const named = { level: levels[level] as string, than: levels[than] as string };
      return [{ kind: 'main', settings: [name], levels: [named], weights }];
    }),
  );
}

/** Creates the function that returns the weights of the cells in the difference of two levels; undefined where the cells do not show it. */
function solveMain({ settings, cells }: GridDesign) {
  // The first level of a setting is minus the sum of the others.
  const offsets = settings.map((_, at) =>
    settings.slice(0, at).reduce((sum, { levels }) => sum + levels.length - 1, 1),
  );
  const width = settings.reduce((sum, { levels }) => sum + levels.length - 1, 1);
  const codeOf = (setting: number, level: number): number[] => {
    const row = Array.from({ length: width }, () => 0);
    const { levels } = settings[setting] as Grid['settings'][number];
    for (let other = 1; other < levels.length; other += 1) {
      row[(offsets[setting] as number) + other - 1] = level === 0 ? -1 : Number(level === other);
    }
    return row;
  };
  const rows = cells.map((cell) => {
    const codes = cell.map((level, setting) => codeOf(setting, level));
    return codes.reduce(
      (sum, code) => sum.map((value, at) => value + (code[at] as number)),
      [1, ...Array.from({ length: width - 1 }, () => 0)],
    );
  });
  const solved = solveLeastSquares(rows);
  return (setting: number, level: number, than: number): number[] | undefined => {
    if (solved === undefined) return undefined;
    const [one, other] = [codeOf(setting, level), codeOf(setting, than)];
    return cells.map((_, cell) =>
      solved.reduce((sum, ofParameter, at) => {
        return sum + ((one[at] as number) - (other[at] as number)) * (ofParameter[cell] as number);
      }, 0),
    );
  };
}

function interactionContrasts({ settings, cells }: GridDesign): Contrast[] {
  return pairsOf(settings.length).flatMap(([first, second]) => {
    const [one, other] = [settings[first], settings[second]] as [
      Grid['settings'][number],
      Grid['settings'][number],
    ];
    const share = (one.levels.length * other.levels.length) / cells.length;
    return one.levels.slice(1).flatMap((_, i) =>
      other.levels.slice(1).map((_other, j): Contrast => {
        const [level, opposite] = [i + 1, j + 1];
        const sign = (at: number | undefined, wanted: number) => (at === wanted ? 1 : at === 0 ? -1 : 0);
        return {
          kind: 'interaction',
          settings: [one.name, other.name],
          levels: [
            { level: one.levels[level] as string, than: one.levels[0] as string },
            { level: other.levels[opposite] as string, than: other.levels[0] as string },
          ],
          weights: cells.map((cell) => sign(cell[first], level) * sign(cell[second], opposite) * share),
        };
      }),
    );
  });
}

/** Returns every two places of a list, the earlier one first. */
function pairsOf(length: number): [number, number][] {
  const places = Array.from({ length }, (_, place) => place);
  return places.flatMap((one) => places.slice(one + 1).map((other): [number, number] => [one, other]));
}

function estimate({ weights }: Contrast, rows: readonly GridRow[]) {
  const differences = rows.map(({ scores }) =>
    scores.reduce((sum, score, cell) => sum + (weights[cell] as number) * score, 0),
  );
  const clusters = clustersOf(rows);
  const found = pairedT({ differences, clusters, confidence });
  // The greatest possible value: every score at its worst or its best.
  const reach = weights.reduce((sum, weight) => sum + Math.max(0, weight), 0);
  const { lower, upper } =
    rows.length === 0
      ? { lower: null, upper: null }
      : boundedMeanInterval({ values: differences, clusters, range: [-reach, reach], confidence });
  const { standardError } = found;
  return {
    value: rows.length === 0 ? null : found.estimate,
    standardError,
    lower: found.lower,
    upper: found.upper,
    pValue: found.pValue,
    bounds: { lower: lower ?? -reach, upper: upper ?? reach },
    /** Returns about how many questions show the effect, corrected for the number of effects. */
    needed: (effects: number): number | null => {
      const { estimate: difference } = found;
      if (standardError === null || difference === null || Math.abs(difference) < 1e-12) return null;
      const standardDeviation = standardError * Math.sqrt(rows.length);
      const level = 1 - (1 - confidence) / effects;
      const { n } = pairedSampleSize({ difference, standardDeviation, confidence: level });
      return Math.max(n, rows.length + 1);
    },
  };
}

/** Returns the clusters of questions, one without one being its own; undefined when no two share one. */
function clustersOf(rows: readonly GridRow[]): string[] | undefined {
  const clusters = rows.map(({ cluster }, place) => (cluster === undefined ? `#${place}` : `=${cluster}`));
  return new Set(clusters).size === clusters.length ? undefined : clusters;
}

/** The pivot below which the columns of a design depend on each other. */
const singular = 1e-9;

/**
 * Returns the matrix that turns observations into the parameters of least squares, (XᵀX)⁻¹Xᵀ: for each parameter the weight
 * of every observation. Undefined when several parameters fit the same.
 * @param rows - The design: a row for each observation, a column for each parameter.
 */
function solveLeastSquares(rows: readonly (readonly number[])[]): number[][] | undefined {
  const width = rows[0]?.length ?? 0;
  const at = (row: number, column: number) => rows[row]?.[column] as number;
  const columns = Array.from({ length: width }, (_, column) => column);
  const observations = rows.map((_, row) => row);
  // The normal equations, with Xᵀ at the right: elimination leaves the solution there.
  const system = columns.map((one) => [
    ...columns.map((other) => observations.reduce((sum, row) => sum + at(row, one) * at(row, other), 0)),
    ...observations.map((row) => at(row, one)),
  ]);
  for (const pivot of columns) {
    const best = columns
      .slice(pivot)
      .reduce((most, row) => (size(system, row, pivot) > size(system, most, pivot) ? row : most), pivot);
    if (size(system, best, pivot) < singular) return undefined;
    const chosen = system[best] as number[];
    system[best] = system[pivot] as number[];
    const scale = chosen[pivot] as number;
    const scaled = chosen.map((value) => value / scale);
    system[pivot] = scaled;
    for (const row of columns) {
      const factor = row === pivot ? 0 : (system[row]?.[pivot] as number);
      if (factor === 0) continue;
      system[row] = (system[row] as number[]).map(
        (value, place) => value - factor * (scaled[place] as number),
      );
    }
  }
  return system.map((row) => row.slice(width));
}

function size(system: readonly (readonly number[])[], row: number, column: number): number {
  return Math.abs(system[row]?.[column] as number);
}
