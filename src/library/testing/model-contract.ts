import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { ChatModel, ChatReply, ChatRequest } from '../../evaluate/models/model.ts';
import type { TestRunner } from './test-runner.ts';

/** A question that the model behind the contract answers at great length, or not at all. */
export const silentQuestion = 'scenario: silence';

/** Returns the answer that the model behind the contract gives to any other question. */
export function contractReply(question: string): string {
  return `echo: ${question}`;
}

/** A test runner with options for one model. */
export interface ModelContractOptions extends TestRunner {
  /** Tests that do not apply to this model, each with the reason. */
  readonly without?: Partial<Record<'silence' | 'stream', string>>;
  /** Counts what the calls made so far have left open, such as sockets. */
  readonly leftovers?: () => number;
}

/**
 * Registers the tests that every chat model must pass with the given runner.
 * @param createModel - Creates a model that behaves as `contractReply` and `silentQuestion` describe.
 */
export function testModelContract(
  name: string,
  createModel: () => ChatModel | Promise<ChatModel>,
  { test, expect, without = {}, leftovers = () => 0 }: ModelContractOptions,
): void {
  const modelTest = (fact: string, check: (model: ChatModel) => Promise<void>, reason?: string) => {
    test.skipIf(reason !== undefined)(`${name}: ${fact}${reason ? ` (${reason})` : ''}`, async () => {
      const model = await createModel();
      try {
        await model.open?.();
        await check(model);
      } finally {
        await model.close?.();
      }
    });
  };

  modelTest('a reply is the text of the model, with a record of its attempts', async (model) => {
    const reply = await ask(model, 'Ünïcödé 🙂 日本 "quotes" \\ <b>');
    expect(reply.text).toBe(contractReply('Ünïcödé 🙂 日本 "quotes" \\ <b>'));
    expect(reply.finishReason).toBe('stop');
    expect(reply.toolCalls).toEqual([]);
    expect(reply.message).toMatchObject({ role: 'assistant', content: reply.text });
    expect(reply.attempts).toHaveLength(1);
    expect(reply.attempts[0]?.error).toBeUndefined();
    expect(reply.latencyMs).toBe(reply.attempts[0]?.latencyMs);
    expect(parseJson(JSON.stringify(reply.exchange))).toEqual(reply.exchange);
  });

  modelTest('opened again after it was closed, it answers as before', async (model) => {
    expect((await ask(model, 'question 1')).text).toBe(contractReply('question 1'));
    await model.close?.();
    await model.open?.();
    expect((await ask(model, 'question 2')).text).toBe(contractReply('question 2'));
  });

  modelTest('several calls at once get their own answers', async (model) => {
    const questions = Array.from({ length: 12 }, (_, number) => `question ${number}`);
    const replies = await Promise.all(questions.map(async (question) => await ask(model, question)));
    expect(replies.map(({ text }) => text)).toEqual(questions.map(contractReply));
  });

  modelTest('a call that was aborted beforehand is not made', async (model) => {
    await expect(ask(model, 'question', {}, AbortSignal.abort())).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  modelTest(
    'an aborted call ends at once, leaves nothing open, and the next one is answered',
    async (model) => {
      const controller = new AbortController();
      const call = ask(model, silentQuestion, {}, controller.signal);
      setTimeout(() => controller.abort(), 50);
      await expect(call).rejects.toMatchObject({ code: 'cancelled' });
      await expect.poll(leftovers, { timeout: 10_000 }).toBe(0);
      expect((await ask(model, 'still there?')).text).toBe(contractReply('still there?'));
    },
    without.silence,
  );

  modelTest(
    'a streamed reply has the same text, and the time of its first token',
    async (model) => {
      const reply = await ask(model, 'one two three', { stream: true });
      expect(reply.text).toBe(contractReply('one two three'));
      expect(reply.firstTokenMs).toBeGreaterThan(0);
      expect(reply.firstTokenMs).toBeLessThanOrEqual(reply.latencyMs);
    },
    without.stream,
  );

  modelTest('the fingerprint is the same every time', async (model) => {
    expect((await createModel()).fingerprint).toBe(model.fingerprint);
  });
}

async function ask(
  model: ChatModel,
  question: string,
  parts: Partial<ChatRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ChatReply> {
  return await model.generate({ messages: [{ role: 'user', content: question }], ...parts }, { signal });
}
