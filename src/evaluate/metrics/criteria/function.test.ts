import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadEvaluation } from '../../../library/config/load-evaluation.ts';
import { openParticipants } from '../../run/participants.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { testMetricContract } from '../../../library/testing/metric-contract.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { MetricInput } from '../metric.ts';
import { type CriterionFunction, type CriterionInput, functionMetric } from './function.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-function-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, source: string): string {
  writeFileSync(path.join(folder, name), source);
  return name;
}

type Options = NonNullable<Parameters<typeof functionMetric>[0]>;

function create(options: Options) {
  const { definition } = functionMetric;
  return definition.create(definition.options.parse(options), { folder });
}

testMetricContract('function', () => create({ function: () => true }), { test, expect });

const state = { booking: { time: '10:00' } };
const input: MetricInput = {
  case: buildCase({ expected: { state: { time: '10:00' } }, metadata: { truth: 5 } }),
  trial: buildTrial('Booked.', { state, tools: ['book'] }),
};

const score = (options: Options, of = input) => create(options).score(of);

test('passes the state, the ground truth, the conversation and the case to the function', async () => {
  let received: CriterionInput | undefined;
  await score({
    function: (given: CriterionInput) => {
      received = given;
      return true;
    },
    with: { strict: true },
  });
  expect(received).toEqual({
    state,
    groundTruth: { time: '10:00' },
    transcript: input.trial.transcript,
    answer: 'Booked.',
    case: input.case,
    options: { strict: true },
  });
  const other = {
    function: ({ groundTruth }: CriterionInput) => groundTruth === 5,
    groundTruth: 'metadata.truth',
  };
  expect(await score(other)).toMatchObject({ passed: true });
});

const correctTime: CriterionFunction<{ booking: { time: string } }, { time: string }> = ({
  state,
  groundTruth,
}) => state.booking.time === groundTruth.time;

test('the author of a function chooses its types', async () => {
  expect(await score({ function: correctTime })).toEqual({ status: 'scored', value: 1, passed: true });
});

test.each([
  [true, { value: 1, passed: true }],
  [false, { value: 0, passed: false }],
  [0.25, { value: 0.25 }],
  [
    { passed: false, explanation: 'Bob is missing' },
    { value: 0, passed: false, explanation: 'Bob is missing' },
  ],
  [
    { value: 0.5, passed: true, label: 'gave-up' },
    { value: 0.5, passed: true, label: 'gave-up' },
  ],
  [
    { value: 1, evidence: { found: [1] } },
    { value: 1, evidence: { found: [1] } },
  ],
])('%j is a verdict', async (answered, verdict) => {
  const expected = { status: 'scored', ...verdict };
  expect(await score({ function: () => answered })).toEqual(expected);
  expect(await score({ function: async () => answered })).toEqual(expected);
});

test('a criterion that does not apply gives a reason', async () => {
  const answered = { notApplicable: 'no booking was asked for' };
  expect(await score({ function: () => answered })).toEqual({
    status: 'not-applicable',
    reason: 'no booking was asked for',
  });
});

test.each([
  [undefined, 'it returned undefined'],
  [null, 'it returned null'],
  ['yes', 'it returned the text "yes"'],
  [2, 'an object with the key value: `value`: expected a number of at most 1, found the number 2'],
  [Number.NaN, '`value`: expected a number, found NaN'],
  [{}, 'needs `passed` or `value`'],
  [{ pased: true }, 'an object with the key pased: "pased" has no meaning there'],
  [{ passed: 'yes' }, '`passed`: expected true or false, found the text "yes"'],
  [{ passed: true, label: 'Gave up' }, '`label`: a label is kebab-case'],
])('%o is not a valid result and gives no score', async (answered, reason) => {
  expect(await score({ function: () => answered })).toMatchObject({
    status: 'failed',
    code: 'criterion-unreadable',
    reason: expect.stringContaining(reason),
  });
});

test('an error thrown at once or later leaves the trial unmeasured', async () => {
  const fail = () => {
    throw new RangeError('no such day');
  };
  const failed = { status: 'failed', code: 'criterion-threw', reason: 'no such day' };
  expect(await score({ function: fail })).toEqual(failed);
  expect(await score({ function: async () => fail() })).toEqual(failed);
  const stateless = { ...input, trial: buildTrial('x') };
  expect(await score({ function: correctTime }, stateless)).toMatchObject({
    code: 'criterion-threw',
    reason: expect.stringMatching(/undefined.*\(the target reported no final state\)$/),
  });
});

test('stops waiting for a function that never returns', async () => {
  const never = () => new Promise<boolean>(() => {});
  expect(await score({ function: never, timeLimitMs: 5 })).toMatchObject({
    code: 'criterion-threw',
    reason: 'no answer within 5 ms',
  });
});

test('a function that changes its input changes no record', async () => {
  const before = structuredClone(input);
  await score({
    function: ({ state: changed, transcript, case: testCase }: CriterionInput) => {
      Object.assign(changed as object, { booking: null });
      transcript.length = 0;
      testCase.expected.state = null;
      return true;
    },
  });
  expect(input).toEqual(before);
});

test('finds a file relative to the folder of the config; it may be TypeScript and return a promise', async () => {
  write(
    'rules.ts',
    'export const isBooked = async ({ state }: { state: { booking?: object } }): Promise<boolean> => state.booking !== undefined;',
  );
  const metric = create({ path: 'rules.ts', export: 'isBooked' });
  await metric.open?.();
  expect(await metric.score(input)).toMatchObject({ passed: true });
  expect(await score({ path: './rules.ts', export: 'isBooked' })).toMatchObject({ passed: true });
});

async function resolve(metric: Json) {
  const config = {
    dataset: 'golden.jsonl',
    targets: [{ use: 'module', function: () => '' }],
    scorecard: null,
    metrics: [metric],
  };
  write('golden.jsonl', '{"question": "a"}\n');
  return (await loadEvaluation(config, {}, folder)).evaluation;
}

test('an edited rule or imported file counts as another metric, unless a version is stated', async () => {
  write('word.mjs', "export const word = 'old';");
  write('edited.mjs', "import { word } from './word.mjs'; export default ({ answer }) => answer === word;");
  const fingerprintOf = async (more: { [option: string]: Json } = {}) =>
    (await resolve({ use: 'function', path: 'edited.mjs', ...more })).metrics[0]?.fingerprint;
  const before = await fingerprintOf();
  const stated = await fingerprintOf({ version: '2' });
  expect(await fingerprintOf()).toBe(before);
  expect(await fingerprintOf({ with: { strict: true } })).not.toBe(before);
  write('word.mjs', "export const word = 'new';");
  expect(await fingerprintOf()).not.toBe(before);
  expect(await fingerprintOf({ version: '2' })).toBe(stated);
});

test('rejects what cannot be used before any target is called', async () => {
  write('criteria.mjs', 'export const one = () => true; export const two = 2;');
  write('broken.mjs', 'export default () => {');
  await expect(resolve({ use: 'function', path: 'critera.mjs' })).rejects.toMatchObject({
    code: 'config-invalid',
    message: 'config: metrics[0]: There is no file critera.mjs. Did you mean "criteria.mjs"?',
  });
  await expect(resolve({ use: 'function' })).rejects.toThrow('give one of `path` and `function`');
  await expect(resolve({ use: 'function', function: '[function x]' })).rejects.toThrow('cannot be rebuilt');
  await expect(resolve({ use: 'function', path: '.' })).rejects.toThrow('. is a folder');
  const opening = async (metric: { [option: string]: Json }) => {
    await using _participants = await openParticipants(await resolve({ use: 'function', ...metric }));
    return 'opened';
  };
  await expect(opening({ path: 'criteria.mjs' })).rejects.toThrow(
    'criteria.mjs has no default export. It exports one, two.',
  );
  await expect(opening({ path: 'criteria.mjs', export: 'two' })).rejects.toThrow(
    'The export `two` of criteria.mjs is the number 2, not a function.',
  );
  await expect(opening({ path: 'broken.mjs' })).rejects.toMatchObject({ code: 'config-invalid' });
  expect(await opening({ path: 'criteria.mjs', export: 'one' })).toBe('opened');
});

test('a function passed by a program has a JSON form that distinguishes it from others', () => {
  const use = functionMetric({ function: correctTime });
  expect(JSON.parse(JSON.stringify(use))).toEqual({
    use: 'function',
    function: expect.stringMatching(/^\[function correctTime, source [0-9a-f]{12}\]$/),
  });
  const { options } = functionMetric.definition;
  const formOf = (given: CriterionFunction) => JSON.stringify(options.parse({ function: given }));
  expect(formOf(() => true)).not.toBe(formOf(() => false));
});
