import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { TouchstoneError } from '../errors.ts';
import { loadCases } from '../run/prepare/load.ts';
import type { FieldOverrides } from './field-mapping.ts';
import { openDataset } from './open-dataset.ts';
import * as registry from './registry.ts';

const folder = '../shared/data/golden';

interface Notes {
  readonly cases?: number;
  readonly kept?: string | undefined;
  readonly refused?: string;
}

/** The notes that a user sees for each file, and the mapping that the user gives for its fields. */
const expectedNotes: Readonly<
  Record<string, Notes & { readonly fields?: FieldOverrides; readonly mapped?: Notes }>
> = {
  'FullFact+health-misinfo-shared__dev_prompt_evaluation_promptfooconfig.yaml': {
    refused: 'found an object with description, prompts, providers, tests',
  },
  'FullFact+health-misinfo-shared__dev_prompt_evaluation_tests.csv': {
    refused: ':2:1: there is no question; the row has persona, text',
    fields: { text: 'question' },
    mapped: { cases: 2, kept: 'Kept as metadata: persona (2 rows)' },
  },
  'RasaHQ+financial-demo__tests_test_stories.yml': { refused: 'found an object with version, stories' },
  'TobyKThurston+verity-rag__evals_golden.jsonl': { cases: 10 },
  'UKGovernmentBEIS+inspect_ai__src_inspect_ai_dataset__examples_security_guide.jsonl': { cases: 16 },
  'UKGovernmentBEIS+inspect_ai__tests_log_test_eval_log_log_formats.eval': { refused: 'zip archive' },
  'UKGovernmentBEIS+inspect_ai__tests_log_test_eval_log_log_formats.json': {
    cases: 1,
    kept: 'Kept as metadata: epoch, messages, scores, store, transcript, output (1 row)',
  },
  'confident-ai+deepeval__tests_test_core_test_datasets_convo_goldens.json': {
    refused: 'there is no question; the row has scenario, turns',
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
    refused: 'there is no question; the row has description, user_scenario, ticket',
    fields: { ticket: 'question' },
    mapped: { refused: ':110:3: there is no question' },
  },
};

async function readNotes(name: string, fields: FieldOverrides = {}): Promise<Notes> {
  let kept: string | undefined;
  const onNotice = ({ message }: { message: string }) => {
    kept = message;
  };
  try {
    const dataset = await openDataset({ paths: [name], fields, folder, readers: Object.values(registry) });
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
