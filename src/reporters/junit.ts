import { firstUnits, toTerminalText } from '../lib/text/terminal-text.ts';
import { caseTitle, exemptionOf, explainResult, mergeMarks, passCount } from '../report/case-outcome.ts';
import { headlineParts } from '../report/headline.ts';
import { plainTargets } from '../report/report-input.ts';
import { questionOf, uncategorized } from '../schema/case.ts';
import type { Decision, GateOutcome, RuleDecision } from '../schema/decision.ts';
import { type Mark, markOf } from '../schema/mark.ts';
import type { Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import {
  addTest,
  groupByCase,
  noTests,
  sumCounts,
  sumTimes,
  type TestCounts,
  testOutcome,
  toSeconds,
} from './junit-counts.ts';
import type { Reporter, ReportInput } from './reporter.ts';

/**
 * JUnit XML, as Jenkins' schema has it, for whatever shows tests: a suite for the gate and one for each target, with a
 * test case for each question, its attempts taken together. Targets under a condition are left out: they are meant to
 * suffer. Read twice for the numbers that stand before their parts, so that any size will do.
 */
export const junit: Reporter = {
  name: 'junit',
  extensions: ['.xml'],
  async *report(input) {
    const { decision } = input.summary;
    const gate = countGate(decision);
    const suites = await countSuites(input);
    const { skipped: _, ...sums } = countAttributes(sumCounts([gate, ...suites.map(({ counts }) => counts)]));
    yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${xmlAttributes({ name: 'touchstone', ...sums })}>\n`;
    yield `${openSuite(input, 'gate', gate)}${gateCases(decision)}</testsuite>\n`;
    for (const suite of suites) yield* targetSuite(input, suite);
    yield '</testsuites>\n';
  },
};

async function* targetSuite(input: ReportInput, { target, counts, missing }: Suite): AsyncGenerator<string> {
  yield openSuite(input, target, counts) + properties(input, target);
  yield* testCases(input, target);
  if (missing > 0) {
    const name = `${missing} of ${input.run.dataset.cases} questions`;
    const open = `<testcase${xmlAttributes({ name, classname: target })}>`;
    const why = isRestNeeded(input)
      ? `<error${xmlAttributes({ message: 'not asked', type: 'not-run' })}/>`
      : `<skipped${xmlAttributes({ message: 'not needed: the gate was decided without it' })}/>`;
    yield `${open}\n${why}\n</testcase>\n`;
  }
  yield '</testsuite>\n';
}

function openSuite({ run }: ReportInput, name: string, counts: TestCounts): string {
  // Without fraction and time zone, which some schemas forbid; in UTC.
  const timestamp = run.createdAt.slice(0, 19);
  return `<testsuite${xmlAttributes({ name, ...countAttributes(counts), timestamp })}>\n`;
}

function countAttributes({ timeMs, ...counts }: TestCounts) {
  return { ...counts, time: toSeconds(timeMs) };
}

function properties({ run, summary, narrowing }: ReportInput, name: string): string {
  const own = summary.targets.find(({ target }) => target === name);
  const known = {
    run: run.id,
    score: own === undefined ? undefined : headlineParts(own, run).join(' · '),
    'only a part of the run': narrowing,
  };
  const lines = Object.entries(known).map(([key, value]) =>
    value === undefined ? '' : `<property${xmlAttributes({ name: key, value })}/>\n`,
  );
  return `<properties>\n${lines.join('')}</properties>\n`;
}

const outcomes = {
  pass: 'passed',
  fail: 'failure',
  inconclusive: 'error',
  'not-measured': 'error',
} as const satisfies Record<GateOutcome, string>;

/** The numbers of the suite of the gate: a test for the decision, and one for each rule. */
function countGate({ outcome, rules = [] }: Decision): TestCounts {
  const counts = noTests();
  for (const said of [outcome, ...rules.map((rule) => rule.outcome)]) addTest(counts, outcomes[said], null);
  return counts;
}

/** The tests of the gate as XML. A rule that is not shown to hold does not pass. */
function gateCases({ outcome, reasons, rules = [] }: Decision): string {
  const decision = { name: 'decision', outcome, message: reasons.join('; ') || outcome, detail: '' };
  return [decision, ...rules.map(toTest)].map(setTest).join('');
}

function toTest({ name, category, target, outcome, reason, arithmetic }: RuleDecision) {
  const place = [name, category, target].filter((part) => part !== undefined).join(' · ');
  return { name: place, outcome, message: reason, detail: arithmetic };
}

function setTest({ name, outcome, message, detail }: ReturnType<typeof toTest>): string {
  const open = `<testcase${xmlAttributes({ name, classname: 'touchstone.gate' })}`;
  const word = outcomes[outcome];
  if (word === 'passed') return `${open}/>\n`;
  return `${open}>\n<${word}${xmlAttributes({ message, type: outcome })}>${xmlText(detail)}</${word}>\n</testcase>\n`;
}

const longestText = 2000;

/** What a test case says of one trial. Small, whatever the size of the answer. */
interface Attempt {
  readonly caseId: string;
  readonly target: string;
  readonly category: string;
  readonly question: string;
  readonly answer: string | null;
  readonly attempt: number;
  readonly mark: Mark;
  readonly totalMs: number | undefined;
  readonly explanation: string;
  /** Why the case is not in the gate; undefined when it is. */
  readonly exemption: string | undefined;
}

/** The test cases of a target as XML, one piece each. */
async function* testCases(input: ReportInput, target: string): AsyncGenerator<string> {
  for await (const attempts of groupByCase(attemptsAt(input, target))) yield testCase(input, attempts);
}

async function* attemptsAt({ run, results }: ReportInput, target: string): AsyncGenerator<Attempt> {
  for await (const result of results()) if (result.trial.target === target) yield toAttempt(run, result);
}

function toAttempt(run: Run, result: Result): Attempt {
  const { case: asked, trial } = result;
  return {
    caseId: trial.caseId,
    target: trial.target,
    category: asked.category ?? uncategorized,
    question: firstUnits(questionOf(asked), longestText),
    answer: trial.answer === null ? null : firstUnits(trial.answer, longestText),
    attempt: trial.attempt,
    mark: markOf(run, result),
    totalMs: trial.latency?.totalMs,
    explanation: explainResult(run, result),
    exemption: exemptionOf(run, asked),
  };
}

function testCase(input: ReportInput, attempts: readonly [Attempt, ...Attempt[]]): string {
  const [{ caseId, target, category, question, exemption }] = attempts;
  const marks = attempts.map(({ mark }) => mark);
  const planned = plannedAttempts(input, attempts);
  const mark = mergeMarks(marks, planned, ruleOfCases(input));
  const open = `<testcase${xmlAttributes({
    name: caseTitle(caseId, question),
    classname: `${target}.${category}`,
    time: toSeconds(sumTimes(attempts)),
  })}`;
  const outcome = testOutcome(mark, exemption);
  if (outcome === 'passed') return `${open}/>\n`;
  const reason = attempts.find((one) => one.mark === mark)?.explanation ?? 'not every attempt was made';
  const message = [exemption, passCount(marks, planned, ruleOfCases(input)), reason]
    .filter(Boolean)
    .join('; ');
  const verdict = xmlAttributes({ message, type: mark });
  return `${open}>\n<${outcome}${verdict}>${xmlLines(detailLines(attempts))}</${outcome}>\n</testcase>\n`;
}

function detailLines(attempts: readonly [Attempt, ...Attempt[]]): string[] {
  const lines = attempts.flatMap(({ attempt, mark, answer, explanation }) => [
    `attempt ${attempt}: ${[mark, explanation].filter(Boolean).join(': ')}`,
    ...(answer === null ? [] : [`answer: ${answer}`]),
  ]);
  return [`question: ${attempts[0].question}`, ...lines];
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/**
 * Text from anywhere on one line, for an attribute or for content in XML 1.0. What XML cannot hold (control characters,
 * lone surrogates, U+FFFE and U+FFFF) is shown, not dropped, and so is what steers a terminal: `␛`, `\ufffe`.
 */
function xmlText(text: string): string {
  return toTerminalText(text)
    .replaceAll(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}

/** The same for content of several lines. */
function xmlLines(lines: readonly string[]): string {
  return lines
    .flatMap((line) => line.split(/\r?\n/))
    .map(xmlText)
    .join('\n');
}

/** Attributes with a space before each; those that are undefined are left out. */
function xmlAttributes(attributes: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${xmlText(String(value))}"`))
    .join('');
}

/** One target's test cases in numbers, which stand before them in the file. */
interface Suite {
  readonly target: string;
  readonly counts: TestCounts;
  /** Questions of the plan of which nothing is kept, as when a run was stopped. */
  readonly missing: number;
}

/** Counts the test cases of every target that is not under a condition. */
async function countSuites(input: ReportInput): Promise<Suite[]> {
  const { run, narrowing } = input;
  const counts = new Map(plainTargets(run).map((target) => [target, noTests()]));
  for await (const attempts of groupByCase(toRows(run, input.results()))) {
    const own = counts.get(attempts[0].target);
    if (own === undefined) continue;
    const marks = attempts.map(({ mark }) => mark);
    const mark = mergeMarks(marks, plannedAttempts(input, marks), ruleOfCases(input));
    addTest(own, testOutcome(mark, attempts[0].exemption), sumTimes(attempts));
  }
  return Array.from(counts, ([target, own]) => {
    const missing = narrowing === undefined ? Math.max(0, run.dataset.cases - own.tests) : 0;
    if (missing > 0) addTest(own, isRestNeeded(input) ? 'error' : 'skipped', null);
    return { target, counts: own, missing };
  });
}

/** Whether what was not asked is missing; it is not where the gate was decided without it. */
function isRestNeeded({ summary }: ReportInput): boolean {
  return summary.decision.sequential?.isDecided !== true;
}

/** How many attempts at a case a report tells of: all that were planned, or of a part of a run those in the part. */
function plannedAttempts({ run, narrowing }: ReportInput, attempts: readonly unknown[]): number {
  return narrowing === undefined ? run.attempts : attempts.length;
}

/** The rule that cases pass by; undefined for a part of a run, in which attempts are missing. */
function ruleOfCases({ run, narrowing }: ReportInput): Run['caseRule'] {
  return narrowing === undefined ? run.caseRule : undefined;
}

async function* toRows(run: Run, results: AsyncIterable<Result>) {
  for await (const result of results) {
    const { caseId, target, latency } = result.trial;
    const exemption = exemptionOf(run, result.case);
    yield { caseId, target, exemption, mark: markOf(run, result), totalMs: latency?.totalMs };
  }
}
