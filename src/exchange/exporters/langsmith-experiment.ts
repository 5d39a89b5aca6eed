import path from 'node:path';
import type { Ledger } from '../importers/ledger.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import { runTitle } from '../../look/report/phrase.ts';
import type { Result } from '../../core/schema/result.ts';
import { endOfAnswers, type Run } from '../../core/schema/run.ts';
import { noteOwnParts, noteUnasked, wasAsked } from './common-parts.ts';
import type { Exporter, ExportInput } from './exporter.ts';
import { toUuid } from './langsmith.ts';
import { scoresOf } from './score-rows.ts';
import { streamList, streamObject } from './stream-json.ts';

/**
 * Experiments for LangSmith, whose answers come from elsewhere: a body for each target. Nothing is sent.
 * @see https://docs.langchain.com/langsmith/upload-existing-experiments
 */
export const langsmithExperiment: Exporter = {
  name: 'langsmith-experiment',
  title: 'LangSmith',
  writes: 'an experiment for each target, a body for POST /datasets/upload-experiment',
  write: (input, ledger) => {
    noteOwnParts(input.run, ledger);
    const isOne = input.run.targets.length === 1;
    return input.run.targets.map(({ name }, index) => ({
      name: `${input.run.id}.langsmith-experiment${isOne ? '' : `-${index + 1}`}.json`,
      pieces: writeExperiment(input, name, ledger),
    }));
  },
};

async function* writeExperiment(
  { run, results }: ExportInput,
  target: string,
  ledger: Ledger,
): AsyncGenerator<string> {
  yield* streamObject({
    experiment_name: `${target} · ${run.id}`,
    experiment_description: runTitle(run),
    experiment_start_time: run.createdAt,
    experiment_end_time: endOfAnswers(run),
    // The same dataset for all runs of a project, so that LangSmith compares them.
    dataset_name: `touchstone ${path.basename(run.dataset.sources[0] ?? 'dataset')}`,
    experiment_metadata: { touchstone_run: run.id, touchstone: run.touchstoneVersion, target },
    results: streamList(rowsOf(run, results(), { target, ledger })),
  });
  yield '\n';
}

async function* rowsOf(
  run: Run,
  results: AsyncIterable<Result>,
  { target, ledger }: { readonly target: string; readonly ledger: Ledger },
): AsyncGenerator<object> {
  for await (const result of results) {
    const { case: testCase, trial } = result;
    if (trial.target !== target) continue;
    if (!wasAsked(result)) {
      noteUnasked(ledger, result);
      continue;
    }
    ledger.take('answer', 'row');
    const { answer, ...others } = testCase.expected;
    if (Object.keys(others).length > 0) {
      ledger.leaveOut('expectations other than the expected answer', {
        note: 'LangSmith compares outputs; the verdicts on the others are there.',
      });
    }
    // An error is about no answer: it has no scores.
    const scores = trial.status === 'completed' ? [...scoresOf(run, result, { id: trial.key, ledger })] : [];
    yield {
      row_id: toUuid(hashContent(['row', trial.caseHash])),
      inputs: typeof testCase.input === 'string' ? { input: testCase.input } : { messages: testCase.input },
      ...(answer !== undefined && { expected_outputs: { output: answer } }),
      ...(trial.answer !== null && { actual_outputs: { output: trial.answer } }),
      evaluation_scores: scores.map(({ name, value, comment, metadata }) => ({
        key: name,
        score: value,
        comment,
        feedback_source: { type: 'api', metadata },
      })),
      start_time: trial.startedAt,
      end_time: new Date(Date.parse(trial.startedAt) + (trial.latency?.totalMs ?? 0)).toISOString(),
      run_name: target,
      ...(trial.error !== undefined && { error: `${trial.error.code}: ${trial.error.message}` }),
      run_metadata: { case: trial.caseId, attempt: trial.attempt },
    };
  }
}
