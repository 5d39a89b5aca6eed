import { TouchstoneError } from '../../../core/errors.ts';
import { formatPlural } from '../../../look/report/format.ts';
import { modelsFor } from '../asked-models.ts';
import { collectTrials, type FoundTrial } from '../collect-trials.ts';
import type { ImportContent } from '../content/content.ts';
import { rowsIn, rowsOf } from '../content/rows.ts';
import type { Importer, Translation } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { asObject, asText, type Fields, jsonObject, objectsIn } from '../values.ts';
import { readGoldens, translateGolden } from './translate-golden.ts';
import { totalName, translateTestCase } from './translate-test-case.ts';

const title = 'DeepEval';

/**
 * Files of DeepEval: goldens and conversational goldens (JSON, JSON Lines, CSV), test runs as it keeps them, and results of
 * `evaluate`.
 * @see https://deepeval.com/docs/evaluation-datasets
 */
export const deepeval: Importer = {
  name: 'deepeval',
  title,
  reads: [
    'context',
    'retrieval_context',
    'expected_outcome',
    'completionTime',
    'success',
    'score',
    'metrics_data.name',
    'index',
    'toolsCalled.output',
    'tools_called.output',
  ],
  detect(content) {
    const found = find(content);
    return found === undefined ? undefined : describe(found);
  },
  isRecorded(content) {
    return 'testCases' in (find(content) ?? {});
  },
  async read(content, ledger) {
    const found = find(content);
    if (found === undefined) {
      const message = `${content.name}: it contains no goldens, no test run and no results of DeepEval.`;
      throw new TouchstoneError('import-invalid', message);
    }
    if ('goldens' in found) return translateGoldens(found, ledger);
    const { answers, ...rest } = translateRun(found, ledger);
    return {
      ...rest,
      ...(answers !== undefined && { answers: { ...answers, recordedAt: timeIn(content.name) } }),
    };
  },
};

/** Returns the time in the name that DeepEval gives the file of a test run: `test_run_20261123_074755.json`. */
function timeIn(name: string): string | undefined {
  const [, year, month, day, hour, minute, second] =
    /test_run_(\d{4})(\d{2})(\d{2})_(\d{2})(\d{2})(\d{2})\b/.exec(name) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}T${hour}:${minute}:${second}`;
}

interface Goldens {
  /** Goldens and conversational ones. */
  readonly goldens: readonly Fields[];
}

interface TestRun {
  /** The test cases as they are in the file, in either of its spellings. */
  readonly testCases: readonly Fields[];
  /** The run without its test cases. */
  readonly head: Fields;
}

function find(content: ImportContent): Goldens | TestRun | undefined {
  // A folder is one of DeepEval when nothing but goldens is in its tables.
  const rows = content.form === 'folder' ? rowsIn(content) : rowsOf(content);
  if (rows === undefined || rows.length === 0) return undefined;
  const [only] = rows;
  if (content.form === 'json' && rows.length === 1 && only !== undefined) {
    const run = findRun(only);
    if (run !== undefined) return run;
  }
  return rows.every((row) => isConversation(row) || isGolden(row)) ? { goldens: rows } : undefined;
}

/** Finds a test run: the file itself, or one of its parts. */
function findRun(value: Fields): TestRun | undefined {
  const parts = Object.values(value).flatMap((part): Fields[] => {
    const object = asObject(part);
    return object === undefined ? [] : [object];
  });
  for (const each of [value, ...parts]) {
    const { testCases, conversationalTestCases, test_results: results, ...head } = each;
    if (Array.isArray(testCases) && (Array.isArray(conversationalTestCases) || 'metricsScores' in head)) {
      return { testCases: [...objectsIn(testCases), ...objectsIn(conversationalTestCases)], head };
    }
    if (Array.isArray(results) && objectsIn(results).every((one) => 'metrics_data' in one)) {
      return { testCases: objectsIn(results), head };
    }
  }
  return undefined;
}

/** Columns that files of DeepEval have, and few others. */
const ownColumns = [
  'actual_output',
  'expected_output',
  'retrieval_context',
  'tools_called',
  'expected_tools',
  'additional_metadata',
  'custom_column_key_values',
  'source_file',
];

function isGolden(row: Fields): boolean {
  return 'input' in row && ownColumns.filter((name) => Object.hasOwn(row, name)).length >= 2;
}

function isConversation(row: Fields): boolean {
  return 'scenario' in row && ['expected_outcome', 'turns', 'user_description'].some((name) => name in row);
}

function describe(found: Goldens | TestRun): string {
  if ('goldens' in found) {
    const [conversations, goldens] = [true, false].map(
      (isOne) => found.goldens.filter((row) => isConversation(row) === isOne).length,
    );
    const counts = [
      ...(goldens === 0 ? [] : [formatPlural(goldens ?? 0, 'golden')]),
      ...(conversations === 0 ? [] : [formatPlural(conversations ?? 0, 'conversational golden')]),
    ];
    return `${counts.join(' and ')} of DeepEval`;
  }
  return `a test run of DeepEval with ${formatPlural(found.testCases.length, 'test case')}`;
}

function translateGoldens(found: Goldens, ledger: Ledger): Translation {
  const trials = readGoldens(found.goldens, ledger).map((golden) => translateGolden(golden, ledger));
  return translationOf(trials, { found: describe(found), description: 'Goldens of DeepEval', ledger });
}

function translateRun(found: TestRun, ledger: Ledger): Translation {
  const { testCases, head } = found;
  const target = asText(asObject(head.hyperparameters)?.model) ?? asText(head.identifier) ?? 'recorded';
  const trials = testCases.map((testCase) => translateTestCase(testCase, target, ledger));
  const settings = Object.entries(head).filter(([, part]) => part !== null && part !== undefined);
  if (settings.length > 0) ledger.keep('settings and totals of the run (deepeval.json)', head);
  return {
    ...translationOf(trials, {
      found: describe(found),
      description: `A test run of DeepEval: ${asText(head.identifier) ?? target}`,
      ledger,
    }),
    ...(settings.length > 0 && {
      files: { 'deepeval.json': `${JSON.stringify(jsonObject(Object.fromEntries(settings)), null, 2)}\n` },
    }),
  };
}

function translationOf(
  trials: readonly FoundTrial[],
  { found, description, ledger }: { found: string; description: string; ledger: Ledger },
): Translation {
  const { cases, answers } = collectTrials(trials, { title, total: totalName, ledger });
  const hasChecks = cases.some(({ expected }) => asObject(expected)?.checks !== undefined);
  const answered = answers === undefined ? '' : ` with ${formatPlural(answers.rows.length, 'answer')}`;
  const isScored = (answers?.verdicts.length ?? 0) > 0;
  return {
    found: `${found}${answered}`,
    description,
    cases,
    answers,
    callsNothing: !hasChecks,
    config: jsonObject({
      ...modelsFor(new Set(hasChecks ? ['judge'] : []), {}, ledger),
      metrics: hasChecks ? ['case-checks'] : [],
      // The metrics of DeepEval read the expectations; their verdicts are stored.
      ...(isScored && { unread: ['answer', 'calls'] }),
    }),
  };
}
