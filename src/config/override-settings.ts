import { TouchstoneError } from '../errors.ts';
import { describeValue } from '../lib/describe-value.ts';
import { didYouMean } from '../lib/nearest-name.ts';
import { pathSteps } from '../lib/value-at-path.ts';
import type { SettingOverride } from './parse-override.ts';

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
