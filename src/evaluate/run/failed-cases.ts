import { findRuleNotices } from '../../decide/analysis/compare/find-notices.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import { verdictOnCase } from '../../core/schema/expected.ts';
import type { Run } from '../../core/schema/run.ts';
import type { FailedAgain } from '../../core/schema/selection.ts';
import type { Summary, TargetSummary } from '../../core/schema/summary.ts';
import { notMeasured } from '../../core/schema/estimate.ts';
import type { Store } from '../../stores/store.ts';

/** The cases that a target did not pass: their hashes by their ids. */
export type FailedCases = ReadonlyMap<string, string>;

/**
 * Reads, for each target without a condition, the cases of a run that failed or were not measured, by the rule of the run on attempts.
 * Without a scorecard, nothing but an error fails.
 */
export async function readFailedCases(run: Run, store: Store): Promise<ReadonlyMap<string, FailedCases>> {
  const perCase = run.targets.length;
  const passed = new Uint32Array(run.dataset.cases * perCase);
  const measured = new Uint32Array(passed.length);
  for await (const trials of store.readColumns(run.id, { columns: ['result'] })) {
    for (const { ordinal, values } of trials) {
      const place = Math.floor(ordinal / run.attempts);
      const isPassed = values[0] === 'passed' || values[0] === 'unscored';
      if (isPassed) passed[place] = (passed[place] ?? 0) + 1;
      if (isPassed || values[0] === 'failed') measured[place] = (measured[place] ?? 0) + 1;
    }
  }
  const plain = new Set(withoutConditions(run.targets).map(({ name }) => name));
  const failed = new Map([...plain].map((name) => [name, new Map<string, string>()]));
  const targetsAt = (position: number) =>
    run.targets.flatMap(({ name }, index) => {
      const place = position * perCase + index;
      const counts = { passed: passed[place] ?? 0, measured: measured[place] ?? 0 };
      return plain.has(name) && !passes(run, counts) ? [name] : [];
    });
  const positions = Array.from({ length: run.dataset.cases }, (_, position) => position);
  const wanted = positions.filter((position) => targetsAt(position).length > 0);
  for await (const { position, hash, case: testCase } of store.readCases(run.id, wanted)) {
    for (const target of targetsAt(position)) failed.get(target)?.set(testCase.id, hash);
  }
  return failed;
}

function passes(
  { attempts, caseRule }: Run,
  counts: { readonly passed: number; readonly measured: number },
): boolean {
  if (caseRule === undefined || attempts < caseRule.passes) return counts.passed === attempts;
  return verdictOnCase(caseRule, { planned: attempts, ...counts }) === 'passed';
}

/**
 * Returns the numbers of a run that asks again what failed in an earlier one: how many of these cases pass now. Everything else would
 * be read as a measure of the whole set, of which these cases are the worst: means, rates and comparisons are not measured.
 */
export async function countFailedAgain(summary: Summary, run: Run, store: Store): Promise<Summary> {
  const { failedOf } = run;
  if (failedOf === undefined) return summary;
  const earlier = await store.readRun(failedOf);
  const before = earlier && (await readFailedCases(earlier, store));
  const now = await readFailedCases(run, store);
  const asked = new Map<string, string>();
  for await (const { hash, case: testCase } of store.readCases(run.id)) asked.set(testCase.id, hash);
  const { judged: _rates, correlations: _ranks, robustness: _pairs, attacks: _attacks, ...rest } = summary;
  return {
    ...rest,
    comparisons: [],
    failedAgain: { run: failedOf, changes: earlier ? changesSince(earlier, run, { before, asked }) : [] },
    targets: summary.targets.map((target) => ({
      ...withoutMeans(target, failedOf),
      failedAgain: tally(before?.get(target.target), { asked, now: now.get(target.target) }),
    })),
  };
}

function tally(
  before: FailedCases | undefined,
  { asked, now }: { readonly asked: FailedCases; readonly now: FailedCases | undefined },
): FailedAgain | undefined {
  if (before === undefined || now === undefined) return undefined;
  const again = [...before.keys()].filter((id) => asked.has(id));
  return { failed: before.size, asked: again.length, pass: again.filter((id) => !now.has(id)).length };
}

/** Says what else is another since the earlier run, so that the target alone is not credited with it. */
function changesSince(
  earlier: Run,
  run: Run,
  {
    before,
    asked,
  }: { readonly before: ReadonlyMap<string, FailedCases> | undefined; readonly asked: FailedCases },
): string[] {
  const hashes = new Map([...(before?.values() ?? [])].flatMap((cases) => [...cases]));
  const edited = [...asked].filter(([id, hash]) => (hashes.get(id) ?? hash) !== hash).length;
  const settings = withoutConditions(run.targets).flatMap(({ name, fingerprint }) => {
    const same = earlier.targets.find((target) => target.name === name);
    if (same === undefined) return [`${name} was not asked before`];
    return same.fingerprint === fingerprint ? [] : [`${name} has other settings`];
  });
  return [
    ...settings,
    ...(edited === 0 ? [] : [`${edited} of the questions ${edited === 1 ? 'was' : 'were'} edited`]),
    ...(earlier.attempts === run.attempts
      ? []
      : [`${run.attempts} attempts in place of ${earlier.attempts}`]),
    ...findRuleNotices(earlier, run).map(({ name = '', message }) => `${name} ${message}`.trim()),
  ];
}

function withoutMeans(target: TargetSummary, earlier: string): TargetSummary {
  const none = notMeasured(`only what failed in run ${earlier} was asked again`);
  const {
    weighted: _weighted,
    reliability: _repeats,
    noise: _noise,
    outcomes: _outcomes,
    criteria: _criteria,
    ...rest
  } = target;
  return {
    ...rest,
    score: none,
    passRate: none,
    errorRate: none,
    worstCase: null,
    bestCase: null,
    metrics: target.metrics.map((metric) => ({ ...metric, estimate: none })),
    categories: [],
  };
}
