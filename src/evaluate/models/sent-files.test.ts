import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAt, type HttpKind, serve } from '../../../test/support/model-harness.ts';
import { pictures } from '../../../test/support/pictures.ts';
import type { Attachment, Message } from '../../core/schema/message.ts';
import { aiSdk } from './ai-sdk.ts';
import type { ChatModel } from './model.ts';

const bytes = { png: pictures.png, pdf: pictures.pdf, wav: pictures.wav };
const sha256 = (of: Uint8Array) => createHash('sha256').update(of).digest('hex');
const byHash = new Map(Object.values(bytes).map((of) => [sha256(of), of]));
const base64 = (name: keyof typeof bytes) => bytes[name].toString('base64');

function file(name: keyof typeof bytes, mediaType: Attachment['mediaType'], at: number): Attachment {
  return { hash: sha256(bytes[name]), mediaType, bytes: bytes[name].length, name: `a.${name}`, at };
}

const picture = file('png', 'image/png', 7);
const bill = file('pdf', 'application/pdf', 7);
const sound = file('wav', 'audio/wav', 12);

/** `Before`, the files, `after`, and the sound at the end. */
function question(...attachments: Attachment[]): Message {
  return { role: 'user', content: 'Before\nafter', attachments };
}

async function ask(model: ChatModel, ...messages: Message[]) {
  const signal = new AbortController().signal;
  const readBlob = async (hash: string) => byHash.get(hash) ?? expect.fail(`nothing has the hash ${hash}`);
  return await model.generate({ messages }, { signal, readBlob });
}

async function sentBy(kind: HttpKind, message: Message, options: object = {}) {
  const server = await serve('fine');
  const reply = await ask(createAt(kind, server.url, options), message);
  return { body: server.requests[0]?.body as Record<string, unknown>, exchange: reply.exchange };
}

test('an OpenAI-compatible API gets the parts of chat completions', async () => {
  const { body } = await sentBy('openai-chat', question(picture, bill, sound), {
    takes: ['image', 'pdf', 'audio'],
  });
  expect(body['messages']).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Before' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${base64('png')}` } },
        {
          type: 'file',
          file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${base64('pdf')}` },
        },
        { type: 'text', text: 'after' },
        { type: 'input_audio', input_audio: { data: base64('wav'), format: 'wav' } },
      ],
    },
  ]);
});

test('the Responses API gets inputs of images and files, where the model takes them', async () => {
  const { body } = await sentBy('openai-responses', question(picture, bill), { takes: ['image', 'pdf'] });
  expect(body['input']).toEqual([
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'Before' },
        { type: 'input_image', image_url: `data:image/png;base64,${base64('png')}`, detail: 'auto' },
        {
          type: 'input_file',
          filename: 'a.pdf',
          file_data: `data:application/pdf;base64,${base64('pdf')}`,
        },
        { type: 'input_text', text: 'after' },
      ],
    },
  ]);
  const server = await serve('fine');
  const refused = ask(createAt('openai-responses', server.url), question(picture));
  await expect(refused).rejects.toMatchObject({ code: 'attachments-unsupported' });
  expect(server.requests).toHaveLength(0);
});

test('Anthropic gets blocks of images and documents', async () => {
  const { body } = await sentBy('anthropic', question(picture, bill));
  expect(body['messages']).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Before' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64('png') } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64('pdf') } },
        { type: 'text', text: 'after' },
      ],
    },
  ]);
});

test('Gemini gets inline data', async () => {
  const { body } = await sentBy('gemini', question(picture, bill, sound));
  expect(body['contents']).toEqual([
    {
      role: 'user',
      parts: [
        { text: 'Before' },
        { inlineData: { mimeType: 'image/png', data: base64('png') } },
        { inlineData: { mimeType: 'application/pdf', data: base64('pdf') } },
        { text: 'after' },
        { inlineData: { mimeType: 'audio/wav', data: base64('wav') } },
      ],
    },
  ]);
});

test('a model object of the AI SDK gets file parts', async () => {
  const prompts: unknown[] = [];
  const model = {
    specificationVersion: 'v3',
    provider: 'test.chat',
    modelId: 'test-model',
    doGenerate: async ({ prompt }: { prompt: unknown }) => {
      prompts.push(prompt);
      return { content: [{ type: 'text', text: 'fine' }], finishReason: 'stop', usage: {}, warnings: [] };
    },
    doStream: async () => expect.fail('nothing is streamed'),
  } as unknown as Parameters<typeof aiSdk>[0]['model'];
  const { use: _use, ...given } = aiSdk({ model });
  const { definition } = aiSdk;
  const created = definition.create(definition.options.parse(given), { folder: '.', environment: {} });
  await ask(created, question(picture));
  // Packages of providers pass over files of the assistant without a word.
  await expect(ask(created, ...shown)).rejects.toMatchObject({ code: 'attachments-unsupported' });
  expect(prompts).toEqual([
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Before' },
          { type: 'file', mediaType: 'image/png', data: base64('png'), filename: 'a.png' },
          { type: 'text', text: 'after' },
        ],
      },
    ],
  ]);
});

test('a message without files is sent as before', async () => {
  const { body } = await sentBy('openai-chat', { role: 'user', content: 'Hello' });
  expect(body['messages']).toEqual([{ role: 'user', content: 'Hello' }]);
});

test.each(['openai-chat', 'anthropic', 'gemini'] as const)(
  'what %s was sent is kept without the bytes of files',
  async (kind) => {
    const { exchange } = await sentBy(kind, question(picture), { takes: ['image'] });
    const shown = JSON.stringify(exchange.request);
    expect(shown).not.toContain(base64('png'));
    expect(shown).toContain(`${pictures.png.length} bytes, ${picture.hash.slice(0, 12)}`);
  },
);

test('OpenAI takes pictures and PDFs, Anthropic too, Gemini all; a server of one’s own nothing, unless it is written', () => {
  const takes = (kind: HttpKind, baseUrl: string, options: object = {}) =>
    createAt(kind, baseUrl, options).takes;
  expect(takes('openai-chat', 'https://api.openai.com/v1')).toEqual(['image', 'pdf']);
  expect(takes('anthropic', 'https://api.anthropic.com/v1')).toEqual(['image', 'pdf']);
  expect(takes('gemini', 'https://generativelanguage.googleapis.com/v1beta')).toEqual([
    'image',
    'pdf',
    'audio',
  ]);
  expect(takes('openai-chat', 'http://localhost:11434/v1')).toBeUndefined();
  expect(takes('openai-chat', 'http://localhost:11434/v1', { takes: ['image'] })).toEqual(['image']);
  expect(() => createAt('anthropic', 'http://localhost:1', { takes: ['audio'] })).toThrow(/audio|pdf/);
});

test('what a model takes is no part of its fingerprint', () => {
  const fingerprint = (options: object) =>
    createAt('openai-chat', 'http://localhost:11434/v1', options).fingerprint;
  expect(fingerprint({ takes: ['image'] })).toBe(fingerprint({}));
});

test('a file that a model does not take is never sent, and never left out', async () => {
  const server = await serve('fine');
  const failure = await ask(createAt('anthropic', server.url), question(picture, sound)).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: 'attachments-unsupported' });
  expect((failure as Error).message).toBe(
    'The model test-model takes no sounds; nothing was asked. If it does, write `takes` in the model.',
  );
  expect(server.requests).toEqual([]);
});

/** A history in which the assistant has shown a picture. */
const shown: Message[] = [
  { role: 'user', content: 'Draw a door.' },
  { role: 'assistant', content: 'Here it is.\nDo you like it?', attachments: [{ ...picture, at: 12 }] },
  { role: 'user', content: 'Make it blue.' },
];

test('a picture in what the assistant said before reaches Gemini where it stood', async () => {
  const server = await serve('fine');
  await ask(createAt('gemini', server.url), ...shown);
  const { contents } = (server.requests[0]?.body ?? {}) as { contents: unknown[] };
  expect(contents[1]).toEqual({
    role: 'model',
    parts: [
      { text: 'Here it is.' },
      { inlineData: { mimeType: 'image/png', data: base64('png') } },
      { text: 'Do you like it?' },
    ],
  });
});

test.each(['openai-chat', 'openai-responses', 'anthropic'] as const)(
  'the API of %s has no place for a picture of the assistant: the question is not asked without it',
  async (kind) => {
    const server = await serve('fine');
    const model = createAt(kind, server.url, { takes: ['image'] });
    await expect(ask(model, ...shown)).rejects.toMatchObject({
      code: 'attachments-unsupported',
      message: "The model test-model takes no pictures outside the user's messages; nothing was asked.",
    });
    expect(server.requests).toEqual([]);
  },
);

test.each(['system', 'tool'] as const)(
  'no API has a place for a picture in a message of the %s',
  async (role) => {
    const server = await serve('fine');
    const asked: Message[] = [
      { role, content: 'See.', attachments: [picture] },
      { role: 'user', content: 'So?' },
    ];
    const refused = { code: 'attachments-unsupported' };
    await expect(ask(createAt('gemini', server.url), ...asked)).rejects.toMatchObject(refused);
    expect(server.requests).toEqual([]);
  },
);
