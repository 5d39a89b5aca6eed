import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Result } from '../../core/schema/result.ts';
import { readPieces, sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import { junit } from './junit.ts';
import type { SampleTrial } from '../../../test/support/judge-sample.ts';
import type { ReportInput } from './reporter.ts';

/** Parses JUnit with an independent parser that refuses what XML 1.0 forbids: Python's expat. */
const reader = `
import json, sys
from xml.etree import ElementTree
def read(element):
    return {"tag": element.tag, "attributes": element.attrib, "text": element.text or "", "children": [read(child) for child in element]}
print(json.dumps([read(ElementTree.fromstring(text.encode())) for text in json.load(sys.stdin)]))
`;
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';

interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly Element[];
}

function parse(texts: readonly string[]): Element[] {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', reader], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

const write = async (input: ReportInput) => await readPieces(junit.report(input, sampleView()));

async function read(input: ReportInput): Promise<Element> {
  const [root] = parse([await write(input)]);
  return root as Element;
}

const casesOf = (suite: Element) => suite.children.filter(({ tag }) => tag === 'testcase');

/** Checks that the counts of each suite match its test cases. */
function checkCounts(root: Element): void {
  const sums = { tests: 0, failures: 0, errors: 0 };
  let time = 0;
  for (const suite of root.children) {
    const cases = casesOf(suite);
    const outcomes = cases.map(({ children }) => children[0]?.tag ?? 'passed');
    const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
    const counts = { tests: cases.length, failures: count('failure'), errors: count('error') };
    const stated = Object.fromEntries(Object.keys(counts).map((key) => [key, Number(suite.attributes[key])]));
    expect(stated).toEqual(counts);
    expect(Number(suite.attributes['skipped'])).toBe(count('skipped'));
    const times = cases.reduce((sum, { attributes }) => sum + Number(attributes['time'] ?? 0), 0);
    expect(Number(suite.attributes['time'] ?? 0)).toBeCloseTo(times, 9);
    for (const key of ['tests', 'failures', 'errors'] as const) sums[key] += counts[key];
    time += times;
  }
  const { name: _, time: statedTime = '0', ...all } = root.attributes;
  expect(Object.fromEntries(Object.entries(all).map(([key, value]) => [key, Number(value)]))).toEqual(sums);
  expect(Number(statedTime)).toBeCloseTo(time, 9);
}

/** Returns the outcomes of the test cases in the suite after the gate's. */
function outcomesOf(root: Element): string[] {
  return casesOf(root.children[1] as Element).map(({ children: [child] }) =>
    child === undefined ? 'passed' : `${child.tag} ${child.attributes['type']}`,
  );
}

test('a wrong answer is a failure; a broken target and a missing verdict are errors', async () => {
  const root = await read(
    sampleInput([
      {},
      { id: 'wrong', found: ['a'], missing: ['b', 'c', 'd', 'e'], latencyMs: 1250.4 },
      { error: { code: 'timeout', message: 'no answer within 60 s' } },
      { isUnmeasured: true },
      { reportedError: 'rate limit' },
    ]),
  );
  checkCounts(root);
  expect(outcomesOf(root)).toEqual([
    'passed',
    'failure failed',
    'error error',
    'error not-measured',
    'failure failed',
  ]);
  const [, wrong, broken] = casesOf(root.children[1] as Element);
  expect(wrong).toMatchObject({
    attributes: { name: 'wrong: What is fact number 2?', classname: 'assistant.general', time: '1.250' },
    children: [{ attributes: { message: '68.0 D: said "Here it is."; 68.0 points' } }],
  });
  expect(broken?.children[0]?.attributes['message']).toBe('timeout: no answer within 60 s');
  expect(broken?.children[0]?.text).toContain('question: What is fact number 3?\n');
});

test('the decision is a test, and a gate that is not measured does not pass', async () => {
  const input = sampleInput([{}]);
  const decide = async (outcome: 'pass' | 'fail' | 'inconclusive' | 'not-measured') => {
    const summary = { ...input.summary, decision: { outcome, reasons: ['assistant: 1 is < 2'] } };
    const root = await read({ ...input, summary });
    checkCounts(root);
    return casesOf(root.children[0] as Element)[0]?.children.map(({ tag, attributes }) => [tag, attributes]);
  };
  const expected = { message: 'assistant: 1 is < 2' };
  expect(await decide('pass')).toEqual([]);
  expect(await decide('fail')).toEqual([['failure', { ...expected, type: 'fail' }]]);
  expect(await decide('inconclusive')).toEqual([['error', { ...expected, type: 'inconclusive' }]]);
  expect(await decide('not-measured')).toEqual([['error', { ...expected, type: 'not-measured' }]]);
});

test('every rule of the gate is a test, with its reason and its arithmetic', async () => {
  const input = sampleInput([{}]);
  const rule = { type: 'score', target: 'assistant', value: 1, threshold: 0.9, n: 1, arithmetic: '1 of 1' };
  const rules = [
    { ...rule, name: 'good', outcome: 'pass', reason: 'fine' },
    { ...rule, name: 'sure', category: 'tax', outcome: 'inconclusive', reason: 'one is too few' },
  ] as const;
  const decision = { outcome: 'inconclusive' as const, reasons: [], rules: [...rules] };
  const root = await read({ ...input, summary: { ...input.summary, decision } });
  checkCounts(root);
  const [, good, sure] = casesOf(root.children[0] as Element);
  expect(good).toMatchObject({ attributes: { name: 'good · assistant' }, children: [] });
  expect(sure).toMatchObject({
    attributes: { name: 'sure · tax · assistant' },
    children: [
      { tag: 'error', text: '1 of 1', attributes: { message: 'one is too few', type: 'inconclusive' } },
    ],
  });
});

test('a watched or quarantined case is skipped when it does not pass', async () => {
  const input = sampleInput([
    { found: [], missing: ['a'] },
    {},
    { error: { code: 'timeout', message: 'late' } },
  ]);
  const marked = (gate: string): ReportInput => ({
    ...input,
    async *results() {
      for await (const result of input.results()) yield { ...result, case: { ...result.case, gate } };
    },
  });
  const watched = await read(marked('watch'));
  checkCounts(watched);
  expect(outcomesOf(watched)).toEqual(['skipped failed', 'passed', 'skipped error']);
  expect(JSON.stringify(watched)).toContain('only watched; 60.0 D: ');
  const over = await read(marked('quarantine until 2026-02-10'));
  expect(outcomesOf(over)).toEqual(['failure failed', 'passed', 'error error']);
});

test('the attempts at a case are one test, which passes only when all attempts passed', async () => {
  const attempts = (id: string, ...kinds: Partial<SampleTrial>[]) =>
    kinds.map((kind, index): SampleTrial => ({ id, attempt: index + 1, latencyMs: 500, ...kind }));
  const failed = { found: ['a'], missing: ['b', 'c', 'd', 'e', 'f'] };
  const broken = { error: { code: 'timeout', message: 'late' } };
  const trials = [
    ...attempts('steady', {}, {}, {}),
    ...attempts('flaky', {}, failed, {}),
    ...attempts('broken', {}, broken, { isUnmeasured: true }),
    ...attempts('cut short', {}, {}),
  ];
  const root = await read(sampleInput(trials, { attempts: 3 }));
  checkCounts(root);
  expect(outcomesOf(root)).toEqual(['passed', 'failure failed', 'error error', 'error not-measured']);
  const [steady, flaky, , cut] = casesOf(root.children[1] as Element);
  expect(steady?.attributes['time']).toBe('1.500');
  expect(flaky?.children[0]?.attributes['message']).toMatch(/^2 of 3 attempts passed; 66\.7 D: /);
  expect(flaky?.children[0]?.text).toContain(
    'attempt 1: passed\nanswer: Here it is.\nattempt 2: failed: 66.7 D',
  );
  expect(cut?.children[0]?.attributes['message']).toBe('2 of 3 attempts passed; not every attempt was made');
});

test('each unasked question of a stopped run is an error, so that tests are the planned questions; two targets are two suites', async () => {
  const trials = [
    { id: 'a', target: 'one' },
    { id: 'a', target: 'two' },
    { id: 'b', target: 'one' },
  ];
  const input = sampleInput(trials);
  const run = { ...input.run, dataset: { ...input.run.dataset, cases: 5 } };
  const root = await read({ ...input, run });
  checkCounts(root);
  expect(root.children.map(({ attributes }) => attributes['name'])).toEqual(['gate', 'one', 'two']);
  const [, one, two] = root.children as [Element, Element, Element];
  expect(casesOf(one).at(-1)).toMatchObject({
    attributes: { name: 'question not asked, 3 of 3' },
    children: [{ tag: 'error', attributes: { type: 'not-run' } }],
  });
  expect(one.attributes).toMatchObject({ tests: '5', errors: '3' });
  expect(two.attributes).toMatchObject({ tests: '5', errors: '4' });
  expect(new Set(casesOf(two).map(({ attributes }) => attributes['name'])).size).toBe(5);
});

test('the report of a part of a run contains the tests of the part and names the selection', async () => {
  const input = sampleInput([{ id: 'a' }, { id: 'b', error: { code: 'timeout', message: 'late' } }]);
  const part: ReportInput = {
    ...input,
    narrowing: 'what did not pass',
    async *results() {
      for await (const result of input.results()) if (result.trial.status === 'failed') yield result;
    },
  };
  const root = await read(part);
  checkCounts(root);
  expect(outcomesOf(root)).toEqual(['error error']);
  expect(JSON.stringify(root)).toContain('what did not pass');
});

test('without a scorecard answers are skipped, not passed', async () => {
  const root = await read(
    sampleInput([{}, { error: { code: 'timeout', message: 'late' } }], { scorecard: null }),
  );
  checkCounts(root);
  expect(outcomesOf(root)).toEqual(['skipped unscored', 'error error']);
});

test('an unknown time is left out', async () => {
  const input = sampleInput([{}]);
  const [result] = await Array.fromAsync(input.results());
  const { latency: _, ...trial } = (result as Result).trial;
  const only = async function* () {
    yield { ...(result as Result), trial };
  };
  const root = await read({ ...input, results: only });
  expect(casesOf(root.children[1] as Element)[0]?.attributes).not.toHaveProperty('time');
  expect(root.attributes).not.toHaveProperty('time');
});

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
  fc.constantFrom(
    ']]><!-- -->',
    '<![CDATA[ x ]]>',
    '"\'><testcase name="x"/>',
    '&amp;&#0;&bogus;',
    '\0\u0001\u000b\u001f\u007f\u0085\u2028',
    '\ud800 \udfff\ud83d',
    '\ufffe\uffff\u{1fffe}\u{10ffff}',
    'a\r\nb\n\tc',
    '\u001b[31mred\u001b[0m',
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]>',
  ),
);

test('a strict parser accepts the report and the counts add up, whatever the texts', async () => {
  const trial = fc.record({ a: hostileText, b: hostileText, kind: fc.integer({ min: 0, max: 3 }) });
  const written: string[] = [];
  const names = fc.array(hostileText, { minLength: 1, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(fc.array(trial, { minLength: 1, maxLength: 4 }), names, async (drafts, targets) => {
      const trials = drafts.flatMap(({ a, b, kind }, index) =>
        targets.map((target, number): SampleTrial => {
          const base = {
            id: `${a}${index}`,
            target: `${target}${number}`,
            question: b,
            category: a,
            answer: b,
          };
          if (kind === 1) return { ...base, error: { code: a, message: b } };
          if (kind === 2) return { ...base, missing: [a] };
          return kind === 3 ? { ...base, reportedError: b } : base;
        }),
      );
      const text = await write(sampleInput(trials, { id: targets.join('') }));
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\ufffe\uffff]/u);
      written.push(text);
    }),
    { numRuns: 100 },
  );
  for (const root of parse(written)) checkCounts(root);
});

test.skipIf(!isReleaseTested)(
  'fifty thousand results are streamed in small pieces (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const input = sampleInput([{ missing: ['x'], answer: 'word '.repeat(1000) }]);
    const [result] = (await Array.fromAsync(input.results())) as [Result];
    const all = async function* () {
      for (let index = 0; index < 50_000; index += 1) {
        yield { ...result, trial: { ...result.trial, caseId: `q-${index}` } };
      }
    };
    const run = { ...input.run, dataset: { ...input.run.dataset, cases: 50_000 } };
    let [longest, tests] = [0, 0];
    for await (const piece of junit.report({ ...input, run, results: all }, sampleView())) {
      longest = Math.max(longest, piece.length);
      tests += piece.split('<testcase').length - 1;
    }
    expect(tests).toBe(50_001);
    expect(longest).toBeLessThan(10_000);
  },
);
