import type { Ledger } from '../../ledger.ts';
import { stepsOf } from '../assertions/known-transform.ts';
import { asArray, asObject, asText, type Fields, objectsIn } from '../../values.ts';
import { typeOf } from '../assertions/assertion.ts';
import { assertionTypes } from '../assertions/assertion-types.ts';
import { didYouMean } from '../../../../core/lib/text/nearest-name.ts';

/** The settings of a config that are translated elsewhere. */
const translated = [
  'description',
  'prompts',
  'providers',
  'targets',
  'tests',
  'scenarios',
  'defaultTest',
  'assertionTemplates',
  'evaluateOptions',
  '$schema',
];

const notes: Readonly<Record<string, string>> = {
  derivedMetrics: 'Formulas over scores have no equivalent; weigh the checks instead.',
  extensions: 'Code is never run.',
  nunjucksFilters: 'Code is never run.',
  redteam: 'Attacks are not made here: run `promptfoo redteam run` first, and import its results.',
  sharing: 'Nothing is sent anywhere.',
  tracing: 'Targets report their tool calls themselves; see docs/tool-calls.md.',
  env: 'Values of environment variables are not copied, since they may be secret. Set them where you run.',
  outputPath: 'Every run is in the store; `touchstone export` writes it.',
};

const ofTests: Readonly<Record<string, string>> = {
  transform: 'Code is never run: its checks are not imported.',
  transformVars: 'Code is never run.',
  runSerially: 'Questions are independent of each other.',
  prefix: 'Text before the prompt of one test has no equivalent.',
  suffix: 'Text after the prompt of one test has no equivalent.',
  rubricPrompt: 'The judge is asked in our words.',
};

/** A test with the name of its question. */
export interface NamedTest {
  readonly name: string;
  readonly test: Fields;
}

/** Counts the settings of a config, and of its tests, that nothing else translates. */
export function countRest(config: Fields, tests: readonly NamedTest[], ledger: Ledger): void {
  for (const key of Object.keys(config)) {
    if (translated.includes(key)) continue;
    if (key === 'tags' || key === 'metadata')
      ledger.leaveOut(key, { note: 'Runs have no tags; put them into the description.' });
    else ledger.leaveOut(key, { note: notes[key] ?? 'It has no equivalent.' });
  }
  for (const key of Object.keys(asObject(config.evaluateOptions) ?? {})) {
    if (['repeat', 'maxConcurrency', 'timeoutMs'].includes(key))
      ledger.take(`evaluateOptions.${key}`, 'setting of the run');
    else ledger.leaveOut(`evaluateOptions.${key}`, { note: 'It has no equivalent.' });
  }
  for (const each of tests) countTest(each, ledger);
}

function countTest({ test, name: place }: NamedTest, ledger: Ledger): void {
  nameUnknown(test, place, ledger);
  const options = asObject(test.options) ?? {};
  for (const [key, note] of Object.entries(ofTests)) {
    const value = options[key];
    const code = key.startsWith('transform') ? asText(value) : undefined;
    if (value === undefined || value === '') continue;
    if (key === 'transform' && stepsOf(code ?? '') !== undefined)
      ledger.take('option transform of a test', 'part of the answer that its checks look at');
    else {
      ledger.leaveOut(`option ${key} of a test`, { note, place, code });
    }
  }
  for (const key of ['assertScoringFunction', 'provider', 'providers', 'prompts', 'repeat']) {
    if (test[key] !== undefined)
      ledger.leaveOut(`${key} of a test`, {
        note: 'It applies to one test alone, which has no equivalent.',
        place,
      });
  }
}

/** The settings of a test in promptfoo 0.123.1. */
const settingsOfTest = [
  'description',
  'vars',
  'assert',
  'assertScoringFunction',
  'options',
  'threshold',
  'metadata',
  'provider',
  'providers',
  'prompts',
  'providerOutput',
  'repeat',
  'tags',
];

/** The settings of an assertion, and of a set of them. */
const settingsOfAssertion = [
  'type',
  'value',
  'config',
  'threshold',
  'weight',
  'provider',
  'rubricPrompt',
  'metric',
  'transform',
  'contextTransform',
  'assert',
];

/** Names the settings of a test and its assertions that promptfoo does not have, and assertions in a place where it reads none. */
function nameUnknown(test: Fields, place: string, ledger: Ledger): void {
  for (const key of Object.keys(test)) nameKey(key, 'test', { known: settingsOfTest, place, ledger });
  nameInAssertions(test.assert, place, ledger);
  for (const [name, value] of Object.entries(asObject(test.vars) ?? {})) {
    if (!isAssertions(value)) continue;
    const note = 'promptfoo checks nothing by it: it is a variable. Move it out of `vars`, and import again.';
    ledger.leaveOut(`assertions in the variable ${name}`, { note, place });
  }
}

function nameInAssertions(assertions: unknown, place: string, ledger: Ledger): void {
  for (const assertion of objectsIn(assertions)) {
    for (const key of Object.keys(assertion))
      nameKey(key, 'assertion', { known: settingsOfAssertion, place, ledger });
    nameInAssertions(assertion.assert, place, ledger);
  }
}

function nameKey(
  key: string,
  of: string,
  {
    known,
    place,
    ledger,
  }: { readonly known: readonly string[]; readonly place: string; readonly ledger: Ledger },
): void {
  if (known.includes(key)) return;
  const note = `promptfoo has no such setting, and does nothing by it.${didYouMean(key, known)}`;
  ledger.leaveOut(`${key} of ${of === 'test' ? 'a test' : 'an assertion'}`, { note, place });
}

/** Returns whether a value is a list of assertions: objects with a type that promptfoo has. */
function isAssertions(value: unknown): boolean {
  const items = asArray(value);
  return items.length > 0 && objectsIn(items).filter(hasKnownType).length === items.length;
}

function hasKnownType(item: Fields): boolean {
  return Object.hasOwn(assertionTypes, typeOf(item).type);
}
