import { expect, test } from 'vitest';
import { exportedRun, exportWith } from '../../../test/support/exported-run.ts';
import { importFiles, linesOf } from '../../../test/support/import-files.ts';
import type { Result } from '../../core/schema/result.ts';
import { passedBy, type Verdict } from '../../core/schema/verdict.ts';
import { inspect } from './inspect/inspect.ts';
import { inspectJson } from './inspect/inspect-json.ts';
import { otel } from './otel.ts';
import { promptfoo } from './promptfoo/promptfoo.ts';

interface Row {
  readonly caseId: string;
  readonly attempt: number;
  readonly recordedTarget: string;
  readonly answer?: string;
  readonly error?: string;
  readonly latencyMs?: number;
  readonly transcript: readonly { readonly toolCalls?: readonly { readonly name: string }[] }[];
  readonly verdicts?: Readonly<Record<string, Verdict>>;
}

/** The number and the pass of a verdict; null for what was not measured. */
function numberOf(verdict: Verdict | undefined): [number, boolean | null] | null {
  return verdict?.status === 'scored' ? [verdict.value, passedBy(verdict)] : null;
}

/** Returns what both sides of a round trip have in common, by the place of the trial. */
function describe(row: Pick<Row, 'caseId' | 'attempt' | 'recordedTarget' | 'answer'>, said: object) {
  const { caseId, attempt, recordedTarget, answer = null } = row;
  return [`${caseId} · ${recordedTarget} · ${attempt}`, { answer, ...said }] as const;
}

const metrics = ['tool-usage', 'keywords', 'error-handling'];

function expected({ trial, verdicts, scorecard }: Result) {
  const { caseId, attempt, target, answer, transcript } = trial;
  const isAnswered = answer !== null;
  const total = scorecard?.total ?? null;
  return describe(
    { caseId, attempt, recordedTarget: target, ...(isAnswered && { answer }) },
    {
      calls: transcript.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name)),
      total: isAnswered && total !== null ? [total, scorecard?.passed] : null,
      verdicts: metrics.map((name) => (isAnswered ? numberOf(verdicts[name]) : null)),
    },
  );
}

function found(row: Row, total: string) {
  return describe(row, {
    calls: row.transcript.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name)),
    total: numberOf(row.verdicts?.[total]),
    verdicts: metrics.map((name) => numberOf(row.verdicts?.[name])),
  });
}

test.each([
  [promptfoo, 'promptfoo'],
  [inspect, 'total'],
  [inspectJson, 'total'],
  [otel, 'three-component'],
])(
  'what $name is given comes back with the same answers, calls, numbers and errors',
  async (exporter, total) => {
    const input = exportedRun();
    const { files } = await exportWith(exporter, input);
    const rows: Row[] = [];
    for (const [name, content] of Object.entries(files))
      rows.push(...linesOf<Row>(await importFiles({ [name]: content }), 'answers.jsonl'));
    const results = await Array.fromAsync(input.results());
    const made = results.filter(({ trial }) => trial.status !== 'cancelled');
    expect(new Map(rows.map((row) => found(row, total)))).toEqual(new Map(made.map(expected)));
    expect(rows.filter(({ error }) => error !== undefined)).toMatchObject([
      { caseId: 'case 3', error: 'timeout: No answer within 60 s.' },
    ]);
  },
);

test('the logs of the targets of a run are different ones to Inspect, and come back as one run', async () => {
  const { files } = await exportWith(inspectJson, exportedRun());
  const heads = Object.values(files).map((content) => {
    const { eval: described } = JSON.parse(Buffer.from(content).toString()) as {
      eval: { eval_id: string; task_id: string };
    };
    return [described.eval_id, described.task_id];
  });
  expect(new Set(heads.map(String)).size).toBe(2);
  const project = await importFiles(files);
  expect(project.record.found).toContain('2 Inspect logs');
  expect(project.record.counts).toEqual({ cases: 3, answers: 11 });
});

test('what was not measured is no score of promptfoo: an error, and a fault of the grader', async () => {
  const { files, ledger } = await exportWith(promptfoo, exportedRun());
  const [text] = Object.values(files);
  const { results } = JSON.parse(Buffer.from(text ?? []).toString()) as {
    results: { results: Record<string, unknown>[]; stats: object; prompts: { metrics: object }[] };
  };
  expect(results.results[2]).toMatchObject({
    success: false,
    failureReason: 2,
    gradingResult: {
      componentResults: [{}, { pass: false, score: 0, metadata: { graderError: true } }, {}, {}],
    },
  });
  expect(results.results[2]?.['namedScores']).not.toHaveProperty('keywords');
  expect(results.stats).toMatchObject({ errors: 2 });
  expect(ledger.map(({ part, fate, count }) => [part, fate, count])).toEqual(
    expect.arrayContaining([
      ['attempt that was not made', 'left-out', 1],
      ['verdict that does not apply', 'left-out', 1],
      ['verdict that was not measured', 'approximated', 1],
    ]),
  );
});

test('a score that was not measured is left out of a log of Inspect, and counted as unscored', async () => {
  const { files } = await exportWith(inspectJson, exportedRun());
  expect(Object.keys(files)).toEqual([
    '2026-02-11T09-30-00Z_r-2026-02-11-a1.1-bot.json',
    '2026-02-11T09-30-00Z_r-2026-02-11-a1.2-other_bot~31cc4525.json',
  ]);
  const [, second] = Object.values(files);
  const log = JSON.parse(Buffer.from(second ?? []).toString()) as {
    samples: { scores: object; events: { input: { id: string }[]; output: { choices: object[] } }[] }[];
    results: { total_samples: number; scores: { name: string; unscored_samples: number }[] };
  };
  expect(log.samples[0]?.scores).not.toHaveProperty('keywords');
  expect(log.results.total_samples).toBe(5);
  // Inspect lists a log by what comes before its samples, and takes the messages of its data frames from the events.
  expect(Object.keys(log).at(-1)).toBe('samples');
  expect(log.samples[0]?.events).toMatchObject([
    { event: 'model', input: [{ role: 'user' }], output: { choices: [{ message: { role: 'assistant' } }] } },
  ]);
  expect(log.results.scores.find(({ name }) => name === 'keywords')?.unscored_samples).toBe(1);
});
