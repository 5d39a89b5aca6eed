import { z } from 'zod';
import { withStore } from '../../../library/api/open-store.ts';
import { readListOrder } from '../../../look/queries/place-in-list.ts';
import { findRun } from '../../../look/queries/runs.ts';
import { listTrials, type TrialListQuery } from '../../../look/queries/trials.ts';
import { equalTo } from '../../../core/lib/filter/filter.ts';
import { formatFilter } from '../../../core/lib/filter/format-filter.ts';
import { questionOf, uncategorized } from '../../../core/schema/case.ts';
import { outcomeOfTrial, type Result } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import { judgementsOf, type Verdict } from '../../../core/schema/verdict.ts';
import type { Store } from '../../../stores/store.ts';
import { type Reply, takeFitting } from '../fit-reply.ts';
import { findNamed, idOf, named, nameOf, quote, type Source } from '../quote.ts';
import { defineTool, longestReply, runInput } from '../tool.ts';

/** The verdicts of a case that are stated, the worst first. */
const mostVerdicts = 6;

/** `failed_cases`: what did not pass in a run, with what the bot said, what was expected, and why it did not pass. */
export const failedCases = defineTool({
  name: 'failed_cases',
  description:
    'The questions that did not pass in a run, in parts: question, what the bot said, what was expected, failing verdicts with reasons. Read these before changing anything.',
  input: z.strictObject({
    run: runInput.default('latest'),
    target: z.string().max(500).optional(),
    filter: z.string().max(1000).optional().describe('Such as category=tax or error=timeout.'),
    limit: z.int().min(1).max(20).default(10),
    cursor: z.string().max(2000).optional(),
    chars: z.int().min(40).max(4000).default(400).describe('The longest that each text is.'),
  }),
  output: ['run', 'total', 'cases', 'next'],
  limit: longestReply,
  call: async ({ run: name, target, filter, limit, cursor, chars }, call) =>
    await withStore(await call.project.store(), async (store) => {
      const run = await findRun(store, name);
      const where = whereOf(run, { target, filter });
      const total = (await readListOrder(store, run, { where })).length;
      const query = { where, after: cursor, limit, fold: true };
      const first = await readPart(run, store, query);
      const beside = { run: run.id, total };
      const described = first.results.map((result) => describeResult(run, result, chars));
      const cases = takeFitting(described, { limit: longestReply, beside });
      // What did not fit comes with the next part.
      const { next } =
        cases.length === described.length
          ? first
          : await listTrials(store, run, { ...query, limit: cases.length });
      return { ...beside, cases, next };
    }),
});

/** Returns the filter of what did not pass for any reason; where nothing passes or fails, of everything. */
function whereOf(
  run: Run,
  { target, filter = '' }: { readonly target?: string; readonly filter?: string },
): string {
  const name =
    target &&
    findNamed(
      target,
      run.targets.map((one) => one.name),
    );
  const unresolved = run.scorecard === null ? [] : [equalTo('result', ['failed', 'error', 'not-measured'])];
  const own = [...unresolved, ...(name === undefined ? [] : [equalTo('target', [name])])];
  return [filter, formatFilter(own)].join(' ').trim();
}

async function readPart(run: Run, store: Store, query: TrialListQuery) {
  const { rows, next } = await listTrials(store, run, query);
  const ordinals = rows.map(({ ordinal }) => ordinal).toSorted((a, b) => a - b);
  const read = new Map<number, Result>();
  for await (const result of store.readResults(run.id, ordinals)) read.set(result.trial.ordinal, result);
  return { results: rows.flatMap(({ ordinal }) => read.get(ordinal) ?? []), next };
}

/** Describes a trial shortly: texts of at most so many characters. */
function describeResult(run: Run, result: Result, chars: number): Reply {
  const { case: asked, trial, scorecard } = result;
  return {
    ...named('dataset', asked.id),
    category: nameOf('dataset', asked.category ?? uncategorized),
    ...(run.targets.length > 1 && { target: idOf(trial.target) }),
    ...(run.attempts > 1 && { attempt: trial.attempt }),
    outcome: outcomeOfTrial(run, result),
    ...(typeof scorecard?.total === 'number' && { total: Number(scorecard.total.toFixed(4)) }),
    question: quote('dataset', questionOf(asked), chars),
    said: trial.answer === null ? null : quote('bot', trial.answer, chars),
    ...(trial.error !== undefined && {
      error: { code: idOf(trial.error.code), says: quote('bot', trial.error.message, chars) },
    }),
    expected: quote('dataset', expectedText(asked.expected), chars),
    verdicts: failingVerdicts(result, chars),
  };
}

/** Returns what is expected as a text: an answer alone as it is, and else all of it as JSON. */
export function expectedText(expected: Result['case']['expected']): string {
  const { answer, ...others } = expected;
  const isOnlyAnswer = typeof answer === 'string' && Object.keys(others).length === 0;
  return isOnlyAnswer ? answer : JSON.stringify(expected);
}

function failingVerdicts({ verdicts }: Result, chars: number): Reply[] {
  return Object.entries(verdicts)
    .filter(([, verdict]) => fallsShort(verdict))
    .toSorted(([, a], [, b]) => worth(a) - worth(b))
    .slice(0, mostVerdicts)
    .map(([metric, verdict]) => describeVerdict(metric, verdict, chars));
}

function fallsShort(verdict: Verdict): boolean {
  if (verdict.status !== 'scored') return verdict.status === 'failed';
  return (
    verdict.passed === false ||
    (verdict.passed === undefined && verdict.unit === undefined && verdict.value < 1)
  );
}

function worth(verdict: Verdict): number {
  return verdict.status === 'scored' && verdict.unit === undefined ? verdict.value : 2;
}

/** Describes a verdict: its numbers, and its reason as a quote, since reasons repeat what bots and judges said. */
export function describeVerdict(metric: string, verdict: Verdict, chars: number): Reply {
  const from: Source = judgementsOf({ [metric]: verdict }).length > 0 ? 'judge' : 'dataset';
  if (verdict.status !== 'scored')
    return {
      metric: nameOf('file', metric),
      ...(verdict.status === 'failed' ? { notMeasured: idOf(verdict.code) } : { status: verdict.status }),
      reason: quote(from, verdict.reason, chars),
    };
  const { value, unit, passed, label, explanation } = verdict;
  return {
    metric: nameOf('file', metric),
    value: Number(value.toFixed(4)),
    ...(unit !== undefined && { unit: idOf(unit) }),
    passed,
    label: label && idOf(label),
    ...(explanation !== undefined && { reason: quote(from, explanation, chars) }),
  };
}
