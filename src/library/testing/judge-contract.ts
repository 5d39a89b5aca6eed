import type { Judge, JudgeQuestion } from '../../evaluate/judges/judge.ts';
import { judgeAnswerSchemas, judgementSchema } from '../../core/schema/judgement.ts';
import { createJudgementMemory } from './build-records.ts';
import type { TestRunner } from './test-runner.ts';

/** Material that makes the judge behind the contract fail. It gives `contractScore` to any other material. */
export const contractFault = 'scenario: fault';

/** The score that the judge behind the contract gives. */
export const contractScore = { reason: 'It says what was asked.', score: 0.75 };

/**
 * Registers the tests that every judge must pass with the given runner.
 * @param createJudge - Creates a judge that gives `contractScore`, and fails when the answer contains `contractFault`.
 * @param ballots - The number of ballots that the judge gives to a question.
 */
export function testJudgeContract(
  name: string,
  createJudge: () => Judge | Promise<Judge>,
  { test, expect, ballots = 1 }: TestRunner & { readonly ballots?: number },
): void {
  const judgeTest = (fact: string, check: (judge: Judge) => Promise<void>) =>
    test(`${name}: ${fact}`, async () => {
      const judge = await createJudge();
      try {
        await judge.open?.();
        await check(judge);
      } finally {
        await judge.close?.();
      }
    });

  judgeTest('an answer has the requested shape, and its judgements are stored', async (judge) => {
    const { context, kept } = await createJudgementMemory();
    const answer = await judge.ask(question(), context());
    expect(answer.status).toBe('answered');
    if (answer.status !== 'answered') return;
    expect(answer.ballots).toHaveLength(ballots);
    for (const ballot of answer.ballots) {
      expect(judgeAnswerSchemas.score.parse(ballot.answer)).toEqual(contractScore);
      const judgement = kept.find(({ id }) => id === ballot.judgement);
      expect(judgementSchema.parse(judgement)).toEqual(judgement);
      expect(judgement?.outcome).toEqual({ status: 'answered', answer: contractScore });
    }
  });

  judgeTest('the same question is asked once, even by many simultaneous callers', async (judge) => {
    const { context, kept } = await createJudgementMemory();
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => await judge.ask(question(), context())),
    );
    await judge.ask(question(), context());
    expect(kept).toHaveLength(ballots);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  judgeTest('opened again after it was closed, it answers as before', async (judge) => {
    const { context } = await createJudgementMemory();
    await judge.close?.();
    await judge.open?.();
    expect((await judge.ask(question(), context())).status).toBe('answered');
  });

  judgeTest('other instructions, other material or another sample make another question', async (judge) => {
    const { context, kept } = await createJudgementMemory();
    const others: Partial<JudgeQuestion<'score'>>[] = [
      {},
      { sample: 2 },
      { id: 'relevance@2' },
      { instructions: 'Judge otherwise.' },
      { material: [{ title: 'answer', text: 'Rome' }] },
      { material: [{ title: 'expected answer', text: 'Paris' }] },
    ];
    for (const other of others) await judge.ask(question(other), context());
    expect(new Set(kept.map(({ key }) => key)).size).toBe(others.length * ballots);
  });

  judgeTest('a fault is reported as a failure, not cached, and never a score', async (judge) => {
    const { context } = await createJudgementMemory();
    const faulty = question({ material: [{ title: 'answer', text: contractFault }] });
    for (let round = 0; round < 2; round += 1) {
      expect(await judge.ask(faulty, context())).toMatchObject({
        status: 'failed',
        code: expect.stringMatching(/^judge-/),
        reason: expect.stringMatching(/./),
      });
    }
    expect((await judge.ask(question(), context())).status).toBe('answered');
  });

  judgeTest('an aborted question is not answered', async (judge) => {
    const { context, kept } = await createJudgementMemory();
    await expect(judge.ask(question(), context(AbortSignal.abort()))).rejects.toThrow();
    expect(kept).toEqual([]);
    expect((await judge.ask(question(), context())).status).toBe('answered');
  });

  judgeTest(
    'calls and tokens are estimated beforehand, and grow with the number of questions',
    async (judge) => {
      const one = await judge.estimate([question()]);
      const two = await judge.estimate([question(), question({ sample: 2 })]);
      expect(one.calls).toBe(ballots);
      expect(two.calls).toBe(2 * ballots);
      expect(two.inputTokens).toBe(2 * one.inputTokens);
    },
  );

  test(`${name}: judges with the same options have the same fingerprint`, async () => {
    expect((await createJudge()).fingerprint).toBe((await createJudge()).fingerprint);
    expect((await createJudge()).concurrency).toBeGreaterThanOrEqual(1);
  });
}

function question(parts: Partial<JudgeQuestion<'score'>> = {}): JudgeQuestion<'score'> {
  const material = [{ title: 'answer', text: 'Paris' }];
  return { id: 'relevance@1', instructions: 'Judge it.', material, shape: 'score', sample: 1, ...parts };
}
