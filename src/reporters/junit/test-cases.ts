import { firstUnits } from '../../lib/terminal-text.ts';
import { questionOf, uncategorized } from '../../schema/case.ts';
import type { Result } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import { caseTitle } from '../../report/case-title.ts';
import { exemptionOf } from '../../report/exemption.ts';
import { explainResult } from '../../report/explain-result.ts';
import { mergeMarks, passCount } from '../../report/rows/merge-marks.ts';
import { type Mark, markOf } from '../../schema/mark.ts';
import type { ReportInput } from '../reporter.ts';
import { plannedAttempts, ruleOfCases } from './count-suites.ts';
import { groupByCase } from './group-by-case.ts';
import { sumTimes, testOutcome, toSeconds } from './test-counts.ts';
import { xmlAttributes, xmlLines } from './xml-text.ts';

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
export async function* testCases(input: ReportInput, target: string): AsyncGenerator<string> {
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
