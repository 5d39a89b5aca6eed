import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatedCase, type GatedRunOptions, runScores } from '../../../../test/support/gated-run.ts';
import { baselineSchema, type RuleDecision } from '../../../core/schema/decision.ts';
import { gateRuleSchema } from '../../../core/schema/gate.ts';
import { encodeBaseline } from '../baselines.ts';
import { makeBaseline } from '../make-baseline.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-fixed-'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

/** Returns cases of three attempts, of which each entry passes. */
const tried = (...passes: number[]): GatedCase[] =>
  passes.map((passed) => ({ scores: [0, 1, 2].map((attempt) => Number(attempt < passed)) }));
const all = (n: number): number[] => Array.from({ length: n }, () => 3);
const once = (...scores: (number | null)[]): GatedCase[] => scores.map((score) => ({ scores: [score] }));

async function baselineOf(cases: readonly GatedCase[], options: GatedRunOptions = {}): Promise<string> {
  const { run, store } = await runScores(cases, options);
  const file = path.join(folder, `${run.id}.json`);
  await writeFile(file, encodeBaseline(baselineSchema.parse(await makeBaseline('main', run, store))));
  return file;
}

async function decide(
  before: readonly GatedCase[],
  now: readonly GatedCase[],
  { rule = {}, ...options }: GatedRunOptions & { readonly rule?: object } = {},
): Promise<RuleDecision> {
  const baseline = before.length === 0 ? '' : await baselineOf(before);
  const these = gateRuleSchema.parse({ type: 'no-regression', on: 'these-questions', ...rule });
  const gate = { baseline, rules: { these }, ...options.gate };
  const { run } = await runScores(now, { ...options, gate });
  return run.summary?.decision.rules?.[0] as RuleDecision;
}

test('thirty unchanged questions pass, and the words say what they speak of', async () => {
  const found = await decide(tried(...all(30)), tried(...all(30)));
  expect(found).toMatchObject({ outcome: 'pass', on: 'these-questions', value: 0, n: 30 });
  expect(found.reason).toBe(
    'on these 30 questions the score lost at worst 2.2 points since main (95 %, 3 attempts). It says nothing of questions that are not in the set',
  );
  const other = await decide(tried(...all(30)), tried(...all(30)), { rule: { on: 'all-questions' } });
  expect(other.outcome).toBe('inconclusive');
});

test('a gate that passes says of which questions', async () => {
  const baseline = await baselineOf(tried(...all(30)));
  const rules = { these: gateRuleSchema.parse({ type: 'no-regression', on: 'these-questions' }) };
  const { run } = await runScores(tried(...all(30)), { gate: { baseline, rules } });
  expect(run.summary?.decision.reasons).toEqual([
    '1 rule passed',
    expect.stringMatching(/^bot: these: pass: on these 30 questions .* not in the set$/),
  ]);
});

test('three of thirty questions lost in all attempts fail at a margin of 5 points', async () => {
  const found = await decide(tried(...all(30)), tried(...all(27), 0, 0, 0));
  expect(found).toMatchObject({ outcome: 'fail', value: expect.closeTo(-0.1, 12) });
  expect(found.reason).toContain('lost at least 7.8 points since main');
});

test('the worked values, by the stored spread of the baseline', async () => {
  const found = await decide(tried(...all(27), 2, 2, 1), tried(...all(26), 2, 2, 2, 1));
  expect(found.outcome).toBe('inconclusive');
  expect([found.value, found.lower, found.upper]).toEqual(
    [-0.011111, -0.068167, 0.045945].map((end) => expect.closeTo(end, 6)),
  );
});

test('after one attempt the noise is not known, unless every answer is the same', async () => {
  const replies = { reply: { answer: 'changed' } };
  const found = await decide(once(1, 1, 1), once(1, 1, 1), replies);
  expect(found).toMatchObject({ outcome: 'inconclusive', value: 0 });
  expect(found.reason).toContain('one attempt: `--attempts 3`');
  const same = await decide(once(1, 1, 1), once(1, 1, 1));
  expect(same).toMatchObject({ outcome: 'pass', lower: 0, upper: 0 });
  expect(same.reason).toContain('lost nothing since main (every answer is the same as before)');
  const late = await decide(once(1, 1, 1), tried(3, 3, 3));
  expect(late.reason).toContain('main has one attempt: set it again from a run with `--attempts 3`');
});

test('answers that are recorded in both decide by the difference itself', async () => {
  const recorded: GatedRunOptions = { isRecorded: true };
  const { run, store } = await runScores(once(1, 1, 1, 1), recorded);
  const file = path.join(folder, 'recorded.json');
  await writeFile(file, encodeBaseline(await makeBaseline('main', run, store)));
  const found = await decide([], once(1, 1, 1, 0), {
    ...recorded,
    reply: { answer: 'changed' },
    gate: { baseline: file },
  });
  expect(found).toMatchObject({ outcome: 'fail', lower: -0.25, upper: -0.25 });
});

test('one attempt decides for a bot that is said to be deterministic and answers five questions the same again', async () => {
  const cases = (...last: number[]) => once(1, 1, 1, 1, 1, 1, 1, ...last);
  const said: GatedRunOptions = { isDeterministic: true };
  const before = await runScores(cases(1, 1, 1), said);
  expect(before.calls).toHaveLength(10 + 5);
  const file = path.join(folder, 'deterministic.json');
  await writeFile(file, encodeBaseline(await makeBaseline('main', before.run, before.store)));
  const changed = { ...said, reply: { answer: 'changed' }, gate: { baseline: file } };
  const found = await decide([], cases(1, 1, 0), changed);
  expect(found).toMatchObject({ outcome: 'fail', lower: -0.1, upper: -0.1 });
  expect(found.reason).toContain('the bot is deterministic: asked again, it answered the same');
  let count = 0;
  const varied = {
    get answer() {
      count += 1;
      return `answer ${count}`;
    },
  };
  const other = await decide([], cases(1, 1, 1), { ...changed, reply: varied });
  expect(other).toMatchObject({ outcome: 'inconclusive' });
  expect(other.reason).toContain(
    'answered 5 of 5 questions differently when asked again: remove `deterministic`',
  );
});

test('one attempt of a deterministic bot is compared with three: chance is in the three alone', async () => {
  const deterministic: GatedRunOptions = { isDeterministic: true, reply: { answer: 'changed' } };
  const ones = Array.from({ length: 30 }, () => 1);
  const found = await decide(tried(...all(30)), once(...ones), deterministic);
  // Student and Welch take no part in it: no question varies.
  const lower = (-1.6448536 / 30) * Math.sqrt(0.25 / 3);
  expect(found).toMatchObject({ outcome: 'pass', value: 0, lower: expect.closeTo(lower, 6) });
  expect(found.reason).toContain('3 attempts before, 1 now, as another would be the same');
  const worse = await decide(
    tried(...all(30)),
    once(...ones.with(0, 0).with(1, 0).with(2, 0)),
    deterministic,
  );
  expect(worse).toMatchObject({ outcome: 'fail', value: expect.closeTo(-0.1, 12) });
  const { run, store } = await runScores(once(...ones), deterministic);
  const file = path.join(folder, 'once.json');
  await writeFile(file, encodeBaseline(await makeBaseline('main', run, store)));
  expect(await decide([], tried(...all(30)), { gate: { baseline: file } })).toMatchObject({
    outcome: 'pass',
    lower: expect.closeTo(lower, 6),
  });
});

test('lost answers count at their worst, and a single question is not measured', async () => {
  const missing: GatedCase[] = [...tried(...all(29)), { scores: [1, 1, null] }];
  const found = await decide(tried(...all(30)), missing, { rule: { margin: 10 } });
  expect(found).toMatchObject({ outcome: 'pass' });
  expect(found.lower).toBeLessThan(-0.03);
  expect((await decide(tried(3), tried(3))).outcome).toBe('not-measured');
});

test('a baseline of an earlier version is to be set again', async () => {
  const { run, store } = await runScores(tried(3, 3, 3));
  const baseline = await makeBaseline('main', run, store);
  const old = baseline.targets.map((target) => ({
    ...target,
    cases: target.cases.map(({ spread: _spread, ...rest }) => rest),
  }));
  const file = path.join(folder, 'old.json');
  await writeFile(file, encodeBaseline({ ...baseline, targets: old }));
  const found = await decide([], tried(3, 3, 3), { gate: { baseline: file } });
  expect(found.reason).toContain(`touchstone baseline set main ${run.id}`);
});

test('questions that were right in most attempts, and are wrong in most now, are named', async () => {
  const found = await decide(tried(...all(8), 3, 2, 1), tried(...all(8), 1, 0, 0));
  expect(found.reason).toMatch(/Lost in most attempts: q8, q9$/);
});
