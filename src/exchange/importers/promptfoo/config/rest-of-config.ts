import type { Ledger } from '../../ledger.ts';
import { stepsOf } from '../assertions/known-transform.ts';
import { nameUnknown } from './unknown-settings.ts';
import { asObject, asText, type Fields } from '../../values.ts';

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
      ledger.leaveOut(`option ${key} of a test`, { note, place, ...(code !== undefined && { code }) });
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
