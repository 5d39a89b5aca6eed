import { expect, test } from 'vitest';
import type { CaseDraft } from '../datasets/dataset.ts';
import { createLocalExecutor } from '../executors/local.ts';
import { createMemoryStore } from '../stores/memory.ts';
import { buildEvaluation, buildTarget, liveTarget } from '../testing/build-evaluation.ts';
import { run } from './run.ts';
import { neverStopped } from './run-needs.ts';

const drafts = Array.from({ length: 500 }, (_, index) => ({ id: `q${index}`, input: `question ${index}` }));

for (const isSilent of [true, false]) {
  test(`a run that is stopped while its dataset ${isSilent ? 'says nothing' : 'is read'} calls nothing and is not kept`, async () => {
    const stop = new AbortController();
    const bot = buildTarget(() => 'yes');
    const evaluation = buildEvaluation(drafts, [liveTarget('bot', bot)]);
    const silence = Promise.withResolvers<void>();
    async function* drafted(): AsyncGenerator<CaseDraft> {
      yield* evaluation.dataset.drafts();
      setImmediate(() => stop.abort());
      if (isSilent) await silence.promise;
      yield* [];
    }
    if (!isSilent) stop.abort();
    const store = createMemoryStore();
    const needs = {
      store,
      executor: createLocalExecutor(),
      observer: {},
      signals: { ...neverStopped, stop: stop.signal },
    };
    const dataset = { ...evaluation.dataset, drafts: drafted };
    await expect(run({ ...evaluation, dataset }, needs)).rejects.toMatchObject({ code: 'run-stopped' });
    silence.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(bot.calls).toEqual([]);
    expect(await store.listRuns()).toEqual([]);
  });
}
