import { TouchstoneError } from '../errors.ts';
import { describeValue } from '../lib/text/describe-value.ts';
import { didYouMean } from '../lib/text/nearest-name.ts';
import { pathSteps } from '../lib/objects.ts';
import type { LocateSetting } from './config-problem.ts';
import type { Config } from './config.ts';
import { joinArms, type LoadedArms } from './join-arms.ts';
import { findConfig, loadConfig } from './load-config.ts';
import { type EvaluationChoices, type LoadedEvaluation, toEvaluation } from './load-evaluation.ts';

/** One side of an A/B test: a config, and which target of it. */
export interface ArmSource {
  readonly written: unknown;
  /** The folder that relative paths of the config start from. */
  readonly folder: string;
  readonly locate?: LocateSetting;
  /** The only one of the config, or the only one that differs from the other side, when left out. */
  readonly target?: string | undefined;
}

/** What the two sides of an A/B test have in common. Which targets they have, they say themselves. */
export type ArmChoices = Omit<EvaluationChoices, 'targetNames'>;

/** How a command line names the two sides. */
export interface NamedArms {
  /** None, one for both sides, or one for each: files, or folders with one. */
  readonly configs: readonly string[];
  readonly a?: string | undefined;
  readonly b?: string | undefined;
  /** What is another on the side of B. */
  readonly overrides: readonly SettingOverride[];
}

/** Finds and loads the config files of both sides. Throws `TouchstoneError` for what cannot be read or set. */
export async function findArms({ configs, a, b, overrides }: NamedArms): Promise<[ArmSource, ArmSource]> {
  const [first, second] = configs;
  const sourceA = await loadConfig(await findConfig(first));
  const sourceB = second === undefined ? sourceA : await loadConfig(await findConfig(second));
  return [
    { ...sourceA, target: a },
    { ...withOverrides(sourceB, overrides), target: b },
  ];
}

function withOverrides<Source extends ArmSource & { readonly locate: LocateSetting }>(
  source: Source,
  overrides: readonly SettingOverride[],
): Source {
  const written = overrideSettings(source.written, overrides);
  const flags = overrides.map(({ given }) => ({ given, path: settingPath(written, given) }));
  const locate: LocateSetting = (issue) => {
    const flag = flags.find(({ path }) => {
      const isInside = path.length <= issue.path.length;
      // A name that is not known may stand half way.
      const shared = isInside || issue.isName !== true ? path : path.slice(0, issue.path.length);
      return shared.every((step, place) => step === issue.path[place]);
    });
    return flag === undefined ? source.locate(issue) : `--set ${flag.given}`;
  };
  return { ...source, written, locate };
}

/**
 * Makes an A/B test of two sides: both evaluations, joined to one over both targets, without conditions and without gate.
 * Throws `usage-invalid` where they are the same target or do not ask and score the same, and for all that is wrong
 * with either config.
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
  { written, folder, locate, target }: ArmSource,
  { overrides, ...choices }: ArmChoices,
): Promise<LoadedEvaluation> {
  const plain: Partial<Config> = { ...overrides, faults: [], perturb: [] };
  const targetNames = target === undefined ? undefined : [target];
  return await toEvaluation(written, folder, { ...choices, overrides: plain, targetNames }, locate);
}

/**
 * A copy of a config with some settings replaced. Only what lies on their paths is copied, and what a factory made still
 * knows its definition. Throws `usage-invalid` for a path that leads nowhere; whether the settings are known and their
 * values right is checked with the config.
 */
export function overrideSettings(written: unknown, overrides: readonly SettingOverride[]): unknown {
  return overrides.reduce((config, { given, value }) => {
    const steps = pathSteps(given);
    return replaceIn(config, { given, value, steps, at: 0 });
  }, written);
}

/** Where the settings of a config stand, as it was overridden: places in the list of items become their numbers. */
export function settingPath(written: unknown, given: string): PropertyKey[] {
  const path: PropertyKey[] = [];
  let inside = written;
  for (const step of pathSteps(given)) {
    const key = Array.isArray(inside) ? placeInList(inside, step) : step;
    if (key === undefined) return path;
    path.push(key);
    inside = isRecord(inside) || Array.isArray(inside) ? Reflect.get(inside, key) : undefined;
  }
  return path;
}

interface Replacement extends SettingOverride {
  readonly steps: readonly string[];
  /** How many steps are behind us. */
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

/** The number of an item: by its number, or by its name, else by what it uses where only one does. */
function placeInList(items: readonly unknown[], step: string): number | undefined {
  if (/^\d+$/.test(step)) return Number(step) < items.length ? Number(step) : undefined;
  const places = [...items.keys()].filter((place) => nameOf(items[place]) === step);
  return places.length === 1 ? places[0] : undefined;
}

function nameOf(item: unknown): unknown {
  return isRecord(item) ? (item['name'] ?? item['use']) : item;
}

/** The same value with one property replaced; symbols that are not listed, such as a remembered definition, come along. */
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
  const message = `--set ${given}: ${reached} is ${describeValue(found)}, and has nothing inside.`;
  return new TouchstoneError('usage-invalid', message, {
    remedy: `Set it as a whole: \`--set ${reached}=…\`.`,
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A setting that takes another value. */
interface SettingOverride {
  /** Where it is in the config, such as `targets.0.system`; an item of a list by its number or its name. */
  readonly given: string;
  readonly value: unknown;
}

/**
 * Reads `targets.0.system=Be short.`: a path and a value, which is JSON where it can be read so, else a text.
 * Throws `usage-invalid` where there is no path, or no value.
 */
export function parseOverride(text: string): SettingOverride {
  const [, given = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(text) ?? [];
  if (pathSteps(given).length > 0) return { given: given.trim(), value: readValue(value) };
  throw new TouchstoneError('usage-invalid', `--set ${text}: this names no setting and its value.`, {
    remedy: 'Write a path into the config and a value: `--set targets.0.model.model=gpt-5-mini`.',
  });
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
