import { findRun } from '../../look/queries/runs.ts';
import { runState } from '../../look/report/rows/run-row.ts';
import { countMeasured, type ValueCount } from '../../look/report/tools/distributions.ts';
import {
  type CountedTarget,
  toolTraits,
  viewConversations,
  viewFaults,
  viewToolTarget,
} from '../../look/report/tools/view-tools.ts';
import { getOrCreate } from '../../core/lib/objects.ts';
import { isEnded } from '../../evaluate/run/prepare/is-ended.ts';
import { storableText } from '../../core/lib/text/storable-text.ts';
import type { ToolsPreparation, ToolsView, ToolTarget } from '../../core/schema/api/tools-view.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import type { Run, RunTarget } from '../../core/schema/run.ts';
import { summarySchema } from '../../core/schema/summary.ts';
import type { CountedBy, Store, TraitCount } from '../../stores/store.ts';
import { keepAnswers } from '../keep-answers.ts';
import type { AddRoute } from '../route.ts';

/** The most answers that are cached, and the milliseconds after which a page is to ask again. */
const most = { kept: 5, answerMs: 5000 };

/**
 * Adds `GET /api/runs/:run/tools`: how the targets of a run used their tools, counted over all of its results. The last
 * answers about completed runs are cached, because reading a large run takes seconds. The first reading of a run that an earlier version
 * stored can take minutes, and goes on while the answer is that it is being prepared.
 */
export const addTools: AddRoute = (app, { openStore }) => {
  const keep = keepAnswers<ToolsView>(most.kept);
  app.get('/api/runs/:run/tools', async ({ req, json }) => {
    const store = await openStore();
    const run = await findRun(store, req.param('run'));
    const find = async () => await viewTools(run, store);
    const key = JSON.stringify([store.address, run.id, run.finishedAt]);
    const view = await within(most.answerMs, run.status === 'completed' ? keep(key, find) : find());
    return view === undefined ? json(isBeingPrepared, 202) : json(view);
  });
};

const isBeingPrepared: ToolsPreparation = { isBeingPrepared: true };

/** Returns an answer if it comes in time. */
async function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function viewTools(run: Run, store: Store): Promise<ToolsView> {
  const traits = await store.countTraits(run.id, { fields: toolTraits });
  const traitsOf = (target: RunTarget) => traits.filter((trait) => run.targets[trait.target] === target);
  const trials = await countTrials(run, store);
  const latency = await countLatency(run, store);
  const reasonAt = await readReasons(run, store, traits);
  const faults = run.targets.flatMap((target) => viewFaults(target, traitsOf(target)));
  const summary = summarySchema.safeParse(run.summary).data;
  return {
    run: run.id,
    state: runState(run, await isEnded(run, store)),
    attempts: run.attempts,
    hasScorecard: run.scorecard !== null,
    targets: withoutConditions(run.targets).map((target): ToolTarget => {
      const { name } = target;
      const reliability = summary?.targets.find((each) => each.target === name)?.reliability;
      return {
        target: name,
        ...viewToolTarget({
          ...(trials.get(storableText(name)) ?? nothing),
          traits: traitsOf(target),
        }),
        latency: countMeasured(latency.get(storableText(name)) ?? []),
        faults: faults.filter(({ condition }) => condition.of === name),
        conversations: viewConversations(traitsOf(target), reasonAt),
        ...(reliability !== undefined && { reliability }),
      };
    }),
  };
}

/** The trials of a target, counted. */
type Counted = Pick<CountedTarget, 'trials' | 'judged'>;

const nothing: Counted = { trials: [], judged: { measured: 0, passed: 0 } };

/** Counts the trials of each target by their status and steps, and its answers with a verdict: in one question, which a store keeps. */
async function countTrials(run: Run, store: Store): Promise<Map<string, Counted>> {
  const counted = new Map<string, Counted>();
  const by = ['target', 'status', 'steps', 'result'];
  for (const { values, trials } of await store.countTrials(run.id, { by })) {
    const [target, status, steps, result] = values;
    const { trials: others, judged } = counted.get(String(target)) ?? nothing;
    const known = steps === null || steps === undefined ? null : Number(steps);
    const passed = result === 'passed' ? trials : 0;
    const measured = result === 'failed' ? trials : passed;
    counted.set(String(target), {
      trials: [...others, { status: String(status), steps: known, trials }],
      judged: { measured: judged.measured + measured, passed: judged.passed + passed },
    });
  }
  return counted;
}

/** Counts the times of the answers of each target. */
async function countLatency(run: Run, store: Store): Promise<Map<string, ValueCount[]>> {
  const counted = new Map<string, ValueCount[]>();
  const by: CountedBy[] = ['target', 'status', { field: 'latencyMs', digits: 3 }];
  for (const { values, trials } of await store.countTrials(run.id, { by })) {
    const [target, status, latencyMs = null] = values;
    if (status === 'completed' && latencyMs !== null)
      getOrCreate(counted, String(target), () => []).push([Number(latencyMs), trials]);
  }
  return counted;
}

/** Reads why the first trial of each kind of invalid ones is invalid. */
async function readReasons(
  run: Run,
  store: Store,
  traits: readonly TraitCount[],
): Promise<(ordinal: number) => string> {
  const first = traits.flatMap((trait) => (trait.field === 'invalid' ? [trait.first] : []));
  const reasons = new Map<number, string>();
  if (first.length > 0)
    for await (const { trial } of store.readResults(
      run.id,
      first.toSorted((one, other) => one - other),
    ))
      reasons.set(trial.ordinal, trial.spoilt?.reason ?? '');
  return (ordinal) => reasons.get(ordinal) ?? '';
}
