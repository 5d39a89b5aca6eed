import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import { formatPlural } from '../../../look/report/format.ts';
import type { ImportContent } from '../content/content.ts';
import type { ImportNeeds, Importer, Translation } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { asObject, asText, filled, type Fields, jsonObject, textOf } from '../values.ts';
import { findResults, findResultsInTable, type FoundResults } from './results/read-results.ts';
import { translateResults } from './results/translate-results.ts';
import { type FoundConfig, isConfig, translateConfig } from './config/translate-config.ts';
import { nameTests, translateTest } from './translate-test.ts';
import { parseNearby } from '../content/open-content.ts';
import { ConfigFiles } from './config/config-files.ts';
import { testOfRow } from './config/csv-tests.ts';

/**
 * Results of promptfoo as it exports them (JSON of version 3 or 2, and JSON Lines), its configurations, and tables of tests.
 * @see https://www.promptfoo.dev/docs/configuration/outputs/
 */
export const promptfoo: Importer = {
  name: 'promptfoo',
  title: 'promptfoo',
  reads: [
    'results.version',
    '.version',
    'results.timestamp',
    'results.cost',
    'results.error',
    'results.success',
    'results.score',
    'results.failureReason',
    '.cost',
    '.error',
    '.success',
    '.score',
    '.failureReason',
    'namedScores.*',
    'gradingResult.reason',
    'componentResults.pass',
    'componentResults.score',
    'componentResults.assertion.value',
    'componentResults.metadata.graderError',
    'results.prompt.label',
    '.prompt.label',
    'provider.label',
    'response.output',
    'response.tokenUsage.prompt',
    'response.tokenUsage.completion',
    'response.tokenUsage.cached',
    'response.tokenUsage.completionDetails.reasoning',
    'testCase.assert.value',
    'testCaseId',
    'spans.endTime',
    'spans.statusCode',
    'config.description',
    '.description',
    '.prompts',
    '.tests',
    '.defaultTest',
    '.providers.id',
    '.tests*.assert.type',
    '.tests*.assert.value*',
    '.defaultTest.assert.type',
    '.defaultTest.assert.value*',
    '.scenarios*.assert.type',
    '.scenarios*.assert.value*',
    '.assert.type',
    '.assert.value*',
    '__*',
    'Status',
    'Score',
    'Metric: *',
    'Named Scores.*',
    'Grader Reason',
    'Description',
    '[*] *',
  ],
  readsNearby: true,
  detect(content) {
    const found = resultsIn(content);
    if (found !== undefined) return `results of promptfoo, ${describe(found)}`;
    return findConfig(content) === undefined ? undefined : 'a configuration of promptfoo';
  },
  isRecorded(content) {
    return resultsIn(content) !== undefined;
  },
  async read(content, ledger, needs) {
    const results = resultsIn(content);
    if (results !== undefined) return translateFound(results, ledger, needs);
    const config = findConfig(content);
    if (config !== undefined) return translateConfig(config, ledger, needs);
    throw new TouchstoneError(
      'import-invalid',
      `${content.name}: it is neither results nor a configuration of promptfoo.`,
    );
  },
};

function resultsIn(content: ImportContent): FoundResults | undefined {
  if (content.form === 'json' || content.form === 'yaml') return findResults(content.value);
  if (content.form === 'csv') return findResultsInTable(content);
  return content.form === 'jsonl' ? findResults(undefined, content.rows) : undefined;
}

function describe({ version, results }: FoundResults): string {
  const cases = new Set(results.map(({ testKey }) => testKey)).size;
  const targets = new Set(results.map(({ target }) => target)).size;
  const attempts = Math.max(1, ...results.map(({ attempt }) => attempt));
  const form = version === 'table' ? 'a table' : `version ${version}`;
  return `${form}, ${formatPlural(results.length, 'result')} of ${formatPlural(cases, 'question')} × ${formatPlural(targets, 'target')} × ${formatPlural(attempts, 'attempt')}`;
}

function translateFound(found: FoundResults, ledger: Ledger, { findFault }: ImportNeeds): Translation {
  const { results, prompts, promptfooVersion, description, tools } = found;
  const first = [...new Map(results.toReversed().map((each) => [each.testKey, each])).values()].toReversed();
  const names = nameTests(first.map(({ testCase }) => testCase));
  const ids = new Map(first.map(({ testKey }, index) => [testKey, names[index] ?? testKey]));
  const idOf = ({ testKey }: { readonly testKey: string }) => ids.get(testKey) ?? testKey;
  const cases = first.map((each) =>
    translateTest(each.testCase, {
      id: idOf(each),
      prompts,
      rendered: asText(asObject(each.result.prompt)?.raw),
      ledger,
      findFault,
      isJudged: true,
      tools,
    }),
  );
  if (found.version === 'table') noteTable(found, ledger);
  for (const { name, value } of found.derived) {
    const note = 'Formulas over scores have no equivalent; the scores are stored.';
    ledger.leaveOut('derived metric', { note, place: textOf(name ?? ''), code: textOf(value ?? '') });
  }
  const hasChecks = cases.some(({ expected }) => asObject(expected)?.checks !== undefined);
  return {
    found: `promptfoo results, ${describe(found)}`,
    version: promptfooVersion,
    description: description ?? 'Results of promptfoo',
    metadata: filled(jsonObject(found.facts)),
    cases,
    answers: { ...translateResults(results, idOf, ledger), recordedAt: found.recordedAt },
    ...(hasChecks && { config: { metrics: ['case-checks'] } }),
  };
}

/** Names the parts of results that a table of them does not have. */
function noteTable({ results }: FoundResults, ledger: Ledger): void {
  ledger.leaveOut('assertions, costs and times', {
    note: 'A table of results does not have them, nor does it say where a judge failed. Import the results in JSON: `promptfoo export eval ID -o results.json`.',
  });
  for (const { result } of results) {
    const comment = asText(result.comment);
    if (comment !== undefined) ledger.leaveOut('comment of a person', { note: comment.slice(0, 200) });
  }
}

/** The names of a config that contains no code, in the order in which they are looked for. */
const dataNames = ['promptfooconfig.yaml', 'promptfooconfig.yml', 'promptfooconfig.json'];
const codeName = /^promptfooconfig\.[cm]?[jt]s$/;

/** Finds a config of promptfoo: a file, a folder that contains one, or a table of tests. Undefined for anything else. */
function findConfig(content: ImportContent): FoundConfig | undefined {
  if (content.form === 'csv') return ofTable(content.header, content.rows);
  if (content.form === 'folder') return inFolder(content);
  if (content.form !== 'json' && content.form !== 'yaml') return undefined;
  if (isRedTeamAlone(content.value)) throw withoutAttacks(content.name);
  if (!isConfig(content.value)) return undefined;
  return { config: content.value as Fields, files: new ConfigFiles(content.files) };
}

function inFolder(content: Extract<ImportContent, { form: 'folder' }>): FoundConfig | undefined {
  const name = dataNames.find((each) => content.names.includes(each));
  if (name === undefined) {
    const code = content.names.find((each) => codeName.test(each));
    if (code === undefined) return undefined;
    throw new TouchstoneError('import-invalid', `${content.name}: ${code} is code, which is never run.`, {
      remedy:
        'Write the config as YAML (`promptfoo` prints it in its results under `config`), or import the results.',
    });
  }
  const parsed = parseNearby(content.files.read(name), name);
  const config = 'value' in parsed ? asObject(parsed.value) : undefined;
  if (isRedTeamAlone(config)) throw withoutAttacks(path.join(content.name, name));
  return config === undefined ? undefined : { config, files: new ConfigFiles(content.files) };
}

/** Returns whether a config describes a red team whose attacks were not generated: it has nothing to ask. */
function isRedTeamAlone(value: unknown): boolean {
  const config = asObject(value);
  if (asObject(config?.redteam) === undefined) return false;
  return ['tests', 'scenarios', 'dataset'].every((key) => config?.[key] === undefined);
}

function withoutAttacks(name: string): TouchstoneError {
  const message = `${name}: this is a configuration of promptfoo's red team without tests: its attacks are not generated yet.`;
  return new TouchstoneError('import-invalid', message, {
    remedy:
      'Import what `promptfoo redteam generate -o attacks.yaml` writes, or the results of `promptfoo redteam run`.',
  });
}

/** A table is one of promptfoo when a column begins with `__expected`. */
function ofTable(header: readonly string[], rows: readonly (readonly string[])[]): FoundConfig | undefined {
  if (!header.some((column) => column.trim().startsWith('__expected'))) return undefined;
  const none = { read: () => '', readBytes: () => new Uint8Array(), list: () => [] };
  return {
    config: { prompts: [], providers: [], tests: rows.map((cells) => testOfRow(header, cells)) },
    files: new ConfigFiles(none),
  };
}
