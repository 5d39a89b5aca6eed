import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { Estimate } from '../../src/core/schema/estimate.ts';
import {
  compareWithRecorded,
  type Agreement,
  type JudgedAnswer,
} from '../../src/exchange/importers/agreement.ts';
import { translateProject, writeProject } from '../../src/library/api/import-project.ts';
import { run } from '../../src/library/api/runs/run.ts';
import { table } from '../reference/markdown.ts';

/** The parts of a file of results of promptfoo that the tables are made of. */
const resultsSchema = z.object({
  metadata: z.object({ promptfooVersion: z.string() }),
  results: z.object({
    timestamp: z.string(),
    results: z.array(
      z.object({
        prompt: z.object({ label: z.string() }),
        testCase: z.object({ description: z.string() }),
        vars: z.object({ question: z.string() }),
        success: z.boolean(),
        /** 2 for an error of the provider. */
        failureReason: z.number(),
      }),
    ),
  }),
});

const outcomes = ['passed', 'failed', 'error', 'not measured'] as const;
type Outcome = (typeof outcomes)[number];

/** One answer, and what each tool says of it. */
export interface MovedAnswer {
  readonly question: string;
  readonly prompt: string;
  readonly promptfoo: Outcome;
  readonly touchstone: Outcome;
  /** True if our checks judged the answer again; otherwise what promptfoo recorded stands. */
  readonly isAgain: boolean;
}

/** A project of promptfoo after its move. */
export interface MovedProject {
  readonly version: string;
  /** The day on which promptfoo asked, such as `2026-11-30`. */
  readonly madeOn: string;
  readonly answers: readonly MovedAnswer[];
  /** The verdicts of single assertions that our checks repeat. */
  readonly agreement: Agreement;
  /** The score of each prompt with its interval, such as `90.5 % [64.3, 98.6]`. */
  readonly scores: ReadonlyMap<string, string>;
}

/** Imports the results of promptfoo in a folder, checks the recorded answers again, and pairs what both tools say. */
export async function readMovedProject(folder: string): Promise<MovedProject> {
  const file = path.join(folder, 'results.json');
  const { metadata, results } = resultsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const theirs = new Map(
    results.results.map((result) => [keyOf(result.testCase.description, result.prompt.label), result]),
  );
  const project = mkdtempSync(path.join(tmpdir(), 'touchstone-moved-'));
  try {
    writeProject(await translateProject(file), { to: project });
    const { results: read, summary } = await run(project);
    const answers: MovedAnswer[] = [];
    const judged: JudgedAnswer[] = [];
    for await (const { case: question, trial, scorecard, verdicts } of read()) {
      const prompt = promptOf(trial.target);
      const their = theirs.get(keyOf(question.id, prompt));
      if (their === undefined) throw new Error(`promptfoo has no result of ${question.id}, ${prompt}`);
      const again = verdicts['case-checks'];
      const isAgain = again?.status === 'scored' && again.passed !== undefined;
      const passed = (isAgain ? again.passed : scorecard?.passed) ?? null;
      answers.push({
        question: their.vars.question,
        prompt,
        promptfoo: their.failureReason === 2 ? 'error' : outcomeOf(their.success),
        touchstone: trial.status === 'failed' ? 'error' : outcomeOf(passed),
        isAgain,
      });
      judged.push({ caseId: question.id, target: trial.target, attempt: trial.attempt, verdicts });
    }
    const agreement = compareWithRecorded(judged);
    return {
      version: metadata.promptfooVersion,
      madeOn: results.timestamp.slice(0, 10),
      answers,
      agreement,
      scores: new Map(summary.targets.map(({ target, score }) => [promptOf(target), showScore(score)])),
    };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** Returns the prompt of a target, which an import names by its model and its prompt. */
function promptOf(target: string): string {
  return target.replace(/^.* · /, '');
}

function showScore({ value, lower, upper }: Estimate): string {
  const percent = (part: number | null) => (100 * (part ?? Number.NaN)).toFixed(1);
  return `${percent(value)} % [${percent(lower)}, ${percent(upper)}]`;
}

function keyOf(question: string, prompt: string): string {
  return JSON.stringify([question, prompt]);
}

function outcomeOf(passed: boolean | null): Outcome {
  if (passed === null) return 'not measured';
  return passed ? 'passed' : 'failed';
}

/** Writes the tables of the page, by the names of their places in it. */
export function movedTables({
  version,
  madeOn,
  answers,
  agreement,
  scores,
}: MovedProject): Record<string, () => string> {
  const prompts = [...new Set(answers.map(({ prompt }) => prompt))];
  const questions = [...Map.groupBy(answers, ({ question }) => question)];
  const counts = (prompt: string, tool: 'promptfoo' | 'touchstone') =>
    outcomes.map((outcome) =>
      String(answers.filter((answer) => answer.prompt === prompt && answer[tool] === outcome).length),
    );
  const { checks, differences } = agreement;
  return {
    totals: () =>
      table(
        ['prompt', 'tool', ...outcomes, 'score, and how sure it is'],
        prompts.flatMap((prompt) => [
          [prompt, `promptfoo ${version}, ${madeOn}`, ...counts(prompt, 'promptfoo'), ''],
          ['', 'Touchstone', ...counts(prompt, 'touchstone'), scores.get(prompt) ?? ''],
        ]),
      ),
    agreement: () =>
      `Our checks repeat ${checks} verdicts of single assertions, and ${checks - differences.length} are the same.`,
    answers: () =>
      table(
        ['question', ...prompts.flatMap((prompt) => [`${prompt}: promptfoo`, 'Touchstone'])],
        questions.map(([question, own]) => [
          question,
          ...prompts.flatMap((prompt) => {
            const answer = own.find((each) => each.prompt === prompt);
            if (answer === undefined) return ['', ''];
            const { promptfoo, touchstone, isAgain } = answer;
            const name =
              isAgain || touchstone === 'error' || touchstone === 'not measured' ? '' : ', as recorded';
            return [promptfoo, promptfoo === touchstone ? touchstone + name : `**${touchstone}**`];
          }),
        ]),
      ),
  };
}
