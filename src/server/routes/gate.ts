import { findBaseline } from '../../decide/gate/baselines.ts';
import { decideThreshold } from '../../decide/gate/decide.ts';
import { incompleteStates, runState } from '../../look/report/rows/run-row.ts';
import { headOfDecision } from '../../core/schema/api/to-run-head.ts';
import { isEnded } from '../../evaluate/run/prepare/is-ended.ts';
import { readSummary } from '../../evaluate/run/summarize.ts';
import type { GateView } from '../../core/schema/api/gate-view.ts';
import { gatedTargets } from '../../decide/gate/gated-targets.ts';
import type { RuleDecision } from '../../core/schema/decision.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Summary } from '../../core/schema/summary.ts';
import type { Store } from '../../stores/store.ts';
import { type AddRoute, openRun } from '../route.ts';

/** Adds `GET /api/runs/:run/gate`: the decision of a run's gate with its rules and its baseline. */
export const addGate: AddRoute = (app, { openStore, storeFolder }) => {
  app.get('/api/runs/:run/gate', async ({ req, json }) => {
    const { store, run } = await openRun(openStore, req);
    return json({ ...(await viewGate(run, store)), storeFolder });
  });
};

async function viewGate(run: Run, store: Store): Promise<GateView> {
  const state = runState(run, await isEnded(run, store));
  const isActive = incompleteStates.has(state);
  const summary = isActive ? null : await readSummary(run, store);
  return {
    run: run.id,
    state,
    gate: run.gate,
    targets: gatedTargets(run).map(({ name }) => name),
    decision: summary?.decision ?? null,
    isGated: summary !== null && headOfDecision(run, summary).isGated,
    thresholds: summary === null ? [] : thresholdsOf(run, summary),
    units: summary === null ? {} : unitsOf(run, summary),
    baseline: run.gate.baseline === undefined ? null : await viewBaseline(run, store),
  };
}

/**
 * Returns the threshold for each target. A gate that exempts cases, or that ended its run early, decided on a part of the
 * numbers that the summary has: only its reasons say whether the threshold was met.
 */
function thresholdsOf(run: Run, { targets, decision }: Summary): RuleDecision[] {
  const corrected = new Map(decision.threshold?.map((each) => [each.target, each]));
  const isNarrowed = decision.exempt?.some(({ status }) => status !== 'expired') === true;
  if (isNarrowed || decision.sequential?.isDecided === true) return [];
  const names = new Set(gatedTargets(run).map(({ name }) => name));
  const against = decision.uncertified?.find(
    ({ isRequired, rules }) => isRequired && rules.includes('failUnder'),
  );
  return targets
    .filter(({ target }) => names.has(target))
    .flatMap((target): RuleDecision[] => {
      const decided = corrected.get(target.target) ?? decideThreshold(target, run.gate);
      if (decided === undefined) return [];
      if (against === undefined) return [decided];
      return [{ ...decided, outcome: 'not-measured', reason: against.message }];
    });
}

function unitsOf({ scorecard }: Run, { targets }: Summary): Record<string, string> {
  const ofMetrics = targets.flatMap(({ metrics }) =>
    metrics.flatMap(({ metric, unit }): [string, string][] => (unit === undefined ? [] : [[metric, unit]])),
  );
  const units = new Map(ofMetrics);
  const ofCriteria = (scorecard?.criteria ?? []).flatMap(({ name, metric }): [string, string][] => {
    const unit = units.get(metric);
    return unit === undefined ? [] : [[name, unit]];
  });
  return Object.fromEntries([...ofCriteria, ...units]);
}

async function viewBaseline(run: Run, store: Store): Promise<GateView['baseline']> {
  const found = await findBaseline(run.gate, store);
  if ('reason' in found) return found;
  const { name, run: of } = found.baseline;
  const isKept = (await store.readRun(of.id)) !== undefined;
  return { name, run: { id: of.id, createdAt: of.createdAt }, isKept };
}
