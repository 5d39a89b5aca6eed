import { expect, test } from 'vitest';
import type { CaseDraft } from '../../datasets/dataset.ts';
import { createLocalExecutor } from '../../executors/local.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../../test/support/build-evaluation.ts';
import { run } from '../run.ts';
import { neverStopped } from '../run-needs.ts';
import { readRuns } from '../../../stores/store.ts';

const drafts = Array.from({ length: 500 }, (_, index) => ({ id: `q${index}`, input: `question ${index}` }));

for (const isResumed of [false, true]) {
  for (const isSilent of [true, false]) {
    const subject = isResumed ? 'a run that is continued' : 'a run';
    test(`${subject}, stopped while its dataset ${isSilent ? 'says nothing' : 'is read'}, calls nothing and leaves no new run`, async () => {
      const stop = new AbortController();
      const bot = buildTarget(() => 'yes');
      const evaluation = buildEvaluation(drafts, [resolvedTarget('bot', bot)]);
      const store = createMemoryStore();
      const needs = { store, executor: createLocalExecutor(), observer: {}, signals: neverStopped };
      const earlier = isResumed ? await run(evaluation, needs) : undefined;
      const calls = bot.calls.length;
      const silence = Promise.withResolvers<void>();
      let read = 0;
      async function* drafted(): AsyncGenerator<CaseDraft> {
        for await (const draft of evaluation.dataset.drafts()) {
          read += 1;
          yield draft;
        }
        setImmediate(() => stop.abort());
        await silence.promise;
      }
      if (!isSilent) stop.abort();
      const signals = { ...neverStopped, stop: stop.signal };
      const dataset = { ...evaluation.dataset, drafts: drafted };
      const stopped = run({ ...evaluation, dataset }, { ...needs, signals }, earlier);
      await expect(stopped).rejects.toMatchObject({ code: 'run-stopped' });
      silence.resolve();
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(bot.calls).toHaveLength(calls);
      expect(read === drafts.length).toBe(isSilent);
      expect(await Array.fromAsync(readRuns(store))).toEqual(earlier === undefined ? [] : [earlier]);
    });
  }
}
