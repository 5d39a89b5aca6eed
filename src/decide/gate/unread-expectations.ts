import type { Case } from '../../core/schema/case.ts';
import type { Decision } from '../../core/schema/decision.ts';
import {
  type Expectation,
  expectations,
  expectationsOf,
  expectsNothing,
  likelyColumn,
  type MetricNames,
  remedyForUnread,
} from '../../core/schema/expectation.ts';
import { sequentialOf } from '../../core/schema/gate.ts';
import {
  describeUnchecked,
  describeUnread,
  findUnchecked,
  type Run,
  type RunScorecard,
} from '../../core/schema/run.ts';

type CountedExpectations = Pick<
  Run['dataset'],
  'expectations' | 'withoutExpectations' | 'nothingNeeded' | 'passMarks' | 'unreadColumns'
>;

/** The part of a case that is counted, with the columns of its row that look like expectations and that nothing reads. */
interface CountedCase {
  readonly case: Pick<Case, 'expected' | 'user'>;
  readonly unreadColumns?: readonly string[];
}

/** The most unread columns that are counted; a file that uses data as names must not fill the record of a run. */
const mostColumns = 20;

/** A counter of the expectations of cases, used while a run is planned. */
export interface ExpectationCounter {
  add(counted: CountedCase): void;
  finish(): CountedExpectations;
}

/**
 * Creates a counter of the cases that have each expectation, and of those that have none.
 * @param readsOf - Returns the expectations of a case that its own checks read.
 */
export function createExpectationCounter(
  readsOf: (testCase: Pick<Case, 'expected'>) => readonly Expectation[] = () => [],
): ExpectationCounter {
  const counts = new Map<Expectation, number>();
  const byChecks = new Map<Expectation, number>();
  const columns = new Map<string, number>();
  let passMarks = 0;
  let withoutExpectations = 0;
  let nothingNeeded = 0;
  return {
    add: ({ case: testCase, unreadColumns = [] }) => {
      for (const column of unreadColumns) {
        if (columns.size < mostColumns || columns.has(column)) {
          columns.set(column, (columns.get(column) ?? 0) + 1);
        }
      }
      const found = expectationsOf(testCase);
      for (const name of found) counts.set(name, (counts.get(name) ?? 0) + 1);
      if (testCase.expected.passMark !== undefined) passMarks += 1;
      const own = testCase.expected.checks === undefined ? [] : readsOf(testCase);
      for (const name of own) if (found.includes(name)) byChecks.set(name, (byChecks.get(name) ?? 0) + 1);
      if (found.length > 0) return;
      if (expectsNothing(testCase)) nothingNeeded += 1;
      else withoutExpectations += 1;
    },
    finish: () => ({
      expectations: expectations.flatMap((expectation) => {
        const cases = counts.get(expectation);
        const readByChecks = byChecks.get(expectation);
        if (cases === undefined) return [];
        return [{ expectation, cases, readByChecks }];
      }),
      ...(withoutExpectations > 0 && { withoutExpectations }),
      ...(nothingNeeded > 0 && { nothingNeeded }),
      ...(passMarks > 0 && { passMarks }),
      ...(columns.size > 0 && {
        unreadColumns: Array.from(columns, ([column, cases]) => ({ column, cases })),
      }),
    }),
  };
}

/** Returns notices about the expectations of a run, for the time before its first call. */
export function noticeExpectations(run: Run, rules?: MetricNames): string[] {
  const unread = findUnchecked(run);
  const names = unread.flatMap(({ expectation }) => (expectation === undefined ? [] : [expectation]));
  const described = unread.filter(({ column }) => column === undefined).map(describeUnread);
  return [
    ...(names.length > 0 ? [`${described.join('; ')}. ${remedyForUnread(names, rules)}`] : []),
    ...noticeColumns(run.dataset),
    ...noticeWeights(run),
    ...noticeUnchecked(run),
    ...noticePassMarks(run),
    ...noticeNothingNeeded(run.dataset),
  ];
}

/** Returns a notice about the cases that get no score; none where verdicts were recorded with the answers, which are checks, too. */
function noticeUnchecked(run: Run): string[] {
  const { cases, withoutExpectations = 0 } = run.dataset;
  const isRecorded = run.metrics.some(({ family }) => family === 'recorded');
  if (withoutExpectations === 0 || run.scorecard === null || givesFullMarks(run) || isRecorded) return [];
  if (run.scorecard.criteria.some((each) => needsNoExpectation(run, each))) return [];
  const of = `${withoutExpectations} of ${cases} ${cases === 1 ? 'question' : 'questions'}`;
  const said =
    withoutExpectations === 1
      ? `${of} expects nothing that can be checked: it gets no score`
      : `${of} expect nothing that can be checked: they get no score`;
  const judged = run.metrics.filter(({ judge, reads }) => judge !== undefined && reads === undefined);
  if (judged.length === 0) return [`${said}.`];
  const names = judged.map(({ name }) => name).join(', ');
  return [`${said}, only the values of ${names}. \`scorecard: null\` in the config shows these alone.`];
}

/** Returns whether a criterion gives points without an expectation: the criterion that an answer is no error does not by itself. */
function needsNoExpectation(
  { metrics }: Run,
  { metric, required }: RunScorecard['criteria'][number],
): boolean {
  const found = metrics.find(({ name }) => name === metric);
  if (found === undefined || found.reads !== undefined) return false;
  return found.judge !== undefined || !required;
}

function noticePassMarks({ dataset: { cases, passMarks = 0 }, scorecard, metrics }: Run): string[] {
  const isRead = scorecard !== null || metrics.some(({ reads = [] }) => reads.includes('checks'));
  if (passMarks === 0 || isRead) return [];
  const have = passMarks === 1 ? 'has' : 'have';
  return [
    `${passMarks} of ${cases} ${cases === 1 ? 'question' : 'questions'} ${have} a pass mark, which nothing reads: it applies to a scorecard and to the metric case-checks.`,
  ];
}

function noticeNothingNeeded({ cases, nothingNeeded = 0 }: Run['dataset']): string[] {
  if (nothingNeeded === 0) return [];
  const list = nothingNeeded === 1 ? 'lists' : 'list';
  return [
    `${nothingNeeded} of ${cases} ${cases === 1 ? 'question' : 'questions'} ${list} nothing to check: an answer that is no error gets full marks, except where tool calls are ruled out and the target does not say which it made.`,
  ];
}

/** Returns a notice about a gate that would decide early, which it cannot by cases of different weights. */
function noticeWeights({ dataset: { caseWeights }, gate }: Run): string[] {
  if (caseWeights === undefined || sequentialOf(gate) === undefined) return [];
  return [
    'The gate decides when every question was asked, not before: the questions have different weights, and how often an early decision is wrong is known only where each question counts once.',
  ];
}

/** Returns whether the rule of the source systems applies, which gives full marks where nothing is expected. */
function givesFullMarks({ scorecard }: Run): boolean {
  return scorecard?.use['source'] === true || scorecard?.use['nothingExpected'] === 'full';
}

/** Returns a notice about the columns that look like expectations, with what to write for each of them. */
function noticeColumns({ unreadColumns = [] }: Pick<Run['dataset'], 'unreadColumns'>): string[] {
  if (unreadColumns.length === 0) return [];
  const one = unreadColumns.length === 1;
  const quoted = unreadColumns.map(({ column }) => `'${column.replaceAll("'", '')}'`);
  const fields = unreadColumns
    .map(({ column }, index) => `${quoted[index]}: ${likelyColumn(column) ?? '…'}`)
    .join(', ');
  return [
    `${unreadColumns.map(describeUnread).join('; ')}, so what ${one ? 'it expects' : 'they expect'} is not measured. Say in the config as what ${one ? 'it is' : 'each is'} read: \`dataset: { path: …, fields: { ${fields} } }\` (docs/datasets.md), or keep ${one ? 'it' : 'them'} as metadata on purpose: \`--metadata ${quoted.join(' ')}\`.`,
  ];
}

/** Keeps a gate from passing while no metric reads some expectations: they are not measured. */
export function withUnread(decision: Decision, run: Run): Decision {
  const reasons = describeUnchecked(run);
  const hasGate = decision.reasons.length > 0 || decision.rules !== undefined;
  if (reasons.length === 0 || !hasGate) return decision;
  if (decision.outcome === 'fail') return { ...decision, reasons: [...decision.reasons, ...reasons] };
  return { ...decision, outcome: 'not-measured', reasons: [...reasons, ...decision.reasons] };
}
