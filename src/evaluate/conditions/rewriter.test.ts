import { expect, test } from 'vitest';
import type { ChatModel, ChatReply } from '../models/model.ts';
import { scripted } from '../models/scripted.ts';
import type { Rewriting } from '../../core/schema/trial.ts';
import { unbounded } from '../../../test/support/prepare-target.ts';
import { createRewriter } from './rewriter.ts';

function rewriterOf(reply: string, parts: Partial<ChatReply> = {}) {
  const { definition } = scripted;
  const model = definition.create(definition.options.parse({ otherwise: reply }), {
    folder: '.',
    environment: {},
  });
  let calls = 0;
  const counted = {
    ...model,
    generate: async (...given: Parameters<typeof model.generate>) => {
      calls += 1;
      return { ...(await model.generate(...given)), ...parts };
    },
  };
  const taken: Rewriting[] = [];
  const rewrite = createRewriter(counted).within(unbounded, (each) => taken.push(each));
  return { rewrite, taken, calls: () => calls };
}

test('the model rewrites each question once', async () => {
  const { rewrite, calls } = rewriterOf(' How much is the rent of B12? ');
  expect(await rewrite('Rewrite', 'What is the rent of B12?')).toBe('How much is the rent of B12?');
  await rewrite('Rewrite', 'What is the rent of B12?');
  expect(calls()).toBe(1);
  await rewrite('Translate', 'What is the rent of B12?');
  expect(calls()).toBe(2);
});

test('a rewriting that loses a number, a quotation or everything fails the trial', async () => {
  await expect(rewriterOf('How much is the rent?').rewrite('', 'What is the rent of B12?')).rejects.toThrow(
    'left out "B12"',
  );
  await expect(rewriterOf('Are pets fine?').rewrite('', 'What does "no pets" mean?')).rejects.toThrow(
    'left out "no pets"',
  );
  await expect(rewriterOf('  ').rewrite('', 'What?')).rejects.toThrow('wrote nothing');
});

test('punctuation after a number may change', async () => {
  expect(await rewriterOf('In 2024 how much, please').rewrite('', 'How much in 2024?')).toBe(
    'In 2024 how much, please',
  );
});

test('it is opened and closed once, however many targets use it', async () => {
  const opened: string[] = [];
  const { definition } = scripted;
  const model = {
    ...definition.create(definition.options.parse({ otherwise: 'x' }), { folder: '.', environment: {} }),
    open: async () => void opened.push('open'),
    close: async () => void opened.push('close'),
  };
  const rewriter = createRewriter(model);
  await Promise.all([rewriter.open(), rewriter.open()]);
  await Promise.all([rewriter.close(), rewriter.close()]);
  expect(opened).toEqual(['open', 'close']);
  await Promise.all([rewriter.open(), rewriter.open()]);
  await Promise.all([rewriter.close(), rewriter.close()]);
  expect(opened).toEqual(['open', 'close', 'open', 'close']);
});

/** A model that replies when the test lets it, and counts its questions. */
function createSlow() {
  const { definition } = scripted;
  const model = definition.create(definition.options.parse({ otherwise: 'Other words' }), {
    folder: '.',
    environment: {},
  });
  const asked: PromiseWithResolvers<void>[] = [];
  const slow: ChatModel = {
    ...model,
    generate: async (...given) => {
      const turn = Promise.withResolvers<void>();
      asked.push(turn);
      await turn.promise;
      return { ...(await model.generate(...given)), cost: 0.5, usage: { inputTokens: 7, outputTokens: 2 } };
    },
  };
  return { rewriter: createRewriter(slow), asked };
}

test('trials that need the same question at the same time share one rewriting, whose cost goes to one of them', async () => {
  const { rewriter, asked } = createSlow();
  const taken: Rewriting[] = [];
  const rewrite = async () => await rewriter.within(unbounded, (each) => taken.push(each))('', 'What?');
  const all = Promise.all([rewrite(), rewrite(), rewrite()]);
  asked[0]?.resolve();
  expect(await all).toEqual(['Other words', 'Other words', 'Other words']);
  expect(asked).toHaveLength(1);
  expect(taken).toEqual([
    { model: expect.any(String), cost: 0.5, usage: { inputTokens: 7, outputTokens: 2 } },
  ]);
});

test('when one call fails to get a rewriting, the next one that waits for it asks itself', async () => {
  const { rewriter, asked } = createSlow();
  const rewrite = async () => await rewriter.within(unbounded, () => {})('', 'What?');
  const all = Promise.allSettled([rewrite(), rewrite(), rewrite()]);
  asked[0]?.reject(new Error('stopped'));
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.resolve();
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(asked).toHaveLength(2);
});

test('an unusable rewriting is still counted as cost', async () => {
  const { rewrite, taken } = rewriterOf('How much is the rent?');
  await expect(rewrite('', 'What is the rent of B12?')).rejects.toThrow('left out "B12"');
  expect(taken).toHaveLength(1);
});

test('a price that cannot be stored or added up fails the trial', async () => {
  const { rewrite, taken } = rewriterOf('Other words', { cost: Number.NaN });
  await expect(rewrite('', 'What?')).rejects.toThrow('no usable cost');
  expect(taken).toEqual([]);
});
