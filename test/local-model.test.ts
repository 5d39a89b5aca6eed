import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { chatModel } from '../src/evaluate/judges/chat-model.ts';
import type { Judge, JudgeNeeds } from '../src/evaluate/judges/judge.ts';
import type { ChatModel } from '../src/evaluate/models/model.ts';
import { loadPackage, nodeLlamaCpp } from '../src/evaluate/models/node-llama-cpp.ts';
import { createJudgementMemory } from '../src/library/testing/build-records.ts';

/** A GGUF file of any chat model; node-llama-cpp is searched for beside it and in the folders above. */
const file = process.env['TOUCHSTONE_TEST_GGUF'];
const folder = path.dirname(file ?? '.');

async function findReasonToSkip(): Promise<string | undefined> {
  if (file === undefined) return 'TOUCHSTONE_TEST_GGUF names no GGUF file';
  if (!existsSync(file)) return `there is no file ${file}`;
  return await loadPackage(folder).then(
    () => undefined,
    () => `node-llama-cpp is not installed in ${folder} or above`,
  );
}

const reason = await findReasonToSkip();
if (reason !== undefined) process.stderr.write(`The tests with a real local model are skipped: ${reason}.\n`);

const minutes = 60_000;

/** Opens the model, works with it and frees it, since several at once do not fit into a small machine. */
async function withModel(
  options: { readonly maxConcurrency: number; readonly maxTokens?: number },
  work: (model: ChatModel) => Promise<void>,
) {
  const { definition } = nodeLlamaCpp;
  const given = { path: file ?? '', contextSize: 4096, temperature: 0, ...options };
  const model = definition.create(definition.options.parse(given), { folder, environment: {} });
  await model.open?.();
  try {
    await work(model);
  } finally {
    await model.close?.();
  }
}

test.skipIf(reason !== undefined).each([1, 4, 8])(
  'a real local model answers ten of ten questions, %d at a time (needs TOUCHSTONE_TEST_GGUF)',
  async (maxConcurrency) => {
    await withModel({ maxConcurrency, maxTokens: 24 }, async (model) => {
      const { signal } = new AbortController();
      const replies = await Promise.all(
        Array.from({ length: 10 }, async (_, number) => {
          const content = `What is ${number} plus ${number}?`;
          return await model.generate({ messages: [{ role: 'user', content }] }, { signal });
        }),
      );
      for (const { usage, finishReason } of replies) {
        expect(usage?.inputTokens).toBeGreaterThan(5);
        expect(usage?.inputTokens).toBeLessThan(60);
        expect(usage?.outputTokens).toBeLessThanOrEqual(25);
        expect(['stop', 'length']).toContain(finishReason);
      }
    });
  },
  10 * minutes,
);

test.skipIf(reason !== undefined)(
  'a real local model gives twenty of twenty judgements in the form that is asked for (needs TOUCHSTONE_TEST_GGUF)',
  async () => {
    await withModel({ maxConcurrency: 4 }, async (model) => {
      const { definition } = chatModel;
      const needs = { environment: {}, resolveModel: () => model } as unknown as JudgeNeeds;
      const judge: Judge = definition.create(
        definition.options.parse({ model: { use: 'node-llama-cpp' } }),
        needs,
      );
      const { context, kept } = await createJudgementMemory();
      const shapes = ['score', 'verdict'] as const;
      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, number) => {
          const material = [
            { title: 'question', text: 'Which city is the capital of France?' },
            {
              title: 'answer',
              text: number % 3 === 0 ? `Berlin ${number}` : `Paris, of course (${number}).`,
            },
          ];
          const shape = shapes[number % 2] ?? 'score';
          const instructions = 'Judge how far the answer names the right city.';
          return await judge.ask({ id: 'city@1', instructions, material, shape, sample: 1 }, context());
        }),
      );
      const failed = answers.filter(({ status }) => status === 'failed');
      expect(failed).toEqual([]);
      expect(kept.flatMap(({ calls }) => calls)).toHaveLength(20);
    });
  },
  20 * minutes,
);
