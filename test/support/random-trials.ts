import fc from 'fast-check';
import type { Conversation } from '../../src/core/schema/conversation.ts';
import type { ToolCall } from '../../src/core/schema/message.ts';
import type { PlannedCase, Result } from '../../src/core/schema/result.ts';
import type { Run } from '../../src/core/schema/run.ts';
import type { Verdict } from '../../src/core/schema/verdict.ts';
import { buildRun, buildTrial } from '../../src/library/testing/build-records.ts';
import { plan } from './store-contract/store-records.ts';
import type { Store } from '../../src/stores/store.ts';

/** Names of metrics, some of them with characters that mean something in paths and in filters. */
export const metricNames = ['keywords', 'Answer quality', 'cost', '$odd"[0]', 'größe'] as const;

const texts = [
  'Tax',
  'tax',
  'taxes',
  'Ärger',
  'ärger',
  'caf\u00e9',
  'Cafe\u0301',
  'cafe',
  'a b',
  '%',
  '_x',
  'x|y',
  'say "no"',
  '\\',
  'a*b',
  'a\\b*',
  '\\*_%',
  '',
  '\u{1f642}',
  '\ufffc',
  'ſ',
];
/** Random texts, some of which differ in case only or mean something in patterns. */
export const text = fc.constantFrom(...texts);
const share = fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true }));
const optional = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: undefined });

const verdict: fc.Arbitrary<Verdict> = fc.oneof(
  share.map((value) => ({ status: 'scored' as const, value })),
  fc.constant({ status: 'not-applicable' as const, reason: 'nothing expected' }),
  fc
    .constantFrom('judge-timeout', 'no-facts', "it's")
    .map((code) => ({ status: 'failed' as const, code, reason: 'late' })),
);

const aCase = fc.record({
  category: optional(text.filter((each) => each !== '')),
  tags: fc.array(text, { maxLength: 2 }),
  cluster: optional(text.filter((each) => each !== '')),
  question: text.map((each) => `Is it ${each}?`),
  tools: fc.array(fc.constantFrom('search', 'book', 'a*b'), { maxLength: 2 }),
  metadata: fc.record({ year: fc.constantFrom(2020, 2021), source: fc.array(text, { maxLength: 2 }) }),
});

/** Names of tools, some of which mean something in filters, in SQL or on a page. */
const toolName = fc.oneof(
  fc.constantFrom('search', 'book', 'Search.v2', "x'; DROP TABLE traits; --", '<b>a → b ×2</b>'),
  text,
  fc.constant('long '.repeat(200)),
);

const aTrial = fc.record({
  isThere: fc.constantFrom(true, true, true, false),
  status: fc.constantFrom(
    'completed' as const,
    'completed' as const,
    'failed' as const,
    'cancelled' as const,
  ),
  code: fc.constantFrom('timeout', 'not-recorded', 'Ärger'),
  answer: fc.option(
    fc.tuple(text, fc.constantFrom('', ' refund', ' x'.repeat(3000))).map((parts) => parts.join('')),
  ),
  tools: fc.array(toolName, { maxLength: 2 }),
  failedTool: optional(toolName),
  toolsUnknown: fc.constantFrom(false, false, false, true),
  turns: optional(fc.constantFrom(0, 2, 12)),
  ended: fc.constantFrom('goal-met' as const, 'turn-limit' as const),
  spoilt: optional(fc.constantFrom('leaked' as const, 'repeated' as const)),
  cost: optional(share),
  latencyMs: optional(fc.constantFrom(1, 12.5, 3000, 0.29, 0.00002, 98_765.4)),
  tokens: optional(fc.constantFrom(1, 10.4)),
  retries: fc.nat(2),
  isScored: fc.constantFrom(true, true, false),
  total: fc.option(share),
  passed: fc.option(fc.boolean()),
  grade: fc.option(text),
  outcome: fc.option(fc.constantFrom('PASS', 'FAIL')),
  verdicts: fc.record(Object.fromEntries(metricNames.map((name) => [name, optional(verdict)]))),
});

type RandomTrial = typeof aTrial extends fc.Arbitrary<infer Value> ? Value : never;

/** A random run with its cases, and its results in a random order. */
export interface RandomRun {
  readonly run: Run;
  readonly cases: readonly PlannedCase[];
  readonly results: readonly Result[];
  readonly isScored: ReadonlySet<number>;
}

/** Random runs of a few cases, targets and attempts. */
export const randomRun: fc.Arbitrary<RandomRun> = fc
  .tuple(
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 1, max: 2 }),
    fc.integer({ min: 1, max: 3 }),
    fc.boolean(),
  )
  .chain(([cases, targets, attempts, hasScorecard]) =>
    fc
      .tuple(
        fc.array(aCase, { minLength: cases, maxLength: cases }),
        fc.array(aTrial, { minLength: cases * targets * attempts, maxLength: cases * targets * attempts }),
      )
      .map(([ofCases, trials]) => build({ ofCases, trials, targets, attempts, hasScorecard })),
  );

/** Returns a run with an answered case for each category, whose answer is the category too. */
export function runOfCategories(categories: readonly string[]): RandomRun {
  const parts = {
    tags: [],
    cluster: undefined,
    question: 'Is it?',
    tools: [],
    metadata: { year: 2020 as const, source: [] },
  };
  const trial: RandomTrial = {
    isThere: true,
    status: 'completed',
    code: 'timeout',
    answer: null,
    tools: [],
    failedTool: undefined,
    toolsUnknown: false,
    turns: undefined,
    ended: 'goal-met',
    spoilt: undefined,
    cost: undefined,
    latencyMs: undefined,
    tokens: undefined,
    retries: 0,
    isScored: true,
    total: null,
    passed: null,
    grade: null,
    outcome: null,
    verdicts: {},
  };
  return build({
    ofCases: categories.map((category) => ({ ...parts, category })),
    trials: categories.map((answer) => ({ ...trial, answer })),
    targets: 1,
    attempts: 1,
    hasScorecard: false,
  });
}

interface Drawn {
  readonly ofCases: readonly (typeof aCase extends fc.Arbitrary<infer Value> ? Value : never)[];
  readonly trials: readonly RandomTrial[];
  readonly targets: number;
  readonly attempts: number;
  readonly hasScorecard: boolean;
}

function build({ ofCases, trials, targets, attempts, hasScorecard }: Drawn): RandomRun {
  const names = ['bot', 'Größe'].slice(0, targets);
  const run = buildRun({
    dataset: { sources: ['a.jsonl'], cases: ofCases.length, hash: 'x' },
    targets: names.map((name) => ({ name, use: { use: 'module' }, fingerprint: name })),
    metrics: metricNames.map((name) => ({ name, use: { use: name }, version: 1, fingerprint: name })),
    scorecard: hasScorecard
      ? { name: 's', use: { use: 's' }, version: 1, criteria: [], grades: [], passMark: 0.5 }
      : null,
    attempts,
  });
  const cases = ofCases.map(({ category, cluster, question, tools, ...parts }, position) =>
    plan(position, {
      id: `${parts.tags[0] ?? 'case'}-${position}`,
      input: question,
      expected: { tools: [...tools] },
      ...parts,
      ...(category !== undefined && { category }),
      ...(cluster !== undefined && { cluster }),
    }),
  );
  const made = trials.flatMap((drawn, ordinal) => {
    const planned = cases[Math.floor(ordinal / (targets * attempts))] as PlannedCase;
    const place = {
      ordinal,
      attempt: (ordinal % attempts) + 1,
      target: names[Math.floor(ordinal / attempts) % targets] as string,
    };
    return drawn.isThere ? [{ result: toResult(drawn, planned, place), isScored: drawn.isScored }] : [];
  });
  return {
    run,
    cases,
    results: made.map(({ result }) => result),
    isScored: new Set(made.flatMap(({ result, isScored }) => (isScored ? [result.trial.ordinal] : []))),
  };
}

function toResult(
  drawn: RandomTrial,
  { case: testCase, hash }: PlannedCase,
  place: { readonly ordinal: number; readonly attempt: number; readonly target: string },
): Result {
  const { status, code, answer, tools, cost, latencyMs, tokens, retries, total, passed, grade, outcome } =
    drawn;
  const isAnswered = status === 'completed';
  const question = { role: 'user' as const, content: String(testCase.input) };
  const trial = buildTrial(isAnswered ? answer : null, {
    ...place,
    key: place.ordinal.toString(16).padStart(32, '0'),
    caseId: testCase.id,
    caseHash: hash,
    status,
    retries,
    transcript: isAnswered
      ? [
          question,
          {
            role: 'assistant',
            content: answer,
            ...(tools.length > 0 && { toolCalls: tools.map((name) => toCall(name, drawn)) }),
          },
        ]
      : [question],
    ...(status === 'failed' && { error: { code, message: 'It failed.' } }),
    ...(drawn.toolsUnknown && { toolsUnknown: true as const }),
    ...(drawn.turns !== undefined && { conversation: toConversation(drawn.turns, drawn.ended) }),
    ...(drawn.spoilt !== undefined && { spoilt: { kind: drawn.spoilt, reason: 'said it' } }),
    ...(cost !== undefined && { cost }),
    ...(tokens !== undefined && { usage: { inputTokens: tokens } }),
  });
  const { latency: _none, ...bare } = trial;
  const verdicts = Object.fromEntries(
    Object.entries(drawn.verdicts).filter(([, each]) => each !== undefined),
  );
  return {
    case: testCase,
    trial: latencyMs === undefined ? bare : { ...bare, latency: { totalMs: latencyMs } },
    verdicts: verdicts as Result['verdicts'],
    scorecard: { total, lower: 0, upper: 1, grade, outcome, passed, explanation: '' },
  };
}

function toCall(name: string, { failedTool }: RandomTrial): ToolCall {
  return name === failedTool ? { name, error: 'no seat' } : { name };
}

function toConversation(turns: number, ended: RandomTrial['ended']): Conversation {
  return { ended, turns: Array.from({ length: turns }, () => ({ from: 0 })) };
}

/** Writes a random run into a store. */
export async function storeRandomRun(
  store: Store,
  { run, cases, results, isScored }: RandomRun,
): Promise<void> {
  await store.createRun(run);
  await store.addCases(run.id, cases);
  await store.addTrials(run.id, results);
  await store.addScores(
    run.id,
    results.filter(({ trial }) => isScored.has(trial.ordinal)),
  );
}
