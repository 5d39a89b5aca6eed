import { hashText } from '../../src/core/lib/content-hash.ts';
import type { Judgement } from '../../src/core/schema/judgement.ts';
import type { PlannedCase, Result } from '../../src/core/schema/result.ts';
import type { Trial } from '../../src/core/schema/trial.ts';
import { createMemoryStore } from './memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import {
  buildCase,
  buildFailedTrial,
  buildRun,
  buildTrial,
} from '../../src/library/testing/build-records.ts';

const runId = '20260102-030405-abcd';
const passMark = 0.6;

/** One case with the trials of its targets and attempts. */
interface BuiltCase {
  readonly planned: PlannedCase;
  readonly results: readonly Result[];
}

/**
 * Builds a store with a run of two targets and two attempts at 120 cases, judged by metrics and a judge. With `texts` it has a
 * case for each, with the text in every field that a dataset, a target or a judge fills.
 */
export async function buildCaseStore(texts?: readonly string[]): Promise<Store> {
  const store = createMemoryStore();
  const names = texts === undefined ? ['bot', 'other'] : [texts[0] ?? 'bot'];
  const count = texts?.length ?? 120;
  const cases = Array.from({ length: count }, (_, position) =>
    texts === undefined ? plainCase(position, names) : hostileCase(position, names, texts[position] ?? ''),
  );
  for (const [index, id] of ['20260101-000000-aaaa', runId].entries()) {
    const run = buildRun({
      id,
      status: 'completed',
      createdAt: `2026-01-0${index + 1}T03:04:05.678Z`,
      finishedAt: `2026-01-0${index + 1}T04:04:05.678Z`,
      ...(texts !== undefined && { description: texts.slice(0, 5).join(' ') }),
      dataset: { sources: [texts?.[2] ?? 'golden.jsonl'], cases: count, hash: '2'.repeat(32) },
      targets: names.map((name) => ({ name, use: { use: 'module' }, fingerprint: hashText(name) })),
      metrics: [
        {
          name: 'keywords',
          use: { use: 'keywords' },
          version: 1,
          fingerprint: 'k'.repeat(32),
          aspect: 'expected-terms',
        },
        {
          name: texts?.[3] ?? 'relevance',
          use: { use: 'relevance' },
          version: 1,
          fingerprint: 'r'.repeat(32),
        },
      ],
      scorecard: {
        name: 'two',
        use: { use: 'weighted' },
        version: 1,
        criteria: [
          { name: 'words', metric: 'keywords', weight: 0.5, required: false },
          {
            name: texts?.[4] ?? 'on the point',
            metric: texts?.[3] ?? 'relevance',
            weight: 0.5,
            required: true,
          },
        ],
        grades: [],
        passMark,
      },
      attempts: 2,
    });
    await store.createRun(run);
    await store.addCases(
      id,
      cases.map(({ planned }) => planned),
    );
    const results = cases.flatMap((built) => built.results);
    await store.addTrials(id, results);
    await store.addJudgements(
      id,
      results.flatMap(({ trial }) => judgementOn(trial, id, texts?.[Math.floor(trial.ordinal / 2)])),
    );
    await store.addScores(
      id,
      results.map((result) => ({ ...result, verdicts: named(result, run.metrics[1]?.name, id) })),
    );
  }
  return store;
}

/** Names the second metric, and the judgement that its verdict is based on. */
function named({ verdicts, trial }: Result, name: string | undefined, runOf: string): Result['verdicts'] {
  const { keywords, judged } = verdicts;
  if (keywords === undefined || judged === undefined) return {};
  const based =
    judged.status === 'scored' ? { ...judged, judgements: [`${runOf}-j${trial.ordinal}`] } : judged;
  return { keywords, [name ?? 'relevance']: based };
}

function plainCase(position: number, names: readonly string[]): BuiltCase {
  const testCase = buildCase({
    id: `case-${position}`,
    input: `Which tax applies to property number ${position}?`,
    category: position % 4 === 0 ? 'taxes' : 'deeds',
    tags: ['slow'],
    expected: { answer: 'The land transfer tax of 1 % applies.', keywords: ['land transfer', 'percent'] },
  });
  const answer = 'The land transfer tax of 2 % applies to it.';
  return buildTrials(position, { testCase, names, answer, text: undefined });
}

function hostileCase(position: number, names: readonly string[], text: string): BuiltCase {
  const testCase = buildCase({
    id: `${text}#${position}`,
    input: text || ' ',
    category: text,
    tags: [text],
    cluster: text,
    context: text,
    expected: {
      answer: text,
      keywords: [text],
      tools: [text],
      forbidden: [text],
      state: { [text]: text },
      documents: [text],
    },
    metadata: { [text]: text, list: [text] },
  });
  return buildTrials(position, { testCase, names, answer: text, text });
}

interface TrialParts {
  readonly testCase: PlannedCase['case'];
  readonly names: readonly string[];
  readonly answer: string;
  /** The text for every other field. */
  readonly text: string | undefined;
}

function buildTrials(position: number, { testCase, names, answer, text }: TrialParts): BuiltCase {
  const hash = hashText(JSON.stringify(testCase));
  const results = names.flatMap((target, index) =>
    [1, 2].map((attempt): Result => {
      const ordinal = (position * names.length + index) * 2 + attempt - 1;
      const place = {
        ordinal,
        target,
        attempt,
        key: hashText(`${hash} ${ordinal}`),
        caseId: testCase.id,
        caseHash: hash,
      };
      // The second attempt at every third case fails, and one answer in ten is an error.
      if (position % 10 === 9 && attempt === 2) {
        const trial = buildFailedTrial(
          text ?? 'timeout',
          text ?? 'The target did not answer within 60 s.',
          place,
        );
        return { case: testCase, trial, verdicts: {}, scorecard: null };
      }
      const total = attempt === 2 ? (position % 40) / 80 : 1 - (position % 3) / 10;
      const trial = buildTrial(answer, {
        ...place,
        latency: { totalMs: 100 + position },
        cost: position / 10_000,
        transcript: transcriptOf(testCase, answer, text),
        documents: [{ id: text ?? 'deed.pdf', text: text ?? 'A deed of property.', score: 0.5 }],
        state: { note: text ?? 'done' },
        logs: text ?? 'started\nstopped',
      });
      return { case: testCase, trial, ...scoresOf(total, text) };
    }),
  );
  return { planned: { position, hash, place: `golden.jsonl:${position + 1}`, case: testCase }, results };
}

function transcriptOf(
  { input }: PlannedCase['case'],
  answer: string,
  text: string | undefined,
): Trial['transcript'] {
  return [
    { role: 'system', content: text ?? 'Answer in one sentence.' },
    { role: 'user', content: typeof input === 'string' ? input : '' },
    {
      role: 'assistant',
      content: null,
      reasoning: text ?? 'The tax has to be looked up.',
      toolCalls: [
        {
          id: 'one',
          name: text ?? 'find_tax',
          arguments: { of: text ?? 'property' },
          result: text ?? { rate: 0.02 },
        },
        {
          id: 'two',
          name: text ?? 'find_deed',
          error: text ?? 'not found',
          fault: 'timeout',
          withheld: text ?? { deed: 1 },
        },
      ],
    },
    { role: 'assistant', content: answer },
  ];
}

function scoresOf(total: number, text: string | undefined): Pick<Result, 'verdicts' | 'scorecard'> {
  return {
    verdicts: {
      keywords: {
        status: 'scored',
        value: 0.5,
        explanation: text ?? '1 of 2 terms',
        evidence: { found: [text ?? 'land transfer'], missing: [text ?? 'percent'] },
      },
      judged: {
        status: 'scored',
        value: total,
        passed: total >= passMark,
        explanation: text ?? 'It answers the question.',
      },
    },
    scorecard: {
      total,
      lower: total,
      upper: total,
      grade: text ?? null,
      passed: total >= passMark,
      explanation: text ?? `${total}`,
    },
  };
}

function judgementOn({ ordinal, status }: Trial, run: string, text: string | undefined): Judgement[] {
  if (status !== 'completed') return [];
  const startedAt = '2026-01-02T03:04:06.000Z';
  return [
    {
      id: `${run}-j${ordinal}`,
      key: `k${ordinal}`,
      judge: { name: text ?? 'careful-judge', fingerprint: 'f'.repeat(32) },
      question: { id: 'relevance@1', shape: 'verdict', sample: 1 },
      askedIn: run,
      askedAt: startedAt,
      outcome: { status: 'answered', answer: { reason: text ?? 'It answers the question.', verdict: 'yes' } },
      calls: [
        {
          id: `${run}-c${ordinal}`,
          startedAt,
          prompt: [
            { role: 'system', content: text ?? 'You compare answers with questions.' },
            { role: 'user', content: text ?? 'Does the answer fit the question?' },
          ],
          parameters: { temperature: 0 },
          model: text ?? 'judge-model-1',
          reply: text ?? 'Raw reply of the judge: {"verdict": "yes"}',
          reasoning: text ?? 'The answer names the tax.',
          usage: { inputTokens: 200, outputTokens: 20 },
          cost: 0.0012,
          latencyMs: 850,
          attempts: [
            {
              startedAt,
              waitedMs: 0,
              latencyMs: 100,
              status: 500,
              error: { code: 'server-error', message: text ?? 'busy' },
            },
            { startedAt, waitedMs: 500, latencyMs: 850, status: 200 },
          ],
        },
      ],
    },
  ];
}
