import { z } from 'zod';
import { gate as decideByGate } from '../../../library/api/runs/gate.ts';
import { withStore } from '../../../library/api/open-store.ts';
import { findRun } from '../../../look/queries/runs.ts';
import { adviseOn } from '../../../look/report/advice.ts';
import { collectFindings, type ReportedTarget } from '../../../look/report/findings.ts';
import { headlineParts, unreadParts } from '../../../look/report/headline.ts';
import { judgeParts } from '../../../look/report/score-in-words.ts';
import { readSummary } from '../../../evaluate/run/summarize.ts';
import { hashContent } from '../../../core/lib/content-hash.ts';
import type { Decision } from '../../../core/schema/decision.ts';
import type { Estimate } from '../../../core/schema/estimate.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Summary } from '../../../core/schema/summary.ts';
import { readRuns, type Store } from '../../../stores/store.ts';
import { exitCodes } from '../../../decide/gate/exit-codes.ts';
import { OwnError } from '../errors.ts';
import type { Reply } from '../fit-reply.ts';
import { findNamed, idOf, named, nameOf, quote, sentenceOf } from '../quote.ts';
import { defineTool, runInput } from '../tool.ts';

const most = { categories: 10, advice: 4, metrics: 12, reasons: 6, targets: 6 } as const;

/** `show_run`: the result of a run. */
export const showRun = defineTool({
  name: 'show_run',
  description:
    "The result of a run: headline with interval, coverage, weakest categories, components, advice; the gate's decision with its exit code, and whether the gate differs from the gate of the run before.",
  input: z.strictObject({
    run: runInput.default('latest'),
    target: z.string().max(500).optional(),
    baseline: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe("The name of a baseline, in place of the gate's."),
  }),
  output: ['run', 'state', 'targets', 'decision', 'gateChange'],
  limit: 8000,
  call: async ({ run: name, target, baseline }, call) =>
    await withStore(await call.project.store(), async (store) => {
      const run = await findRun(store, name);
      const summary = await readSummary(run, store);
      const decision =
        baseline === undefined
          ? summary.decision
          : (await decideByGate(run.id, { store, baseline })).decision;
      return {
        run: run.id,
        state: run.status,
        failedOf: run.failedOf,
        cases: run.dataset.cases,
        targets: (await reportedOf({ ...run, summary }, store, target))
          .slice(0, most.targets)
          .map(describeTarget),
        decision: describeDecision(decision),
        gateChange: await compareGate(run, store),
      };
    }),
});

async function reportedOf(
  { summary, ...run }: Run & { readonly summary: Summary },
  store: Store,
  target: string | undefined,
): Promise<ReportedTarget[]> {
  const names = run.targets.map(({ name }) => name);
  const wanted = target === undefined ? undefined : findNamed(target, names);
  if (wanted !== undefined && !names.includes(wanted))
    throw new OwnError(
      'usage-invalid',
      `Run ${run.id} has no such target.`,
      'Leave it out, or take one that show_run lists.',
    );
  const targets = summary.targets.filter((one) => wanted === undefined || one.target === wanted);
  const results = (ordinals?: readonly number[]) => store.readResults(run.id, ordinals);
  return await collectFindings({ run, summary: { ...summary, targets }, results });
}

function describeTarget(reported: ReportedTarget): Reply {
  const { run, target } = reported;
  const { score, passRate, counts, coverage, categories, metrics } = target;
  // What a judge is said to say, and what nothing reads, hold names of others.
  const [others, unread] = [judgeParts(target), unreadParts(target, run)];
  const notes = [...others, ...unread];
  const { id, called } = named('file', target.target);
  return {
    target: id,
    called,
    headline: headlineParts(target, run)
      .filter((part) => !notes.includes(part))
      .join(' · '),
    ...(notes.length > 0 && { notes: notes.slice(0, 4).map((each) => quote('file', each, 200)) }),
    score: numbersOf(score),
    passRate: numbersOf(passRate),
    counts: {
      planned: counts.planned,
      measured: counts.measured,
      passed: counts.passed,
      failed: counts.failed,
      errors: counts.errors,
    },
    coverage,
    categories: categories
      .toSorted((a, b) => (a.score.value ?? 2) - (b.score.value ?? 2))
      .slice(0, most.categories)
      .map((one) => ({
        category: nameOf('dataset', one.category),
        score: round(one.score.value),
        n: one.score.n,
        passed: one.counts.passed,
      })),
    components: metrics.slice(0, most.metrics).map(({ metric, unit, estimate, failed }) => ({
      metric: nameOf('file', metric),
      mean: round(estimate.value),
      ...(unit !== undefined && { unit: idOf(unit) }),
      ...(failed > 0 && { notMeasured: failed }),
    })),
    advice: adviseOn(reported)
      .slice(0, most.advice)
      .map(({ title, facts, hint, ids }) => ({
        ...sentenceOf([...title, '. ', ...facts.slice(0, 2).flatMap((fact) => [...fact, ' ']), hint]),
        cases: ids.slice(0, 5).map(idOf),
      })),
  };
}

function numbersOf({ value, lower, upper, n }: Estimate): Reply {
  return { value: round(value), lower: round(lower), upper: round(upper), n };
}

function round(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(4));
}

function describeDecision({ outcome, reasons, rules = [] }: Decision): Reply {
  return {
    outcome,
    exitCode: exitCodes[outcome],
    reasons: reasons.slice(0, most.reasons).map((each) => quote('file', each, 250)),
    rules: rules.slice(0, most.reasons).map(({ name, target, category, value, threshold, n, ...rule }) => ({
      rule: nameOf('file', name),
      target: idOf(target),
      ...(category !== undefined && { category: nameOf('dataset', category) }),
      outcome: rule.outcome,
      value: round(value),
      threshold: round(threshold),
      n,
    })),
  };
}

/** Says whether the gate of a run is another than the gate of the run before: edits of a gate are edits of a file, and are not hidden. */
async function compareGate(run: Run, store: Store): Promise<Reply> {
  for await (const earlier of readRuns(store)) {
    if (earlier.createdAt >= run.createdAt || earlier.id === run.id) continue;
    const keys = new Set([...Object.keys(run.gate), ...Object.keys(earlier.gate)]) as Set<keyof Run['gate']>;
    const changed = [...keys].filter((key) => hashOf(run.gate[key]) !== hashOf(earlier.gate[key]));
    return {
      previous: earlier.id,
      differs: changed.length > 0,
      ...(changed.length > 0 && { settings: changed }),
    };
  }
  return { previous: null, differs: false };
}

function hashOf(setting: unknown): string {
  return hashContent([setting ?? null]);
}
