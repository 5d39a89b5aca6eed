import { hashText } from '../../src/core/lib/content-hash.ts';
import type { ToolCall } from '../../src/core/schema/message.ts';
import type { Result } from '../../src/core/schema/result.ts';
import type { Run } from '../../src/core/schema/run.ts';
import { exchange } from '../../src/core/schema/trial.ts';
import type { Verdict } from '../../src/core/schema/verdict.ts';
import { createMemoryStore } from './memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { buildCase, buildRun, buildTrial } from '../../src/library/testing/build-records.ts';

/** A case for tests of tools: what it expects, and the calls of each target with what metrics found. */
export interface ToolCase {
  readonly id: string;
  readonly expected: readonly string[];
  readonly answers: Readonly<Record<string, ToolAnswer>>;
}

/** The answer of a target. */
export interface ToolAnswer {
  readonly calls: readonly (string | ToolCall)[];
  readonly passed?: boolean;
  readonly latencyMs?: number;
  readonly verdicts?: Readonly<Record<string, Verdict>>;
  readonly parts?: Partial<Result['trial']>;
}

/** Metrics of tools, and one of how faults were handled. */
const toolMetrics: Run['metrics'] = [
  {
    name: 'usage',
    use: { use: 'usage' },
    version: 1,
    fingerprint: 'u',
    family: 'tools',
    aspect: 'expected-tools',
  },
  {
    name: 'arguments',
    use: { use: 'arguments' },
    version: 1,
    fingerprint: 'a',
    family: 'tools',
    aspect: null,
  },
  { name: 'handling', use: { use: 'handling' }, version: 1, fingerprint: 'h', aspect: 'handled-fault' },
];

/** Stores a completed run of some targets over cases, one attempt each. */
export async function storeToolRun(
  cases: readonly ToolCase[],
  targets: Run['targets'],
  { store = createMemoryStore(), ...parts }: Partial<Run> & { store?: Store } = {},
): Promise<{ run: Run; store: Store; results: Result[] }> {
  const run = buildRun({
    status: 'completed',
    dataset: { sources: ['golden.jsonl'], cases: cases.length, hash: hashText(JSON.stringify(cases)) },
    targets,
    metrics: toolMetrics,
    scorecard: { name: 's', use: { use: 's' }, version: 1, criteria: [], grades: [], passMark: 0.5 },
    ...parts,
  });
  const results = cases.flatMap(({ id, expected, answers }, position): Result[] => {
    const testCase = buildCase({ id, input: `What about ${id}?`, expected: { tools: [...expected] } });
    return targets.flatMap(({ name }, place): Result[] => {
      const answer = answers[name];
      return answer === undefined
        ? []
        : [toResult(answer, { testCase, target: name, ordinal: position * targets.length + place })];
    });
  });
  const planned = cases.map(({ id }, position) => ({
    position,
    hash: hashText(id),
    place: `golden.jsonl:${position + 1}`,
    case: results.find((result) => result.case.id === id)?.case ?? buildCase({ id }),
  }));
  await store.createRun(run);
  await store.addCases(run.id, planned);
  await store.addTrials(run.id, results);
  await store.addScores(run.id, results);
  return { run, store, results };
}

function toResult(
  { calls, passed, latencyMs = 10, verdicts = {}, parts }: ToolAnswer,
  { testCase, target, ordinal }: { testCase: Result['case']; target: string; ordinal: number },
): Result {
  const toolCalls = calls.map((call) => (typeof call === 'string' ? { name: call } : call));
  const trial = buildTrial('It is.', {
    key: hashText(`${testCase.id} ${target} ${ordinal}`),
    caseId: testCase.id,
    caseHash: hashText(testCase.id),
    target,
    ordinal,
    latency: { totalMs: latencyMs },
    transcript: exchange(testCase.input, 'It is.', toolCalls),
    ...parts,
  });
  const total = passed === undefined ? null : Number(passed);
  return {
    case: testCase,
    trial,
    verdicts,
    scorecard: {
      total,
      lower: total ?? 0,
      upper: total ?? 1,
      grade: null,
      passed: passed ?? null,
      explanation: '',
    },
  };
}
