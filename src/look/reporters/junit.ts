import { firstUnits, toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { mergeOutcomes } from '../../core/trials/merge-outcomes.ts';
import { caseTitle, exemptionOf, explainResult, passCount } from '../report/case-outcome.ts';
import { decisionWarnings, formatJudgedRate } from '../report/judged-rates.ts';
import { toolsLine } from '../report/tools/tools-line.ts';
import { headlineParts } from '../report/headline.ts';
import { plainTargets } from '../report/report-input.ts';
import { listedQuestion, uncategorized } from '../../core/schema/case.ts';
import type { Decision, GateOutcome, RuleDecision } from '../../core/schema/decision.ts';
import { outcomeOfTrial, type Result, type TrialOutcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
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
 * The JUnit reporter, for tools that show tests (XML by the schema of Jenkins): a suite for the gate and one for each
 * target, with one test case per question over all its attempts. Targets under a condition are skipped, since they are
 * expected to fail. The results are read twice, because the counts come before the test cases; so any size streams.
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

/** The counts of a target's test cases, which come before them in the file. */
interface Suite {
  readonly target: string;
  readonly counts: TestCounts;
  /** The number of planned questions without a stored trial, as in a run that was stopped. */
  readonly missing: number;
}

/** Counts the test cases of every target without a condition. */
async function countSuites(input: ReportInput): Promise<Suite[]> {
  const { run, narrowing } = input;
  const counts = new Map(plainTargets(run).map((target) => [target, noTests()]));
  for await (const attempts of groupByCase(toRows(run, input.results()))) {
    const own = counts.get(attempts[0].target);
    if (own === undefined) continue;
    const marks = attempts.map(({ mark }) => mark);
    const mark = mergeOutcomes(marks, plannedAttempts(input, marks), ruleOfCases(input));
    addTest(own, testOutcome(mark, attempts[0].exemption), sumTimes(attempts));
  }
  return Array.from(counts, ([target, own]) => {
    const missing = narrowing === undefined ? Math.max(0, run.dataset.cases - own.tests) : 0;
    for (let rest = missing; rest > 0; rest -= 1)
      addTest(own, isRestNeeded(input) ? 'error' : 'skipped', null);
    return { target, counts: own, missing };
  });
}

async function* toRows(run: Run, results: AsyncIterable<Result>) {
  for await (const result of results) {
    const { caseId, target, latency } = result.trial;
    const exemption = exemptionOf(run, result.case);
    yield { caseId, target, exemption, mark: outcomeOfTrial(run, result), totalMs: latency?.totalMs };
  }
}

/** Returns whether unasked questions are missing; they are not when the gate was decided without them. */
function isRestNeeded({ summary }: ReportInput): boolean {
  return summary.decision.sequential?.isDecided !== true;
}

/** Returns the number of attempts expected at a case: all planned ones, or those in the reported part of a run. */
function plannedAttempts({ run, narrowing }: ReportInput, attempts: readonly unknown[]): number {
  return narrowing === undefined ? run.attempts : attempts.length;
}

/** Returns the rule by which cases pass; undefined for a part of a run, since attempts may be missing in it. */
function ruleOfCases({ run, narrowing }: ReportInput): Run['caseRule'] {
  return narrowing === undefined ? run.caseRule : undefined;
}

async function* targetSuite(input: ReportInput, { target, counts, missing }: Suite): AsyncGenerator<string> {
  yield openSuite(input, target, counts) + properties(input, target);
  yield* testCases(input, target);
  for (let number = 1; number <= missing; number += 1) {
    const name = `question not asked, ${number} of ${missing}`;
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
    name: run.name,
    score: own === undefined ? undefined : headlineParts(own, run).join(' · '),
    tools: toolsLine({ tools: run.tools, summary })
      ?.map((part) => (typeof part === 'string' ? part : part.quoted))
      .join(''),
    'only a part of the run': narrowing,
    ...judgedProperties(summary, name),
  };
  const lines = Object.entries(known).map(([key, value]) =>
    value === undefined ? '' : `<property${xmlAttributes({ name: key, value })}/>\n`,
  );
  return `<properties>\n${lines.join('')}</properties>\n`;
}

/** Returns both rates of each judged metric for a target, by the name of the property. */
function judgedProperties({ judged = [] }: ReportInput['summary'], name: string): Record<string, string> {
  const own = judged.flatMap(({ metric, targets }) =>
    targets
      .filter(({ target }) => target === name)
      .map((rate): [string, string] => [`judge of ${metric}`, formatJudgedRate(rate)]),
  );
  return Object.fromEntries(own);
}

const outcomes = {
  pass: 'passed',
  fail: 'failure',
  inconclusive: 'error',
  'not-measured': 'error',
} as const satisfies Record<GateOutcome, string>;

/** Counts the tests of the gate: one for the decision, and one for each rule. */
function countGate({ outcome, rules = [] }: Decision): TestCounts {
  const counts = noTests();
  for (const each of [outcome, ...rules.map((rule) => rule.outcome)]) addTest(counts, outcomes[each], null);
  return counts;
}

/** Formats the tests of the gate as XML. A rule passes only when the data show that it is met. */
function gateCases(decision: Decision): string {
  const { outcome, reasons, rules = [] } = decision;
  const whole = { name: 'decision', outcome, message: reasons.join('; ') || outcome, detail: '' };
  const warnings = decisionWarnings(decision).map((warning) => `warning: ${warning}\n`);
  const output = warnings.length === 0 ? '' : `<system-out>${xmlText(warnings.join(''))}</system-out>\n`;
  return [whole, ...rules.map(toTest)].map(formatTest).join('') + output;
}

function toTest({ name, category, target, outcome, reason, arithmetic }: RuleDecision) {
  const place = [name, category, target].filter((part) => part !== undefined).join(' · ');
  return { name: place, outcome, message: reason, detail: arithmetic };
}

function formatTest({ name, outcome, message, detail }: ReturnType<typeof toTest>): string {
  const open = `<testcase${xmlAttributes({ name, classname: 'touchstone.gate' })}`;
  const element = outcomes[outcome];
  if (element === 'passed') return `${open}/>\n`;
  return `${open}>\n<${element}${xmlAttributes({ message, type: outcome })}>${xmlText(detail)}</${element}>\n</testcase>\n`;
}

const longestText = 2000;

/** The part of a trial that a test case shows; small, whatever the size of the answer. */
interface Attempt {
  readonly caseId: string;
  readonly target: string;
  readonly category: string;
  readonly question: string;
  readonly answer: string | null;
  readonly attempt: number;
  readonly mark: TrialOutcome;
  readonly totalMs: number | undefined;
  readonly explanation: string;
  /** The reason why the case does not count for the gate; undefined when it does. */
  readonly exemption: string | undefined;
}

/** Yields the test cases of a target as XML, one piece each. */
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
    question: firstUnits(listedQuestion(asked), longestText),
    answer: trial.answer === null ? null : firstUnits(trial.answer, longestText),
    attempt: trial.attempt,
    mark: outcomeOfTrial(run, result),
    totalMs: trial.latency?.totalMs,
    explanation: explainResult(run, result),
    exemption: exemptionOf(run, asked),
  };
}

function testCase(input: ReportInput, attempts: readonly [Attempt, ...Attempt[]]): string {
  const [{ caseId, target, category, question, exemption }] = attempts;
  const marks = attempts.map(({ mark }) => mark);
  const planned = plannedAttempts(input, attempts);
  const mark = mergeOutcomes(marks, planned, ruleOfCases(input));
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
 * Escapes any text as one line for an attribute or for content of XML 1.0. Characters that XML does not allow (control
 * characters, lone surrogates, U+FFFE and U+FFFF) and those that control a terminal are made visible: `␛`, `\ufffe`.
 */
function xmlText(text: string): string {
  return toTerminalText(text)
    .replaceAll(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}

/** Escapes content of several lines. */
function xmlLines(lines: readonly string[]): string {
  return lines
    .flatMap((line) => line.split(/\r?\n/))
    .map(xmlText)
    .join('\n');
}

/** Formats attributes with a space before each; undefined ones are skipped. */
function xmlAttributes(attributes: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${xmlText(String(value))}"`))
    .join('');
}
