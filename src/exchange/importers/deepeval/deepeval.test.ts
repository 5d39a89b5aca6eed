import { existsSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { translateProject, writeProject } from '../../../library/api/import-project.ts';
import type { ImportedProject } from '../importer.ts';

const linesOf = ({ files }: ImportedProject, name: string) =>
  (files[name] ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

async function translate(value: unknown, name = 'file.json'): Promise<ImportedProject> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'deepeval-'));
  const file = path.join(folder.path, name);
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return await translateProject(file);
}

const golden = { input: 'Cost?', actual_output: '49', expected_output: '49 dollars', context: ['a|b'] };

test('a golden is a case, its answer a recorded one; lists that DeepEval joined are split, which is said', async () => {
  const tools = [{ name: 'price', inputParameters: { item: 'lamp' } }, { name: 'log' }];
  const exact = await translate([{ ...golden, expected_tools: tools, name: 'lamp' }]);
  expect(linesOf(exact, 'golden.jsonl')).toMatchObject([
    {
      id: 'lamp',
      input: 'Cost?',
      context: ['a|b'],
      expected: {
        answer: '49 dollars',
        calls: { must: [{ name: 'price', arguments: { item: 'lamp' } }, { name: 'log' }] },
      },
    },
  ]);
  expect(linesOf(exact, 'answers.jsonl')).toMatchObject([{ caseId: 'lamp', answer: '49' }]);
  const joined = await translate('input,actual_output,expected_output,context\n=1+1,,2,a|b\n', 'goldens.csv');
  expect(linesOf(joined, 'golden.jsonl')).toMatchObject([{ input: '=1+1', context: ['a', 'b'] }]);
  expect(joined.files['answers.jsonl']).toBeUndefined();
  const said = joined.record.ledger.filter(({ fate }) => fate === 'approximated').map(({ part }) => part);
  expect(said).toEqual(['list in the column context']);
});

test('a conversational golden has a user with a goal, and a judge decides on its outcome', async () => {
  const turns = [{ role: 'user', content: 'Return it.' }];
  const conversation = {
    scenario: 'A return.',
    expected_outcome: 'A label.',
    user_description: 'angry',
    turns,
  };
  const project = await translate([conversation]);
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    {
      input: 'Return it.',
      user: { goal: 'A return.', persona: 'angry' },
      expected: { checks: [{ use: 'rubric', text: 'The conversation ended with this outcome: A label.' }] },
    },
  ]);
  expect(project.callsNothing).toBe(false);
});

test('a metric with an error is not measured, nor is its test case, unless another metric failed', async () => {
  const metric = (parts: object) => ({ name: 'Tone', score: 1, success: true, threshold: 0.5, ...parts });
  const broken = metric({ name: 'Judge', score: null, success: false, error: '\u001b[31mdown' });
  const result = (...metrics: object[]) => ({ ...golden, success: false, metrics_data: metrics });
  const project = await translate({
    test_results: [
      { ...result(metric({}), broken), name: 'test_case_0' },
      { ...result(metric({ score: 0.2, success: false }), broken), input: 'Other?', name: 'test_case_1' },
      { ...result(), input: 'Unchecked?', success: true },
    ],
  });
  const [unknown, failed, unchecked] = linesOf(project, 'answers.jsonl');
  expect(unknown.verdicts).toMatchObject({
    deepeval: { status: 'failed' },
    Judge: { status: 'failed', code: 'judge-error', reason: 'down' },
    Tone: { value: 1, passed: true },
  });
  expect(failed.verdicts).toMatchObject({ deepeval: { value: 0, passed: false }, Tone: { value: 0.2 } });
  expect(unchecked.verdicts).toEqual({});
});

test('files that are cut off, empty or of another kind end in a message', async () => {
  const whole = JSON.stringify([golden]);
  for (const text of [whole.slice(0, 40), '', '[]', '[{"input": "x"}]', '{"testCases": []}', '[1, 2]']) {
    await expect(translate(text)).rejects.toMatchObject({ code: 'import-invalid' });
  }
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data/interop/deepeval');

test.skipIf(!existsSync(data))(
  'files that DeepEval wrote have the goldens and the scores that it counts, and a second import changes nothing (needs ../shared/data)',
  async () => {
    const facts = JSON.parse(readFileSync(path.join(data, 'facts.json'), 'utf8'));
    for (const [name, { items, rows }] of Object.entries<Counts>(facts)) {
      if (items === undefined && rows === undefined) continue;
      const project = await translateProject(path.join(data, name));
      expect({ name, cases: linesOf(project, 'golden.jsonl').length }).toEqual({
        name,
        cases: items ?? rows,
      });
    }
    const { passed, failed, metrics, 'not measured (error)': missing } = facts['test run'];
    for (const name of ['results/test_run_20261123_074755.json', 'evaluation_result.json']) {
      const project = await translateProject(path.join(data, name));
      const answers: Row[] = linesOf(project, 'answers.jsonl');
      expect(answers).toHaveLength(passed + failed);
      const totals = answers.map(({ verdicts }) => verdicts['deepeval']);
      expect(totals.filter((each) => each?.passed === true)).toHaveLength(passed);
      const unmeasured = answers.filter(({ verdicts }) => verdicts['deepeval']?.status === 'failed');
      expect(unmeasured.map(({ source }) => source.name)).toEqual(missing);
      for (const { metric, scores, errors } of metrics) {
        const own = answers.map(({ verdicts }) => verdicts[metric]);
        expect(own.flatMap((each) => (each?.status === 'scored' ? [each.value] : []))).toEqual(scores);
        expect(own.filter((each) => each?.status === 'failed')).toHaveLength(errors);
      }
      using folder = mkdtempDisposableSync(path.join(tmpdir(), 'deepeval-'));
      expect(writeProject(project, { to: folder.path })).toContain('golden.jsonl');
      expect(writeProject(await translateProject(path.join(data, name)), { to: folder.path })).toEqual([]);
    }
  },
);

interface Counts {
  readonly items?: number;
  readonly rows?: number;
}

interface Row {
  readonly source: { readonly name: string };
  readonly verdicts: Record<string, { status: string; value?: number; passed?: boolean }>;
}
