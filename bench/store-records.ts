import type { PlannedCase, ScoredTrial } from '../src/core/schema/result.ts';
import type { Run } from '../src/core/schema/run.ts';
import type { Verdict } from '../src/core/schema/verdict.ts';

/** The words of answers: as many as a text in English has of them, in the frequencies of Zipf's law. */
const vocabulary = Array.from({ length: 5000 }, (_, rank) => {
  const random = createRandom(rank + 1);
  return Array.from({ length: 2 + Math.floor(random() * 8) }, () => letter(random())).join('');
});

/** A planned case and what became of it, with an answer of about `words` words. The same index is the same record. */
export function buildRecord(index: number, words: number): { planned: PlannedCase; scored: ScoredTrial } {
  const random = createRandom(index * 2 + 1);
  const text = (count: number) => Array.from({ length: count }, () => word(random())).join(' ');
  const hash = () => Array.from({ length: 4 }, () => hex(random())).join('');
  const keywords = [text(1), text(1), text(1), text(1)];
  const testCase = {
    id: `case-${index}`,
    input: `What is known of ${text(12)}?`,
    category: categoryAt(index),
    tags: [],
    expected: { keywords, tools: ['look_up'] },
    metadata: {},
  };
  const planned = { position: index, hash: hash(), place: `golden.jsonl:${index + 1}:1`, case: testCase };
  const answer = `It is known that ${text(words)}.`;
  const totalMs = Math.round(random() * 1e6) / 1e3;
  const toolCalls = [{ name: 'look_up', arguments: { query: testCase.input.slice(0, 24) } }];
  const trial: ScoredTrial['trial'] = {
    key: hash(),
    ordinal: index,
    caseId: testCase.id,
    caseHash: planned.hash,
    target: 'bot',
    attempt: 1,
    seed: Math.floor(random() * 2 ** 32),
    status: 'completed',
    transcript: [
      { role: 'user', content: testCase.input },
      { role: 'assistant', content: answer, toolCalls },
    ],
    answer,
    latency: { totalMs },
    retries: 0,
    startedAt: new Date(1_800_000_000_000 + index * 5).toISOString(),
  };
  return { planned, scored: { case: testCase, trial, ...scoresOf(keywords, random(), totalMs) } };
}

function scoresOf(
  keywords: readonly string[],
  chance: number,
  totalMs: number,
): Pick<ScoredTrial, 'verdicts' | 'scorecard'> {
  const found = keywords.slice(0, chance < 0.7 ? 4 : Math.floor(chance * 4));
  const missing = keywords.slice(found.length);
  const value = found.length / 4;
  const total = 0.4 + 0.4 * value + 0.2;
  const explanation = missing.length === 0 ? undefined : `missing: ${missing.join(', ')}`;
  const used = { expected: ['look_up'], missing: [], used: ['look_up'] };
  const verdicts: Record<string, Verdict> = {
    'tool-usage': {
      status: 'scored',
      value: 1,
      passed: true,
      explanation: 'every tool was used',
      evidence: used,
    },
    keywords: { status: 'scored', value, ...(explanation && { explanation }), evidence: { found, missing } },
    'error-handling': { status: 'scored', value: 1, passed: true, evidence: { error: null } },
    entities: { status: 'not-applicable', reason: 'the case expects no entities' },
    latency: { status: 'scored', value: totalMs, unit: 'ms' },
  };
  const grade = total >= 0.9 ? 'A' : 'B';
  const words = explanation ?? 'every criterion met';
  const scorecard = { total, lower: total, upper: total, grade, passed: true, explanation: words };
  return { verdicts, scorecard };
}

/** A run with this many cases, under way. */
export function buildBenchRun(cases: number): Run {
  const fingerprint = '0'.repeat(32);
  const metrics = ['tool-usage', 'keywords', 'error-handling', 'entities', 'latency'];
  return {
    id: 'bench',
    status: 'running',
    createdAt: '2026-01-02T03:04:05.678Z',
    touchstoneVersion: '0.0.0',
    dataset: { sources: ['golden.jsonl'], cases, hash: '', categories: countCategories(cases) },
    targets: [{ name: 'bot', use: { use: 'module' }, fingerprint }],
    metrics: metrics.map((name) => ({ name, use: { use: name }, version: 1, fingerprint })),
    scorecard: null,
    attempts: 1,
    seed: 0,
    settings: { concurrency: 8, timeLimitMs: 60_000, maxRetries: 2 },
    gate: { minCoverage: 1 },
  };
}

function categoryAt(index: number): string {
  return `category ${index % 5}`;
}

function countCategories(cases: number): Required<Run['dataset']>['categories'] {
  return [0, 1, 2, 3, 4].map((index) => ({
    category: categoryAt(index),
    cases: Math.ceil((cases - index) / 5),
  }));
}

function word(chance: number): string {
  // Zipf: the chance of a rank is inverse to the rank.
  return vocabulary[Math.floor(vocabulary.length ** chance) - 1] ?? '';
}

function letter(chance: number): string {
  return String.fromCodePoint(97 + Math.floor(chance * 26));
}

function hex(chance: number): string {
  return Math.floor(chance * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}

/** The generator mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
