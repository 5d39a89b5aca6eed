import { expect, test } from 'vitest';
import { storeToolRun, type ToolCase } from '../../../test/support/tool-records.ts';
import { buildCase, buildRun, buildTrial } from '../../library/testing/build-records.ts';
import { invalidatedCode, type Verdict } from '../schema/verdict.ts';
import { traitsOf } from './trial-traits.ts';

const { targets } = buildRun();

const asked = (id: string, expected: string[], answer: ToolCase['answers'][string]): ToolCase => {
  return { id, expected, answers: { bot: answer } };
};

/** Returns the traits of one answer as texts, `field=value`, with the count where it is not 1. */
async function traitsOfAnswer(expected: string[], answer: ToolCase['answers'][string]): Promise<string[]> {
  const { run, results } = await storeToolRun([asked('one', expected, answer)], targets);
  return results.flatMap((result) =>
    traitsOf(run, result).map(
      ({ field, value, count }) => `${field}=${value}${count === 1 ? '' : ` ${count}`}`,
    ),
  );
}

test('a tool is expected, used with the number of its calls, and missing', async () => {
  expect(await traitsOfAnswer(['search', 'book'], { calls: ['search', 'search', 'pay'] })).toEqual([
    'expectedTool=search',
    'expectedTool=book',
    'tool=search 2',
    'tool=pay',
    'missingTool=book',
    'calls=search ×2 → pay',
  ]);
});

test('failed calls are those with an error of the tool, or those that a metric found', async () => {
  expect(await traitsOfAnswer([], { calls: [{ name: 'book', error: 'no seat' }, 'book'] })).toContain(
    'failedTool=book',
  );
  const found: Verdict = { status: 'scored', value: 0, evidence: { failed: ['search(q: "a") (no data)'] } };
  const answer = { calls: [{ name: 'search', result: 'Error: no data' }], verdicts: { usage: found } };
  expect(await traitsOfAnswer([], answer)).toContain('failedTool=search');
});

test('wrong arguments are known where a metric compared them, and nowhere else', async () => {
  const calls = [
    { expected: 'search(q: "a")', actual: 'search(q: "b")', right: 0, total: 1 },
    { expected: 'book(seat: 1)', actual: 'book(seat: 1)', right: 1, total: 1 },
  ];
  const compared = { status: 'scored', value: 0.5, evidence: { calls } } as const;
  const known = await traitsOfAnswer([], { calls: ['search', 'book'], verdicts: { arguments: compared } });
  expect(known.filter((trait) => /^(?:wrong|arguments)/.test(trait))).toEqual([
    'wrongTool=search',
    'arguments=wrong',
  ]);
  const unknown = await traitsOfAnswer([], { calls: ['search'] });
  expect(unknown).toEqual(['tool=search', 'calls=search']);
});

test('an answer whose recording leaves tools out misses none', async () => {
  const answer = { calls: [], parts: { toolsUnknown: true as const } };
  expect(await traitsOfAnswer(['search'], answer)).toEqual(['toolsUnknown=true']);
});

test('a handled fault is named alone and with each tool that failed', async () => {
  const label: Verdict = { status: 'scored', value: 1, label: 'recovered' };
  const calls = ['search', 'search', 'book'].map((name) => ({ name, fault: 'timeout' as const }));
  const traits = await traitsOfAnswer([], { calls, verdicts: { handling: label } });
  expect(traits.filter((trait) => trait.startsWith('handling='))).toEqual([
    'handling=recovered',
    'handling=recovered in search 2',
    'handling=recovered in book',
  ]);
});

test('a conversation has its turns and its end, a verdict that is missing its code', async () => {
  const parts = {
    conversation: { turns: [{ from: 0 }, { from: 2 }], ended: 'goal-met' as const },
    spoilt: { kind: 'leaked', reason: 'said it' },
  };
  const verdicts = { usage: { status: 'failed', code: 'judge-timeout', reason: 'late' } } as const;
  expect(await traitsOfAnswer([], { calls: [], parts, verdicts })).toEqual([
    'turns=2',
    'ending=goal-met',
    'invalid=leaked',
    'gap.usage=judge-timeout',
  ]);
});

test('an answer that is not scored yet has no traits', () => {
  const trial = buildTrial('It is.', {
    transcript: [{ role: 'assistant', content: '', toolCalls: [{ name: 'a' }] }],
  });
  expect(traitsOf(buildRun(), { case: buildCase(), trial, verdicts: {}, scorecard: null })).toEqual([]);
});

test('a name of a megabyte is cut, and what no database stores is replaced', async () => {
  const [long] = await traitsOfAnswer([], { calls: ['x'.repeat(1_000_000)] });
  expect(long).toBe(`tool=${'x'.repeat(499)}…`);
  const [odd] = await traitsOfAnswer([], { calls: ['a\0b\ud800'] });
  expect(odd).toBe('tool=a\ufffdb\ufffd');
});

test('a label, a report of an error, and a contradiction of two verdicts are traits of an answer', () => {
  const metric = (name: string, parts: object) => ({
    name,
    use: { use: name },
    version: 1,
    fingerprint: '',
    ...parts,
  });
  const run = buildRun({
    metrics: [
      metric('words', { family: 'wording' }),
      metric('judge', { family: 'judged' }),
      metric('errors', { family: 'operations', aspect: 'no-error' }),
    ],
  });
  const scored = (value: number, parts: object = {}): Verdict => ({ status: 'scored', value, ...parts });
  const found = (verdicts: Readonly<Record<string, Verdict>>) =>
    traitsOf(run, { case: buildCase(), trial: buildTrial('No.'), verdicts, scorecard: null }).map(
      ({ field, value }) => `${field}=${value}`,
    );
  expect(
    found({ words: scored(0.1), judge: scored(1, { label: 'same' }), errors: scored(0, { passed: false }) }),
  ).toEqual([
    'label.judge=same',
    'errorReport=true',
    'contradiction=paraphrase',
    'contradiction=error-but-right',
  ]);
  expect(found({ words: scored(0.1), judge: scored(0.5), errors: scored(1, { passed: true }) })).toEqual([]);
  const invalid: Verdict = { status: 'failed', code: invalidatedCode, reason: 'no' };
  expect(found({ words: invalid, errors: scored(0, { passed: false }) })).toEqual([
    `gap.words=${invalidatedCode}`,
  ]);
});
