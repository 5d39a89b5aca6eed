import { expect, test } from 'vitest';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../../test/support/build-evaluation.ts';
import { createLocalExecutor } from '../../executors/local.ts';
import type { TrialMaker } from '../../executors/executor.ts';
import type { TrialSpec } from '../../../core/schema/trial.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { run } from '../run.ts';
import { neverStopped, type RunNeeds, type TrialMakerNeeds } from '../run-needs.ts';
import { createLocalTrialMaker } from './local-trial-maker.ts';

const drafts = ['a', 'b', 'c'].map((id) => ({
  id,
  input: `question ${id}`,
  expected: { keywords: ['yes'] },
}));
const answer = ({ caseId }: { readonly caseId: string }) => (caseId === 'b' ? 'no' : 'yes');
const needs = (): RunNeeds => ({
  store: createMemoryStore(),
  executor: createLocalExecutor(),
  observer: {},
  signals: neverStopped,
});

/** Returns the numbers of a run that do not depend on the clock. */
async function outcomesOf(made: RunNeeds, runId: string): Promise<unknown[]> {
  const results = await Array.fromAsync(made.store.readResults(runId));
  return results.map(({ trial, scorecard }) => [trial.key, trial.answer, scorecard?.total]);
}

test('a run whose trials are made elsewhere, from JSON alone, has the same results', async () => {
  const here = needs();
  const plain = await run(buildEvaluation(drafts, [resolvedTarget('bot', buildTarget(answer))]), here);

  const unused = buildTarget(() => 'asked in the wrong place');
  const distant = buildTarget(answer);
  const shipped: string[] = [];
  const createTrialMaker = (given: TrialMakerNeeds): TrialMaker => {
    const worker = createLocalTrialMaker({ ...given, targets: [resolvedTarget('bot', distant)] });
    return {
      make: async (spec) => {
        const sent = JSON.stringify(spec);
        shipped.push(sent);
        const made = await worker.make(JSON.parse(sent) as TrialSpec);
        return made === undefined ? undefined : JSON.parse(JSON.stringify(made));
      },
    };
  };
  const there = { ...needs(), createTrialMaker };
  const remote = await run(buildEvaluation(drafts, [resolvedTarget('bot', unused)]), there);

  expect(unused.calls).toEqual([]);
  expect(distant.calls).toEqual(['a', 'b', 'c']);
  expect(shipped).toHaveLength(3);
  expect(await outcomesOf(there, remote.id)).toEqual(await outcomesOf(here, plain.id));
  expect(remote.summary?.targets[0]?.score).toEqual(plain.summary?.targets[0]?.score);
});

test('a trial that was given up before its first question stays open and is made on resuming', async () => {
  const evaluation = () => buildEvaluation(drafts, [resolvedTarget('bot', buildTarget(answer))]);
  const stopped: RunNeeds = {
    ...needs(),
    createTrialMaker: (given) => {
      const worker = createLocalTrialMaker(given);
      return { make: async (spec) => (spec.case.id === 'b' ? undefined : await worker.make(spec)) };
    },
  };
  const first = await run(evaluation(), stopped);
  expect(await outcomesOf(stopped, first.id)).toHaveLength(2);
  const { createTrialMaker: _, ...local } = stopped;
  const whole = await run(evaluation(), local, first);
  expect(whole.id).toBe(first.id);
  expect(await outcomesOf(local, whole.id)).toHaveLength(3);
});
