import { win32 } from 'node:path';
import type { NamedUse } from '../../../core/lib/define.ts';
import { canonicalJson } from '../../../core/lib/content-hash.ts';
import { ConfigProblem } from '../config-problem.ts';

/** A level of a setting: its name in the names of targets, and its value. */
export interface GridLevel {
  readonly name: string;
  readonly value: unknown;
}

/** A setting that varies, with its levels. */
export interface GridAxis {
  /** The path of the setting: `prompt`, `model.temperature`. */
  readonly setting: string;
  readonly levels: readonly GridLevel[];
}

/** A grid as it is written. */
export interface WrittenGrid {
  readonly axes: readonly GridAxis[];
  /** Combinations to keep, or to leave out, by the names of levels; undefined for all. */
  readonly only: readonly Readonly<Record<string, string>>[] | undefined;
  readonly except: readonly Readonly<Record<string, string>>[];
  /** The number of combinations to draw, with the seed. */
  readonly cells: number | undefined;
  readonly seed: number;
  /** True to ask all combinations, however many. */
  readonly isFull: boolean;
}

/** Reads the `grid` of a target; undefined for a target without one. Throws `ConfigProblem`. */
export function readGrid(use: NamedUse, path: readonly PropertyKey[]): WrittenGrid | undefined {
  const written: unknown = use['grid'];
  if (written === undefined) return undefined;
  const at = [...path, 'grid'];
  if (!isObject(written))
    throw problem(at, 'expected settings with lists of levels: `{ temperature: [0, 0.7] }`');
  const options = new Map<string, unknown>();
  const axes: GridAxis[] = [];
  for (const [setting, value] of Object.entries(written)) {
    const isOption = optionNames.has(setting) && (!Array.isArray(value) || combinations.has(setting));
    if (isOption) options.set(setting, value);
    else axes.push({ setting, levels: readLevels(value, [...at, setting]) });
  }
  if (axes.length === 0) throw problem(at, 'has no setting: write `{ temperature: [0, 0.7] }`');
  return {
    axes,
    only: options.has('only') ? readCombinations(options.get('only'), axes, [...at, 'only']) : undefined,
    except: options.has('except') ? readCombinations(options.get('except'), axes, [...at, 'except']) : [],
    cells: readCount(options.get('cells'), [...at, 'cells'], 1),
    seed: readCount(options.get('seed'), [...at, 'seed'], 0) ?? 0,
    isFull: options.get('full') === true,
  };
}

const optionNames = new Set(['cells', 'seed', 'full', 'only', 'except']);
const combinations = new Set(['only', 'except']);

function readLevels(value: unknown, path: readonly PropertyKey[]): GridLevel[] {
  if (!Array.isArray(value)) throw problem(path, 'expected a list of levels, such as `[0, 0.7]`');
  if (value.length === 0) throw problem(path, 'is an empty list: name at least one level');
  const levels = value.map((level: unknown, place) => readLevel(level, [...path, place]));
  for (const [place, { name, value: content }] of levels.entries()) {
    const isSame = (other: GridLevel) =>
      other.name === name || canonicalJson(other.value) === canonicalJson(content);
    if (levels.slice(0, place).some(isSame)) throw problem([...path, place], `"${name}" is there twice`);
  }
  return levels;
}

function readLevel(level: unknown, path: readonly PropertyKey[]): GridLevel {
  if (typeof level === 'string') {
    const file = /^file:(.+)$/.exec(level)?.[1];
    return file === undefined
      ? { name: level, value: level }
      : { name: baseName(file), value: { path: file } };
  }
  if (typeof level === 'number' || typeof level === 'boolean') return { name: String(level), value: level };
  if (isObject(level)) {
    const entries = Object.entries(level);
    const [[name, value] = ['', undefined]] = entries;
    if (entries.length === 1 && name === 'path' && typeof value === 'string')
      return { name: baseName(value), value: level };
    if (entries.length === 1) return { name, value };
  }
  throw problem(path, 'needs a name: write `{ short: … }` with the value of the setting');
}

/** Returns the name of a file without its folders and its ending, the same on every system: `\` separates folders, too. */
function baseName(file: string): string {
  return win32.parse(file).name;
}

function readCombinations(
  value: unknown,
  axes: readonly GridAxis[],
  path: readonly PropertyKey[],
): Record<string, string>[] {
  if (!Array.isArray(value) || !value.every(isObject))
    throw problem(path, 'expected a list of combinations, such as `[{ model: small }]`');
  return value.map((each, place) =>
    Object.fromEntries(
      Object.entries(each).map(([setting, level]) => {
        const axis = axes.find((one) => one.setting === setting);
        const names = axes.map((one) => one.setting).join(', ');
        if (axis === undefined)
          throw problem([...path, place, setting], `is no setting of this grid; it has ${names}`);
        const named = (wanted: string) => axis.levels.find(({ name }) => name === wanted);
        const found = named(String(level)) ?? named(baseName(String(level)));
        const levels = axis.levels.map(({ name }) => name).join(', ');
        if (found === undefined)
          throw problem(
            [...path, place, setting],
            `"${String(level)}" is no level of ${setting}; it has ${levels}`,
          );
        return [setting, found.name];
      }),
    ),
  );
}

function readCount(value: unknown, path: readonly PropertyKey[], least: number): number | undefined {
  if (value === undefined) return undefined;
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  throw problem(path, `expected a whole number of at least ${least}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a problem of a grid at a setting. */
export function problem(path: readonly PropertyKey[], message: string): ConfigProblem {
  return new ConfigProblem([{ path, message }]);
}
