import type { ComparedRun } from '../../decide/analysis/compare/compared-run.ts';
import { pairCases } from '../../decide/analysis/compare/pair-cases.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { firstUnits } from '../../core/lib/text/terminal-text.ts';
import {
  type PairedAttempt,
  type PairedCase,
  type PairedSide,
  pairedTextLength,
} from '../../core/schema/api/comparison/paired-case.ts';
import { listedQuestion, uncategorized } from '../../core/schema/case.ts';
import { outcomeOfTrial, type PlannedCase, type Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { inputMessages, toolCallsOf } from '../../core/schema/trial.ts';
import { ordinalOf } from './trials.ts';

/**
 * Reads a case of run B with all attempts at it in both runs.
 * @throws TouchstoneError `case-not-found` when run B has no case of this id, or run A none of the same content.
 */
export async function readPairedCase(a: ComparedRun, b: ComparedRun, caseId: string): Promise<PairedCase> {
  const planned = await b.store.findCase(b.run.id, caseId);
  if (planned === undefined) {
    throw new TouchstoneError('case-not-found', `Run ${b.run.id} has no question "${caseId}".`);
  }
  const partner = await findPartner(a, b, planned);
  const { id, category = uncategorized, expected } = planned.case;
  return {
    caseId: id,
    category,
    question: firstUnits(listedQuestion(planned.case), pairedTextLength),
    expected,
    a: await readSide(a, partner),
    b: await readSide(b, planned.position),
  };
}

/** Returns the position in run A of the case with the same content. */
async function findPartner(a: ComparedRun, b: ComparedRun, { position, hash, case: asked }: PlannedCase) {
  const namesake = await a.store.findCase(a.run.id, asked.id);
  if (namesake?.hash === hash) return namesake.position;
  const partner = (await pairCases(a, b)).partners[position] ?? -1;
  if (partner !== -1) return partner;
  throw new TouchstoneError(
    'case-not-found',
    `Run ${a.run.id} has no question with the content of "${asked.id}".`,
  );
}

async function readSide({ run, store, target }: ComparedRun, position: number): Promise<PairedSide> {
  const first = ordinalOf(run, { position, target, attempt: 1 }) ?? 0;
  const ordinals = Array.from({ length: run.attempts }, (_, index) => first + index);
  const results = await Array.fromAsync(store.readResults(run.id, ordinals));
  return { run: run.id, target, attempts: results.map((result) => toAttempt(run, result)) };
}

function toAttempt(run: Run, result: Result): PairedAttempt {
  const { case: testCase, trial, verdicts, scorecard } = result;
  const { ordinal, attempt, answer, error, latency, cost = null } = trial;
  const own = trial.transcript.slice(inputMessages(testCase.input).length);
  return {
    ordinal,
    attempt,
    result: outcomeOfTrial(run, result),
    total: scorecard?.total ?? null,
    grade: scorecard?.grade ?? null,
    answer: answer === null ? null : firstUnits(answer, pairedTextLength),
    answerLength: answer?.length ?? 0,
    error: error === undefined ? null : { code: error.code, message: error.message },
    latencyMs: latency?.totalMs ?? null,
    cost,
    tools: trial.toolsUnknown === true ? null : toolCallsOf(own).map(({ name }) => name),
    verdicts,
  };
}
