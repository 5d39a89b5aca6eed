import { TouchstoneError } from '../../../core/errors.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { describeValue } from '../../../core/lib/text/describe-value.ts';
import { didYouMean } from '../../../core/lib/text/nearest-name.ts';
import { pathSteps } from '../../../core/lib/objects.ts';
import type { LocateSetting } from '../config-problem.ts';
import type { Config } from '../config.ts';
import { joinArms, type LoadedArms } from './join-arms.ts';
import { type ConfigSource, readConfig } from '../load-config.ts';
import { type EvaluationChoices, type LoadedEvaluation, toEvaluation } from '../load-evaluation.ts';

/** One side of an A/B test: a config, and the name of its target. */
export interface ArmSource extends ConfigSource {
  /** The name of the target; by default the only one of the config, or the only one that differs from the other side. */
  readonly target?: string;
}

/** The choices that both sides of an A/B test share. Each side names its own target. */
export type ArmChoices = Omit<EvaluationChoices, 'targetNames'>;

/** The two sides as named on a command line. */
export interface NamedArms {
  /** The config files, or folders with one: none, one for both sides, or one for each. */
  readonly configs: readonly string[];
  readonly a?: string;
  readonly b?: string;
  /** The settings changed for B. */
  readonly overrides: readonly SettingOverride[];
}

/** Finds and loads the config files of both sides. Throws `TouchstoneError` for files and overrides that are invalid. */
export async function findArms({ configs, a, b, overrides }: NamedArms): Promise<[ArmSource, ArmSource]> {
  const [first, second] = configs;
  const sourceA = await readConfig(first);
  const sourceB = second === undefined ? sourceA : await readConfig(second);
  return [
    { ...sourceA, target: a },
    { ...withOverrides(sourceB, overrides), target: b },
  ];
}

function withOverrides(source: ConfigSource, overrides: readonly SettingOverride[]): ConfigSource {
  const written = overrideSettings(source.written, overrides);
  const flags = overrides.map(({ given }) => ({ given, path: settingPath(written, given) }));
  const locate: LocateSetting = async (issue) => {
    const flag = flags.find(({ path }) => {
      const isInside = path.length <= issue.path.length;
      // An unknown name may be part of the way along the path.
      const shared = isInside || issue.isName !== true ? path : path.slice(0, issue.path.length);
      return shared.every((step, place) => step === issue.path[place]);
    });
    return flag === undefined ? ((await source.locate?.(issue)) ?? 'config') : `--set ${flag.given}`;
  };
  return { ...source, written, locate };
}

/**
 * Loads both sides and joins them into one evaluation over both targets, without conditions and without a gate. Throws
 * `usage-invalid` when the targets are the same or the sides do not ask and score the same, and for problems in either
 * config.
 */
export async function loadArms(
  [a, b]: readonly [ArmSource, ArmSource],
  choices: ArmChoices = {},
): Promise<LoadedArms> {
  const [loadedA, loadedB] = [await loadArm(a, choices), await loadArm(b, choices)];
  const joined = await joinArms(loadedA, loadedB);
  if (![a, b].some(asksForConditions)) return joined;
  const { evaluation } = joined.loaded;
  const notices = [...(evaluation.notices ?? []), 'Left out: the faults and perturbations of the config.'];
  return { ...joined, loaded: { ...joined.loaded, evaluation: { ...evaluation, notices } } };
}

function asksForConditions({ written }: ArmSource): boolean {
  const { faults = [], perturb = [] } = written as Partial<Config>;
  return faults.length + perturb.length > 0;
}

async function loadArm(
  { target, ...source }: ArmSource,
  { overrides, ...choices }: ArmChoices,
): Promise<LoadedEvaluation> {
  const plain: Partial<Config> = { ...overrides, faults: [], perturb: [] };
  const targetNames = target === undefined ? undefined : [target];
  return await toEvaluation(source, { ...choices, overrides: plain, targetNames });
}

/**
 * Returns a copy of a config with some settings replaced. Only objects along the paths are copied, and values made by a
 * factory keep their definition. Throws `usage-invalid` for a path that leads nowhere; the names and values of settings
 * are checked later, with the config.
 */
export function overrideSettings(written: unknown, overrides: readonly SettingOverride[]): unknown {
  return overrides.reduce((config, { given, value }) => {
    const steps = pathSteps(given);
    return replaceIn(config, { given, value, steps, at: 0 });
  }, written);
}

/** Returns the path of an overridden setting, with names of list items replaced by their indexes. */
export function settingPath(written: unknown, settingName: string): PropertyKey[] {
  const path: PropertyKey[] = [];
  let inside = written;
  for (const step of pathSteps(settingName)) {
    const key = Array.isArray(inside) ? placeInList(inside, step) : step;
    if (key === undefined) return path;
    path.push(key);
    inside = isRecord(inside) || Array.isArray(inside) ? Reflect.get(inside, key) : undefined;
  }
  return path;
}

/** An override on its way along its path. */
interface Replacement extends SettingOverride {
  readonly steps: readonly string[];
  /** The number of steps already taken. */
  readonly at: number;
}

function replaceIn(inside: unknown, replacement: Replacement): unknown {
  const { steps, at, value } = replacement;
  const step = steps[at];
  if (step === undefined) return value;
  const next = { ...replacement, at: at + 1 };
  if (Array.isArray(inside)) {
    const place = placeInList(inside, step);
    if (place === undefined) throw notInList(inside, replacement);
    return inside.with(place, replaceIn(inside[place], next));
  }
  if (inside !== undefined && !isRecord(inside)) throw nothingInside(inside, replacement);
  const own = inside !== undefined && Object.hasOwn(inside, step) ? inside[step] : undefined;
  return withSetting(inside ?? {}, step, replaceIn(own, next));
}

/** Returns the index of a list item given by its index, its name, or its `use` if only one item has it. */
function placeInList(items: readonly unknown[], step: string): number | undefined {
  if (/^\d+$/.test(step)) return Number(step) < items.length ? Number(step) : undefined;
  const places = [...items.keys()].filter((place) => nameOf(items[place]) === step);
  return places.length === 1 ? places[0] : undefined;
}

function nameOf(item: unknown): unknown {
  return isRecord(item) ? (item['name'] ?? item['use']) : item;
}

/** Copies an object with one property replaced; non-enumerable symbols, such as a remembered definition, stay. */
function withSetting(record: object, name: string, value: unknown): object {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(record));
  return Object.defineProperty(copy, name, { value, enumerable: true, writable: true, configurable: true });
}

function notInList(items: readonly unknown[], { given, steps, at }: Replacement): TouchstoneError {
  const list = steps.slice(0, at).join('.');
  const names = items.map(nameOf).filter((name) => typeof name === 'string');
  const step = steps[at] ?? '';
  const known = items.map((_, place) => [String(place), names[place] ?? ''].filter(Boolean).join(' or '));
  const hint = didYouMean(step, names);
  const message = `--set ${given}: there is no "${step}" in ${list}.${hint}`;
  return new TouchstoneError('usage-invalid', message, {
    remedy: known.length === 0 ? `${list} is empty.` : `It has ${known.join(', ')}.`,
  });
}

function nothingInside(found: unknown, { given, steps, at }: Replacement): TouchstoneError {
  const reached = steps.slice(0, at).join('.');
  const message = `--set ${given}: ${reached} is ${describeValue(found)}, which has no settings inside.`;
  return new TouchstoneError('usage-invalid', message, {
    remedy: `Set it as a whole: \`--set ${reached}=…\`.`,
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A setting with its new value. */
interface SettingOverride {
  /** The path in the config as typed, such as `targets.0.system`, with list items by their index or name. */
  readonly given: string;
  readonly value: unknown;
}

/**
 * Parses `targets.0.system=Be short.` into a path and a value. The value is parsed as JSON, or taken as text when it is
 * not JSON. Throws `usage-invalid` when the path or the value is missing.
 */
export function parseOverride(text: string): SettingOverride {
  const [, given = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(text) ?? [];
  if (pathSteps(given).length > 0) return { given: given.trim(), value: readValue(value) };
  throw new TouchstoneError('usage-invalid', `--set ${text}: expected a setting and its value.`, {
    remedy: 'Write a path into the config and a value: `--set targets.0.model.model=gpt-5-mini`.',
  });
}

function readValue(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
