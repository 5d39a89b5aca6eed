import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { TouchstoneError } from '../../core/errors.ts';
import { loadCases } from '../../evaluate/run/prepare/load.ts';
import type { FieldOverrides } from '../../evaluate/datasets/field-mapping.ts';
import { openDataset } from '../../evaluate/datasets/open-dataset.ts';
import { readers } from './load-config.ts';
import { recognizeFile, recognizeRecorded } from './recognize-file.ts';

const folder = '../shared/data/golden';

interface Notes {
  readonly cases?: number;
  readonly kept?: string;
  readonly refused?: string;
}

/** The notes that a user sees for each file, and the mapping that the user gives for its fields. */
const expectedNotes: Readonly<
  Record<string, Notes & { readonly fields?: FieldOverrides; readonly mapped?: Notes }>
> = {
  'FullFact+health-misinfo-shared__dev_prompt_evaluation_promptfooconfig.yaml': {
    refused: 'this is a configuration of promptfoo',
  },
  'FullFact+health-misinfo-shared__dev_prompt_evaluation_tests.csv': {
    refused: ':2:1: there is no question; the row has persona, text',
    fields: { text: 'question' },
    mapped: { cases: 2, kept: 'Kept as metadata: persona (2 rows)' },
  },
  'RasaHQ+financial-demo__tests_test_stories.yml': { refused: 'this is a file of Rasa' },
  'TobyKThurston+verity-rag__evals_golden.jsonl': { cases: 10 },
  'UKGovernmentBEIS+inspect_ai__src_inspect_ai_dataset__examples_security_guide.jsonl': { cases: 16 },
  'UKGovernmentBEIS+inspect_ai__tests_log_test_eval_log_log_formats.eval': {
    refused: 'this is an Inspect log of the task popularity',
  },
  'UKGovernmentBEIS+inspect_ai__tests_log_test_eval_log_log_formats.json': {
    refused: 'this is an Inspect log',
  },
  'confident-ai+deepeval__tests_test_core_test_datasets_convo_goldens.json': {
    refused: 'this is 15 conversational goldens of DeepEval',
    fields: { scenario: 'question', expected_outcome: null },
    mapped: {
      cases: 15,
      kept: 'Kept as metadata: turns, user_description, name, comments (15 rows)',
    },
  },
  'confident-ai+deepeval__tests_test_core_test_datasets_goldens.csv': {
    cases: 15,
    kept: 'Kept as metadata: actual_output, retrieval_context, tools_called, name, comments (15 rows)',
  },
  'davidhariri+wiresum__evals_golden.jsonl': {
    refused: 'there is no question; the row has feed_name, title, url, content',
    fields: { content: 'question' },
    mapped: { cases: 3, kept: 'Kept as metadata: feed_name, title, url, author (3 rows)' },
  },
  'explodinggradients+ragas__examples_ragas_examples_improve_rag_datasets_hf_doc_qa_eval.csv': {
    refused: ':102:9: the text "64" is in a column without a name',
  },
  'openai+evals__evals_registry_data_ab_samples.jsonl': { refused: 'git-lfs pointer' },
  'openai+evals__physics_samples.jsonl': { cases: 15 },
  'sierra-research+tau2-bench__data_tau2_domains_mock_tasks.json': {
    refused: 'this is 10 tasks of τ²-bench',
    fields: { ticket: 'question' },
    mapped: { refused: ':110:3: there is no question' },
  },
};

async function readNotes(name: string, fields: FieldOverrides = {}, inside = folder): Promise<Notes> {
  let kept: string | undefined;
  const onNotice = ({ message }: { message: string }) => {
    kept = message;
  };
  try {
    const dataset = await openDataset({
      paths: [name],
      fields,
      folder: inside,
      readers,
      recognizeRecorded,
      recognize: recognizeFile,
    });
    return { cases: (await Array.fromAsync(loadCases(dataset, { onNotice }))).length, kept };
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
    return { refused: error.message };
  }
}

const expectNotes = (actual: Notes, { cases, kept, refused }: Notes) =>
  expect(actual).toEqual(
    refused === undefined ? { cases, kept } : { refused: expect.stringContaining(refused) },
  );

test.skipIf(!existsSync(folder)).each(Object.entries(expectedNotes))(
  '%s (needs ../shared/data)',
  async (name, { fields, mapped, ...first }) => {
    expectNotes(await readNotes(name), first);
    if (mapped !== undefined) expectNotes(await readNotes(name, fields), mapped);
  },
);

test.skipIf(!existsSync(folder))(
  'every file of the collection is looked at (needs ../shared/data)',
  async () => {
    expect((await readdir(folder)).sort()).toEqual(Object.keys(expectedNotes).sort());
  },
);

const interop = '../shared/data/interop';

/** The result of each file of other tools: the number of cases that it plainly has, or what the refusal says. */
const ofOtherTools: readonly (readonly [file: string, gives: number | string])[] = [
  ['braintrust/dataset.jsonl', 3],
  ['braintrust/experiment.csv', 'of Braintrust'],
  ['braintrust/experiment.jsonl', 'this is an export of Braintrust with an experiment'],
  ['deepeval/conversations.csv', 'this is 1 conversational golden of DeepEval'],
  ['deepeval/conversations.json', 'this is 1 conversational golden of DeepEval'],
  ['deepeval/conversations.jsonl', 'this is 1 conversational golden of DeepEval'],
  ['deepeval/evaluation_result.json', 'of DeepEval'],
  ['deepeval/fetched/goldens_multi_turn.json', 'this is 5 conversational goldens of DeepEval'],
  ['deepeval/goldens.csv', 3],
  ['deepeval/goldens.json', 3],
  ['deepeval/goldens.jsonl', 3],
  ['deepeval/results/test_run_20261123_074755.json', 'of DeepEval'],
  ['inspect/fetched/log_tool_call_error.json', 'this is an Inspect log'],
  ['inspect/fetched/popularity-2025-02.eval', 'this is an Inspect log of the task popularity'],
  ['inspect/limits-and-failure.eval', 'this is an Inspect log of the task limits_and_failure'],
  ['inspect/multiple-deflated.eval', 'this is an Inspect log of the task multiple'],
  ['inspect/multiple.eval', 'this is an Inspect log of the task multiple'],
  ['inspect/shop-prices.eval', 'this is an Inspect log of the task shop_prices'],
  ['inspect/shop-prices.json', 'this is an Inspect log of the task shop_prices'],
  ['inspect/stops-at-first-error.json', 'this is an Inspect log'],
  ['langfuse/api/dataset-items.json', 3],
  ['langfuse/api/traces-full.json', 'of Langfuse'],
  ['langfuse/blob-storage/scores.jsonl', 'this is an export of Langfuse with 6 scores'],
  ['langfuse/ui-export/dataset_items.csv', 3],
  ['langfuse/ui-export/dataset_items.json', 3],
  ['langfuse/ui-export/dataset_items.jsonl', 3],
  [
    'langfuse/ui-export/dataset_run_items.jsonl',
    'this is an export of Langfuse with 3 items of dataset runs',
  ],
  ['langfuse/ui-export/scores.csv', 'this is an export of Langfuse with 6 scores'],
  ['langfuse/ui-export/scores.json', 'this is an export of Langfuse with 6 scores'],
  ['langfuse/ui-export/traces.csv', 'of Langfuse'],
  ['langfuse/ui-export/traces.json', 'of Langfuse'],
  ['langfuse/ui-export/traces.jsonl', 'of Langfuse'],
  ['langsmith/dataset.jsonl', 3],
  ['langsmith/examples.json', 3],
  [
    'langsmith/experiment.csv',
    'this is an export of LangSmith with an experiment with 6 rows of 3 questions × 2 repetitions',
  ],
  [
    'langsmith/experiment.jsonl',
    'this is an export of LangSmith with an experiment with 6 rows of 3 questions × 2 repetitions',
  ],
  ['langsmith/feedback.json', 'this is an export of LangSmith with 18 feedbacks'],
  ['langsmith/runs.json', 'of LangSmith'],
  ['mlflow/genai_results.csv', 'this is 3 traces of MLflow, with 3 assessments'],
  ['mlflow/genai_results.jsonl', 'this is 3 traces of MLflow, with 3 assessments'],
  ['mlflow/traces.json', 'this is 3 traces of MLflow, with 3 assessments'],
  ['openai-evals-hosted/api-export/eval_67f09e.json', 'of OpenAI Evals'],
  ['openai-evals-hosted/api-export/files/file-abc123.jsonl', 'this is an export of OpenAI Evals, 3 rows'],
  [
    'openai-evals-hosted/dashboard-results.jsonl',
    'this is an export of OpenAI Evals, 2 runs, 6 output items',
  ],
  [
    'openai-evals-hosted/imported-into-promptfoo.json',
    'this is results of promptfoo, version 3, 6 results of 3 questions × 2 targets × 1 attempt',
  ],
  ['openai-evals-registry/registry/completion_fns/bot.yaml', 'this is a registry file of openai/evals'],
  ['openai-evals-registry/registry/data/open/match.jsonl', 4],
  ['openai-evals-registry/registry/data/open/qa.jsonl', 2],
  ['openai-evals-registry/registry/evals/open.yaml', 'this is a registry file of openai/evals'],
  ['openai-evals-registry/shop-fact.jsonl', 'this is records of OpenAI Evals, shop-fact.test.v0, 2 samples'],
  ['openai-evals-registry/shop-match.jsonl', 'this is records of OpenAI Evals, shop-match.dev.v1, 4 samples'],
  ['otel/evaluation-events.logs.json', 'this is OpenTelemetry with 4 evaluation results'],
  ['otel/spans-with-evaluations.traces.json', 'this is OpenTelemetry with 4 evaluation results, 3 spans'],
  ['parquet/train-00000-of-00001.parquet', 3],
  ['phoenix/dataset-examples.json', 3],
  ['phoenix/experiment-runs.json', 'of Phoenix'],
  [
    'promptfoo/agent/export.json',
    'this is results of promptfoo, version 3, 2 results of 2 questions × 1 target × 1 attempt',
  ],
  ['promptfoo/agent/promptfooconfig.yaml', 'this is a configuration of promptfoo'],
  [
    'promptfoo/agent/results.json',
    'this is results of promptfoo, version 3, 2 results of 2 questions × 1 target × 1 attempt',
  ],
  ['promptfoo/csv/promptfooconfig.yaml', 'this is a configuration of promptfoo'],
  ['promptfoo/csv/results.csv', 'this is results of promptfoo, a table, 6 results'],
  [
    'promptfoo/csv/results.json',
    'this is results of promptfoo, version 3, 6 results of 6 questions × 1 target × 1 attempt',
  ],
  ['promptfoo/csv/tests.csv', 'this is a configuration of promptfoo'],
  ['promptfoo/fetched/FullFact_config_check_quotes_in_chunk.yaml', 'this is a configuration of promptfoo'],
  ['promptfoo/fetched/FullFact_config_compare_in_to_no_context.yaml', 'this is a configuration of promptfoo'],
  ['promptfoo/scenarios/chat.json', 'this is one conversation'],
  ['promptfoo/scenarios/defaults.yaml', 'this is a part of a configuration of promptfoo'],
  ['promptfoo/scenarios/more-tests.yaml', 'this is a part of a configuration of promptfoo'],
  ['promptfoo/scenarios/promptfooconfig.yaml', 'this is a configuration of promptfoo'],
  [
    'promptfoo/scenarios/results.json',
    'this is results of promptfoo, version 3, 27 results of 9 questions × 3 targets × 1 attempt',
  ],
  ['promptfoo/scenarios/text.md', 'neither the name nor the first line shows the format'],
  ['promptfoo/scenarios/vars.yaml', 'expected a list of questions, or an object with one such list un'],
  ['promptfoo/shop/polite.txt', 'neither the name nor the first line shows the format'],
  ['promptfoo/shop/promptfooconfig.yaml', 'this is a configuration of promptfoo'],
  [
    'promptfoo/shop/results.csv',
    'this is results of promptfoo, a table, 64 results of 8 questions × 4 targets × 2 attempts',
  ],
  [
    'promptfoo/shop/results.json',
    'this is results of promptfoo, version 3, 64 results of 8 questions × 4 targets × 2 attempts',
  ],
  [
    'promptfoo/shop/results.jsonl',
    'this is results of promptfoo, version 3, 64 results of 8 questions × 4 targets × 2 attempts',
  ],
  ['ragas/datasets/questions.csv', 3],
  ['ragas/experiments/first-try.csv', 3],
  ['ragas/multi_turn.csv', 1],
  ['ragas/multi_turn.jsonl', 1],
  ['ragas/results.csv', '2 samples of ragas, with 2 metrics'],
  ['ragas/results.jsonl', '2 samples of ragas, with 2 metrics'],
  ['ragas/single_turn.csv', 3],
  ['ragas/single_turn.jsonl', 3],
  ['weave/calls.jsonl', 'this is an export of Weave with 3 calls, 3 of them attempts'],
];

test.skipIf(!existsSync(interop)).each(ofOtherTools)(
  '%s is read, or answered with what it is (needs ../shared/data)',
  async (name, gives) => {
    const { cases, refused } = await readNotes(name, {}, interop);
    if (typeof gives === 'number') expect({ cases, refused }).toEqual({ cases: gives, refused: undefined });
    else expect(refused).toContain(gives);
  },
);
