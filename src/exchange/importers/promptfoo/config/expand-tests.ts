import { TouchstoneError } from '../../../../core/errors.ts';
import type { Ledger } from '../../ledger.ts';
import { asArray, asObject, asText, type Fields, objectsIn } from '../../values.ts';
import { fillVars, render } from '../../render.ts';
import type { ConfigFiles } from './config-files.ts';
import { functionMark } from '../../content/content.ts';
import { testOfRow } from './csv-tests.ts';

/** A test with everything that applies to it, and one value for each variable. */
export interface ExpandedTest {
  readonly test: Fields;
  /** The scenario that it belongs to. */
  readonly cluster?: string;
}

/** The most tests that a config may stand for: lists of variables multiply. */
const mostTests = 100_000;

interface Sources {
  readonly files: ConfigFiles;
  readonly ledger: Ledger;
}

/** Expands the tests and scenarios of a config: files, `defaultTest`, lists of variables. */
export function expandTests(config: Fields, sources: Sources): ExpandedTest[] {
  const defaults = readDefaults(config.defaultTest, sources);
  const scenarios = loadAll(config.scenarios, sources).flatMap((scenario, index) =>
    expandScenario(scenario, defaults, { ...sources, index }),
  );
  // Without tests, promptfoo asks each prompt once.
  const written = isEmpty(config.tests) && isEmpty(config.scenarios) ? [{}] : config.tests;
  const own = loadTests(written, sources).map((test): ExpandedTest => ({ test: merge(defaults, test) }));
  // promptfoo asks the scenarios first.
  const expanded = [...scenarios, ...own].flatMap(({ test, ...rest }) =>
    multiply(test, loadVars(test, sources)).map((each) => ({ test: each, ...rest })),
  );
  if (expanded.length > mostTests) throw tooMany();
  return expanded;
}

function isEmpty(written: unknown): boolean {
  return written === undefined || written === null || (Array.isArray(written) && written.length === 0);
}

function readDefaults(raw: unknown, { files, ledger }: Sources): Fields {
  const name = asText(raw);
  if (name === undefined) return asObject(raw) ?? {};
  const read = files.readData(name);
  if (typeof read !== 'string') return asObject(read.content) ?? {};
  ledger.leaveOut('defaultTest in a file', { note: read, place: name });
  return {};
}

function expandScenario(
  scenario: Fields,
  defaults: Fields,
  { index, ...sources }: Sources & { readonly index: number },
): ExpandedTest[] {
  const cluster = asText(scenario.description) ?? `scenario-${index + 1}`;
  sources.ledger.take('scenario', 'cluster of questions', cluster);
  const tests = loadTests(scenario.tests, sources);
  return loadAll(scenario.config, sources).flatMap((each) =>
    (tests.length === 0 ? [{}] : tests).map((test) => ({
      test: merge(merge(defaults, each), test),
      cluster,
    })),
  );
}

/** Merges a test into what applies to all: its own values win, and assertions add up. */
function merge(defaults: Fields, test: Fields): Fields {
  const skips = asObject(test.options)?.disableDefaultAsserts === true;
  const both = (key: string) => ({ ...asObject(defaults[key]), ...asObject(test[key]) });
  const vars =
    typeof test.vars === 'string' || typeof defaults.vars === 'string'
      ? (test.vars ?? defaults.vars)
      : both('vars');
  return {
    ...defaults,
    ...test,
    vars,
    options: both('options'),
    metadata: both('metadata'),
    assert: [...(skips ? [] : asArray(defaults.assert)), ...asArray(test.assert)],
  };
}

/** Loads tests: inline, or from files of any form. */
function loadTests(raw: unknown, sources: Sources): Fields[] {
  const items = raw === undefined || raw === null ? [] : Array.isArray(raw) ? raw : [raw];
  return items.flatMap((item: unknown) => {
    const isFunction = typeof item === 'string' && item.startsWith(functionMark);
    if (typeof item === 'string' && !isFunction) return loadTestFiles(item, sources);
    const object = asObject(item);
    if (isFunction || (asText(object?.path) !== undefined && object?.vars === undefined)) {
      sources.ledger.leaveOut('tests made by code', {
        note: 'Code is never run.',
        place: isFunction ? 'tests' : String(object?.path),
      });
      return [];
    }
    return object === undefined ? [] : [object];
  });
}

function loadTestFiles(reference: string, { files, ledger }: Sources): Fields[] {
  const names = files.match(reference);
  if (names.length === 0) ledger.leaveOut('file of tests', { note: 'No file matches.', place: reference });
  return names.flatMap((name) => {
    const found = files.readRows(name);
    if (typeof found === 'string') {
      ledger.leaveOut('file of tests', { note: found, place: reference });
      return [];
    }
    ledger.take('file of tests', 'questions', name);
    return 'header' in found
      ? found.cells.map((cells) => testOfRow(found.header, cells))
      : objectsIn(found.rows.flat());
  });
}

/** Loads a list whose items may be in files. */
function loadAll(raw: unknown, { files, ledger }: Sources): Fields[] {
  return asArray(typeof raw === 'string' ? [raw] : raw).flatMap((item): Fields[] => {
    const name = asText(item);
    if (name === undefined) return objectsIn([item]);
    return files.match(name).flatMap((file) => {
      const read = files.readData(file);
      if (typeof read !== 'string') return objectsIn([read.content].flat());
      ledger.leaveOut('scenario in a file', { note: read, place: name });
      return [];
    });
  });
}

/** The values of a variable, of which each makes a test of its own. */
type Choices = readonly (readonly [name: string, values: readonly unknown[]])[];

/**
 * Returns the values of each variable: the texts of a list of texts, the contents of the files that a pattern matches, and
 * otherwise the one value that it has. A list of anything but texts is one value, as in promptfoo.
 */
function loadVars(test: Fields, { files, ledger }: Sources): Choices {
  const named = asText(test.vars);
  const read = named === undefined ? undefined : files.readData(named);
  if (typeof read === 'string') ledger.leaveOut('variables in a file', { note: read, place: named ?? '' });
  const variables = asObject(typeof read === 'object' ? read.content : test.vars) ?? {};
  const isOff = asObject(test.options)?.disableVarExpansion === true;
  return Object.entries(variables).map(([name, value]) => {
    if (Array.isArray(value) && typeof value[0] === 'string' && !isOff) return [name, value];
    if (typeof value !== 'string' || !value.startsWith('file://')) return [name, [value]];
    const matches = files.match(value);
    const loaded = matches.flatMap((match): unknown[] => {
      const content = files.readData(match);
      if (typeof content !== 'string') return [content.content];
      ledger.leaveOut('variable in a file', { note: content, place: `${name}: ${value}` });
      return [];
    });
    return [name, loaded.length === 0 ? [value] : loaded];
  });
}

/** Makes a test for each combination of the values of its variables, and fills variables into variables. */
function multiply(test: Fields, choices: Choices): Fields[] {
  let combinations: Record<string, unknown>[] = [{}];
  for (const [name, values] of choices) {
    if (combinations.length * values.length > mostTests) throw tooMany();
    combinations = combinations.flatMap((each) => values.map((value) => ({ ...each, [name]: value })));
  }
  return combinations.map((each) => ({ ...test, vars: fillVars(each), ...describeWith(test, each) }));
}

function tooMany(): TouchstoneError {
  return new TouchstoneError(
    'import-invalid',
    `The tests of the config stand for more than ${mostTests} questions.`,
    {
      remedy: 'Import fewer of them at once, or shorten the lists of variables.',
    },
  );
}

function describeWith(test: Fields, vars: Fields): Fields {
  const description = asText(test.description);
  return description === undefined ? {} : { description: render(description, vars) ?? description };
}
