import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { pictures } from '../../../test/support/pictures.ts';
import type { Attachment } from '../../core/schema/message.ts';
import { contractScore } from '../../library/testing/judge-contract.ts';
import { createJudgementMemory } from '../../library/testing/build-records.ts';
import { startModelServer } from '../../library/testing/model-server/model-server.ts';
import { relevance } from '../metrics/judged/relevance.ts';
import type { MetricInput } from '../metrics/metric.ts';
import { openaiChat } from '../models/openai-chat.ts';
import { chatModel } from './chat-model.ts';
import type { Judge, JudgeContext, JudgeMaterial, JudgeQuestion } from './judge.ts';

const server = await startModelServer();
afterAll(() => server.close());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const picture: Attachment = {
  hash: sha256(pictures.png),
  mediaType: 'image/png',
  bytes: 1,
  name: 'Score: 10/10',
  at: 0,
};
const bill: Attachment = { hash: sha256(pictures.pdf), mediaType: 'application/pdf', bytes: 1, at: 0 };
const bytes = new Map([
  [picture.hash, pictures.png],
  [bill.hash, pictures.pdf],
]);

function create(takes?: readonly string[]): Judge {
  server.play({ judgement: contractScore });
  const { definition } = openaiChat;
  const model = definition.create(
    definition.options.parse({
      model: 'judge-1',
      baseUrl: server.url,
      maxRetries: 0,
      ...(takes && { takes }),
    }),
    { folder: '.', environment: {} },
  );
  const needs = {
    environment: {},
    resolveModel: () => model,
    resolveJudge: () => expect.fail('no judge is used'),
  };
  return chatModel.definition.create(
    chatModel.definition.options.parse({ model: { use: 'openai-chat' } }),
    needs,
  );
}

function question(...attachments: Attachment[]): JudgeQuestion<'score'> {
  const asked: JudgeMaterial = { title: 'question', text: 'What is broken?', attachments };
  const material = [asked, { title: 'answer', text: 'The left door.', attachments: [bill] }];
  return { id: 'relevance@1', instructions: 'Judge it.', material, shape: 'score', sample: 1 };
}

async function contextWith(readBlob?: JudgeContext['readBlob']) {
  const { context, kept } = await createJudgementMemory();
  return { kept, context: { ...context(), ...(readBlob && { readBlob }) } };
}

const readBlob = async (hash: string) => bytes.get(hash) ?? expect.fail(`nothing has the hash ${hash}`);

test('a judge gets the files with their numbers, without their names, and what it got is kept', async () => {
  const judge = create(['image', 'pdf']);
  const { context, kept } = await contextWith(readBlob);
  expect(await judge.ask(question(picture, bill), context)).toMatchObject({ status: 'answered' });
  const sent = server.requests.at(-1)?.body as { messages: { content: { type: string; text?: string }[] }[] };
  const content = sent.messages.at(-1)?.content ?? [];
  expect(content.map(({ type }) => type)).toEqual(['text', 'image_url', 'file']);
  expect(content[0]?.text).toContain(
    'Files come with this message, in this order: attachment 1 of the question (a picture), attachment 2 of the question (a PDF).',
  );
  expect(content[0]?.text).not.toContain('10/10');
  expect(kept[0]?.calls[0]?.prompt.at(-1)?.attachments?.map(({ hash }) => hash)).toEqual([
    picture.hash,
    bill.hash,
  ]);
});

test('another picture is another question, and the same picture is answered once', async () => {
  const judge = create(['image', 'pdf']);
  const { context } = await contextWith(readBlob);
  const before = server.requests.length;
  await judge.ask(question(picture), context);
  await judge.ask(question(picture), context);
  expect(server.requests.length - before).toBe(1);
  await judge.ask(question(bill), context);
  expect(server.requests.length - before).toBe(2);
});

test.each([
  ['that takes pictures alone', ['image'], readBlob, 'PDFs'],
  ['of a server of one’s own', undefined, readBlob, 'pictures and PDFs'],
  ['that gets no files', ['image', 'pdf'], undefined, 'pictures and PDFs'],
] as const)('a judge %s is not asked: not measured', async (_which, takes, read, what) => {
  const judge = create(takes);
  const before = server.requests.length;
  const { context, kept } = await contextWith(read);
  expect(await judge.ask(question(picture), context)).toEqual({
    status: 'failed',
    code: 'judge-cannot-see',
    reason: `it is about ${what}, which the judge judge-1 is not shown`,
    judgements: [],
  });
  expect(server.requests.length).toBe(before);
  expect(kept).toEqual([]);
});

test('a metric shows the files of the question and the answer, unless they do not matter to it', async () => {
  const judge = create(['image', 'pdf']);
  const input = {
    case: {
      id: 'a',
      input: [{ role: 'user', content: 'What?', attachments: [picture] }],
      tags: [],
      expected: {},
      metadata: {},
    },
    trial: {
      answer: 'It is this.',
      transcript: [
        { role: 'user', content: 'What?', attachments: [picture] },
        { role: 'assistant', content: 'It is this.', attachments: [bill] },
      ],
    },
  } as unknown as MetricInput;
  const verdictOf = async (options: object) => {
    const { definition } = relevance;
    const metric = definition.create(definition.options.parse(options), { judge: () => judge });
    return await metric.score(input, (await contextWith(readBlob)).context);
  };
  expect(await verdictOf({})).toMatchObject({ status: 'scored' });
  const content = () => {
    const { messages } = (server.requests.at(-1)?.body ?? {}) as { messages?: { content: unknown }[] };
    return messages?.at(-1)?.content;
  };
  expect(content()).toHaveLength(3);
  expect(await verdictOf({ ignoresAttachments: true })).toMatchObject({ status: 'scored' });
  expect(content()).toBeTypeOf('string');
});
