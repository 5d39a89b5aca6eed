import type { Message } from '../../core/schema/message.ts';
import type { Reply, Target, TargetRequest, TargetSession } from '../../evaluate/targets/target.ts';
import type { TestRunner } from './test-runner.ts';

/**
 * Questions to which the bot behind the target must react in a particular way. It answers any other question with
 * `contractAnswer`. To `silence` it gives no answer at all, however long the caller waits.
 */
export const contractScenarios = {
  silence: 'scenario: silence',
  null: 'scenario: null',
  'not-a-number': 'scenario: not-a-number',
  large: 'scenario: large',
  nul: 'scenario: nul',
  'invalid-utf8': 'scenario: invalid-utf8',
  html: 'scenario: html',
} as const;
export type ContractScenario = keyof typeof contractScenarios;

/** The answer to `scenario: large`: five million characters. */
export const largeAnswer = 'x'.repeat(5_000_000);

/** The answer to `scenario: nul`. */
export const nulAnswer = 'before\u0000after';

/** The questions that are asked besides the scenarios, for targets that must know them in advance. */
export const contractQuestions: readonly string[] = [
  ...Array.from({ length: 24 }, (_, number) => `question ${number}`),
  'Ünïcödé 🙂 日本 "quotes" \\ {{input}} $& %41 <b>',
  'two\nlines\r\nand a\ttab\u2028end',
];

/** Returns the answer that the bot behind the target gives to a question that is not a scenario. */
export function contractAnswer(question: string): string {
  return `echo: ${question}`;
}

/** A test runner with options for one target. */
export interface TargetContractOptions extends TestRunner {
  /** Scenarios that do not apply to this target, each with the reason. */
  readonly without?: Partial<Record<ContractScenario, string>>;
  /** Lists what the targets created so far have left running or open, such as process ids or sockets. */
  readonly leftovers?: () => readonly string[] | Promise<readonly string[]>;
}

/**
 * Registers the tests that every target must pass with the given runner.
 * @param createTarget - Creates a target for a bot that behaves as `contractScenarios` and `contractAnswer` describe.
 */
export function testTargetContract(
  name: string,
  createTarget: () => Target | Promise<Target>,
  { test, expect, without = {}, leftovers = () => [] }: TargetContractOptions,
): void {
  const targetTest = (
    fact: string,
    check: (target: Target) => Promise<void>,
    scenario?: ContractScenario,
  ) => {
    const reason = scenario === undefined ? undefined : without[scenario];
    test.skipIf(reason !== undefined)(`${name}: ${fact}${reason ? ` (${reason})` : ''}`, async () => {
      const target = await createTarget();
      try {
        await target.open?.();
        await check(target);
      } finally {
        await target.close?.();
      }
      await expect.poll(leftovers, { timeout: 10_000 }).toEqual([]);
    });
  };

  targetTest('an answer is exactly the text of the bot', async (target) => {
    for (const question of contractQuestions) {
      expect((await ask(target, question)).answer).toBe(contractAnswer(question));
    }
  });

  targetTest('several questions at once get their own answers', async (target) => {
    const lanes = Math.min(target.maxConcurrency ?? 8, 8);
    const left = contractQuestions.entries();
    const work = async () => {
      for (const [, question] of left) {
        expect((await ask(target, question)).answer).toBe(contractAnswer(question));
      }
    };
    await Promise.all(Array.from({ length: lanes }, work));
  });

  targetTest(
    'an aborted call ends, and the next one is answered',
    async (target) => {
      const controller = new AbortController();
      const call = target.call(requestFor(contractScenarios.silence), { signal: controller.signal });
      setTimeout(() => controller.abort(), 50);
      await expect(call).rejects.toThrow();
      expect((await ask(target, 'question 1')).answer).toBe(contractAnswer('question 1'));
    },
    'silence',
  );

  targetTest(
    'a later turn of a conversation is answered, with any messages and tool calls before it',
    async (target) => {
      const { messages } = requestFor('question 1');
      const call = { id: 'call-1', name: 'look_up', arguments: { name: 'x' }, result: [1, null] };
      const steps: Message[] = [
        { role: 'assistant', content: null, toolCalls: [call] },
        { role: 'assistant', content: contractAnswer('question 1') },
      ];
      const second = requestFor('question 2');
      const later = {
        ...second,
        messages: [...messages, ...steps, ...second.messages],
        session: sessionOf(2),
      };
      const reply = await target.call(later, { signal: new AbortController().signal });
      expect(reply.answer).toBe(contractAnswer('question 2'));
      await target.endSession?.(later.session.id);
      await target.endSession?.('a session that never was');
    },
  );

  targetTest('a call that was aborted beforehand is not made', async (target) => {
    const call = target.call(requestFor('question 1'), { signal: AbortSignal.abort() });
    await expect(call).rejects.toThrow();
  });

  targetTest('closing twice does no harm', async (target) => {
    await ask(target, 'question 1');
    await target.close?.();
  });

  targetTest('opened again after it was closed, it answers as before', async (target) => {
    for (const question of contractQuestions.slice(0, 3)) {
      expect((await ask(target, question)).answer).toBe(contractAnswer(question));
      await target.close?.();
      await target.open?.();
    }
    expect((await ask(target, 'question 4')).answer).toBe(contractAnswer('question 4'));
  });

  test(`${name}: closing a target that was never used does no harm`, async () => {
    await (await createTarget()).close?.();
  });

  const hostileTest = (
    scenario: ContractScenario,
    fact: string,
    check: (call: Promise<Reply>) => Promise<void>,
  ) =>
    targetTest(
      fact,
      async (target) => {
        await check(ask(target, contractScenarios[scenario]));
        expect((await ask(target, 'question 2')).answer).toBe(contractAnswer('question 2'));
      },
      scenario,
    );

  hostileTest('null', 'null means that there is no answer', async (call) => {
    expect((await call).answer).toBeNull();
  });
  hostileTest('large', 'five million characters arrive completely', async (call) => {
    expect((await call).answer === largeAnswer).toBe(true);
  });
  hostileTest('nul', 'a NUL character is kept', async (call) => {
    expect((await call).answer).toBe(nulAnswer);
  });
  hostileTest('not-a-number', 'NaN is refused, not recorded', async (call) => {
    await expect(call).rejects.toMatchObject({ code: expect.stringMatching(/^invalid-(answer|reply)$/) });
  });
  hostileTest('invalid-utf8', 'text that is not UTF-8 is refused, not garbled', async (call) => {
    await expect(call).rejects.toMatchObject({
      code: 'invalid-utf8',
      message: expect.stringMatching(/utf-8/i),
    });
  });
  hostileTest('html', 'a web page is refused, not recorded', async (call) => {
    await expect(call).rejects.toMatchObject({
      code: 'invalid-reply',
      message: expect.stringContaining('<html'),
    });
  });
}

/** Builds a turn of a session with an empty memory, for tests. */
export function sessionOf(turn: number, id = 'session-1'): TargetSession {
  return { id, turn, memory: {} };
}

async function ask(target: Target, question: string): Promise<Reply> {
  return await target.call(requestFor(question), { signal: new AbortController().signal });
}

function requestFor(question: string): TargetRequest {
  return {
    key: question,
    caseId: question,
    input: question,
    messages: [{ role: 'user', content: question }],
    session: sessionOf(1),
    metadata: {},
    attempt: 1,
    seed: 7,
  };
}
