import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFiles, linesOf } from '../../../../test/support/import-files.ts';
import { translateProject } from '../../../library/api/import-project.ts';

const spec = (cls: string) => ({
  spec: {
    completion_fns: ['bot'],
    eval_name: 'shop.dev.v0',
    run_config: { eval_spec: { cls } },
  },
});

const sampling = (id: string, prompt: string, sampled: string) => ({
  sample_id: id,
  type: 'sampling',
  data: {
    prompt: [{ role: 'user', content: prompt }],
    sampled: [sampled],
    usage: { prompt_tokens: 3, completion_tokens: 1 },
  },
});

const match = (id: string, correct: boolean) => ({
  sample_id: id,
  type: 'match',
  data: { correct, expected: '49', picked: null, sampled: 'x', options: ['49', 'forty-nine'] },
});

const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');

test('records are answers with the match as the verdict, in the order of their samples', async () => {
  const project = await importFiles({
    'log.jsonl': lines([
      spec('evals.elsuite.basic.match:Match'),
      sampling('shop.dev.10', 'Later?', 'No.'),
      match('shop.dev.10', false),
      sampling('shop.dev.2', 'How much?', '49'),
      match('shop.dev.2', true),
    ]),
  });
  expect(project.record.found).toBe('records of OpenAI Evals, shop.dev.v0, 2 samples');
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    { id: 'shop.dev.2', input: 'How much?', expected: { answer: ['49', 'forty-nine'] } },
    { id: 'shop.dev.10' },
  ]);
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([
    {
      answer: '49',
      usage: { inputTokens: 3, outputTokens: 1 },
      verdicts: { match: { value: 1, passed: true } },
    },
    { answer: 'No.', verdicts: { match: { value: 0, passed: false } } },
  ]);
  expect(project.record.ledger).toContainEqual(
    expect.objectContaining({ part: 'run without a final report' }),
  );
});

test('a prompt that is a text is the question', async () => {
  const { data, ...event } = sampling('shop.dev.1', '', '49');
  const project = await importFiles({
    'log.jsonl': lines([
      spec('evals.elsuite.basic.match:Match'),
      { ...event, data: { ...data, prompt: 'How much?' } },
    ]),
  });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([{ input: 'How much?' }]);
});

test('files of a registry that cannot be read are named, and the others are imported', async () => {
  const project = await importFiles({
    'evals/near.yaml':
      'near.dev:\n  class: evals.elsuite.basic.match:Match\n  args: { samples_jsonl: a.jsonl }\n',
    'evals/far.yaml':
      'far.dev:\n  class: evals.elsuite.basic.match:Match\n  args: { samples_jsonl: cut.jsonl }\n',
    'evals/broken.yaml': 'a: [\n',
    'data/a.jsonl': lines([{ input: 'How much?', ideal: '49' }]),
    'data/cut.jsonl': '{"input": [',
  });
  expect(linesOf(project, 'golden.jsonl')).toHaveLength(1);
  const named = project.record.ledger.find(({ part }) => part === 'file that cannot be read');
  const places = project.record.ledger.flatMap(({ part, places: all }) => (part === named?.part ? all : []));
  expect(places.toSorted()).toEqual(['data/cut.jsonl', 'evals/broken.yaml']);
});

test('a registry becomes cases with the checks that its classes make; a class of code is named', async () => {
  const project = await importFiles({
    'registry/evals/shop.yaml': `shop:\n  id: shop.dev.v0\nshop.dev.v0:\n  class: evals.elsuite.basic.match:Match\n  args: { samples_jsonl: shop/match.jsonl, num_few_shot: 2 }\nfact.v0:\n  class: evals.elsuite.modelgraded.classify:ModelBasedClassify\n  args: { samples_jsonl: shop/qa.jsonl, modelgraded_spec: fact }\nfar.v0:\n  class: evals.elsuite.basic.includes:Includes\n  args: { samples_jsonl: ../../../../etc/passwd }\n`,
    'registry/data/shop/match.jsonl': lines([
      { input: [{ role: 'user', content: 'How much?' }], ideal: ['49', '4.9 (net)'] },
    ]),
    'registry/data/shop/qa.jsonl': lines([{ input: 'Norway?', ideal: 'Yes', completion: 'x' }]),
  });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    {
      id: 'shop.dev.v0.0',
      category: 'shop.dev.v0',
      expected: { checks: [{ use: 'regex', pattern: String.raw`^(?:49|4\.9 \(net\))` }] },
    },
    {
      id: 'fact.v0.0',
      expected: { answer: 'Yes', checks: [{ use: 'judged-label', labels: { contradiction: 0, same: 1 } }] },
    },
  ]);
  const left = project.record.ledger.filter(({ fate }) => fate === 'left-out').map(({ part }) => part);
  expect(left).toEqual(['eval without samples', 'few-shot examples']);
});

test('a template of choices with scores becomes a judge that chooses, and one that cannot is named', async () => {
  const project = await importFiles({
    'registry/evals/tone.yaml': ['tone', 'rank', 'counted']
      .map(
        (name) =>
          `${name}.v0:\n  class: evals.elsuite.modelgraded.classify:ModelBasedClassify\n  args: { samples_jsonl: tone.jsonl, modelgraded_spec: ${name}, modelgraded_spec_args: { who: a clerk } }\n`,
      )
      .join(''),
    'registry/modelgraded/tone.yaml':
      'prompt: |-\n  Is {completion} to {input} as polite as {who}, {grade}?\nchoice_strings: "15"\nchoice_scores: from_strings\n',
    'registry/modelgraded/rank.yaml': 'prompt: x\nchoice_strings: from_n\n',
    'registry/modelgraded/counted.yaml': 'prompt: x {completion}\nchoice_strings: AB\n',
    'registry/data/tone.jsonl': lines([{ input: 'Hi', ideal: 'Hello', grade: 'or {{answer}}' }]),
  });
  const cases = linesOf<{ expected: { checks?: unknown } }>(project, 'golden.jsonl');
  expect(cases.map(({ expected }) => expected.checks)).toEqual([
    [
      {
        use: 'judged-label',
        prompt: 'Is {{answer}} to {{question}} as polite as a clerk, or { {answer}}?',
        labels: { '1': 0, '5': 1 },
      },
    ],
    undefined,
    undefined,
  ]);
  expect(project.callsNothing).toBe(false);
  const left = project.record.ledger.filter(({ fate }) => fate === 'left-out').map(({ part }) => part);
  expect(left).toEqual(['class ModelBasedClassify (counted)', 'class ModelBasedClassify (rank)']);
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data/interop/openai-evals-registry');

test.skipIf(!existsSync(data))(
  'the files of oaieval have the facts that are in them (needs ../shared/data)',
  async () => {
    const facts = JSON.parse(readFileSync(path.join(data, 'facts.json'), 'utf8'));
    const matches = await translateProject(path.join(data, 'shop-match.jsonl'));
    const rows = linesOf<{ caseId: string; verdicts: { match: { passed: boolean } } }>(
      matches,
      'answers.jsonl',
    );
    expect(Object.fromEntries(rows.map(({ caseId, verdicts }) => [caseId, verdicts.match.passed]))).toEqual(
      facts['shop-match.jsonl'].correct,
    );
    const graded = await translateProject(path.join(data, 'shop-fact.jsonl'));
    expect(linesOf(graded, 'answers.jsonl')).toMatchObject([
      {
        caseId: 'shop-fact.test.0',
        answer: 'x',
        labels: { choice: expect.any(String) },
      },
      { caseId: 'shop-fact.test.1', answer: 'No fee' },
    ]);
    const registry = await translateProject(data);
    expect(linesOf(registry, 'golden.jsonl')).toHaveLength(6);
    for (const name of ['match', 'qa']) {
      const file = `registry/data/open/${name}.jsonl`;
      expect(linesOf(await translateProject(path.join(data, file)), 'golden.jsonl')).toHaveLength(
        facts[file].rows,
      );
    }
  },
);
