import { expect, test } from 'vitest';
import { importFiles } from '../../../test/support/import-files.ts';
import type { ImportedProject } from '../../exchange/importers/importer.ts';

const inspectLog = { version: 2, status: 'success', eval: { task: 'shop', model: 'x' }, samples: [] };
const samples = '{"user_input": "When?", "response": "Now.", "faithfulness": 1}\n';
const experiment = 'inputs.question,outputs.answer,example_id,id\nWhen?,Now.,e1,r1\n';

const leftOf = ({ record }: ImportedProject) =>
  record.ledger.flatMap(({ fate, part, note, places }) =>
    fate === 'left-out' ? [[part, note, places.map((place) => place.replace(/^.*\//, ''))]] : [],
  );

test('the files of a folder that are of another tool, or of none, are named with the way to import them', async () => {
  const project = await importFiles({
    'experiment.csv': experiment,
    'log.json': inspectLog,
    'ragas/samples.jsonl': samples,
    'notes.json': { mood: 'good' },
    'readme.md': 'Hi.',
  });
  expect(project.record.tool.name).toBe('inspect');
  expect(leftOf(project)).toEqual([
    [
      'file of LangSmith',
      'Import it by itself: `touchstone import FILE --from langsmith`.',
      ['experiment.csv'],
    ],
    ['file of ragas', 'Import it by itself: `touchstone import FILE --from ragas`.', ['samples.jsonl']],
    [
      'file of the folder',
      'No tool is recognised in it. Name one with `--from`, or use it as a dataset.',
      ['notes.json'],
    ],
  ]);
  expect(project.files['todo.md']).toContain('experiment.csv');
});

test('results beside a configuration of promptfoo are named; files that it names are its own', async () => {
  const result = {
    success: true,
    prompt: { raw: 'hi' },
    provider: 'echo',
    vars: {},
    response: { output: 'hi' },
  };
  const project = await importFiles({
    'promptfooconfig.json': { prompts: ['{{q}}'], providers: ['echo'], tests: 'file://tests.csv' },
    'tests.csv': 'q,__expected\nhi,hi\n',
    'vars.json': { more: 1 },
    'results.json': { evalId: 'e', results: { version: 3, results: [result] } },
  });
  expect(leftOf(project)).toEqual([
    [
      'file of promptfoo',
      'Import it by itself: `touchstone import FILE --from promptfoo`.',
      ['results.json'],
    ],
  ]);
});

test('a report for people is refused with the form that can be imported', async () => {
  for (const text of ['<promptfoo><evalId>x</evalId></promptfoo>', '\n<!doctype html><html></html>'])
    await expect(importFiles({ 'results.xml': text })).rejects.toMatchObject({
      code: 'import-invalid',
      remedy: expect.stringContaining('as JSON'),
    });
});
