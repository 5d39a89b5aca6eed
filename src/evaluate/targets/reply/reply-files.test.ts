import { expect, test } from 'vitest';
import { pictures } from '../../../../test/support/pictures.ts';
import { hashBytes } from '../../../core/lib/content-hash.ts';
import { readReply } from '../read-reply.ts';

const data = pictures.png.toString('base64');
const url = `data:image/png;base64,${data}`;
const png = { hash: hashBytes(pictures.png), mediaType: 'image/png', bytes: pictures.png.length };
const text = 'Here is the dent.';
const image = { type: 'image_url', image_url: { url } };

test.each<[string, unknown]>([
  ['OpenAI, parts', { choices: [{ message: { content: [{ type: 'text', text }, image] } }] }],
  ['OpenRouter, beside the text', { choices: [{ message: { content: text, images: [image] } }] }],
  [
    'OpenAI responses, an output image',
    {
      object: 'response',
      output: [
        {
          type: 'message',
          content: [
            { type: 'output_text', text },
            { type: 'input_image', image_url: url },
          ],
        },
      ],
    },
  ],
  [
    'Anthropic',
    {
      content: [
        { type: 'text', text },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
      ],
    },
  ],
  [
    'Gemini',
    { candidates: [{ content: { parts: [{ text }, { inlineData: { mimeType: 'image/png', data } }] } }] },
  ],
  [
    'the AI SDK, parts of a message',
    {
      role: 'assistant',
      parts: [
        { type: 'text', text },
        { type: 'file', mediaType: 'image/png', url },
      ],
    },
  ],
  ['the AI SDK, files of a result', { text, files: [{ base64: data, mediaType: 'image/png' }], steps: [] }],
  ['a reply object, data URL', { answer: text, attachments: [url] }],
  ['a reply object, base64', { answer: text, attachments: [{ mediaType: 'image/png', data }] }],
  ['a reply object, bytes of a program', { answer: text, attachments: [{ data: pictures.png }] }],
  ['a reply object, bytes alone', { answer: text, attachments: [new Uint8Array(pictures.png)] }],
])('a picture of an answer is read: %s', (_form, reply) => {
  const { answer, attachments, unkept, unread } = readReply(reply);
  expect(answer).toBe(text);
  expect(attachments).toEqual([{ ...png, base64: data, at: text.length }]);
  expect(unkept).toBeUndefined();
  expect(unread?.map(({ key }) => key) ?? []).not.toContain('files');
});

test('a picture that a tool of the provider made belongs to the answer, before its text', () => {
  const output = [
    { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: data },
    { type: 'message', content: [{ type: 'output_text', text }] },
  ];
  const { answer, attachments, toolCalls } = readReply({ object: 'response', output });
  expect(answer).toBe(text);
  expect(attachments).toEqual([{ ...png, base64: data, at: 0 }]);
  expect(toolCalls).toMatchObject([{ name: 'image_generation' }]);
});

test('a picture stands where it stood between texts', () => {
  const content = [{ type: 'text', text: 'Before:' }, image, { type: 'text', text: 'and behind.' }];
  const { answer, attachments } = readReply({ messages: [{ role: 'assistant', content }] });
  expect(answer).toBe('Before:\nand behind.');
  expect(attachments).toBeUndefined();
  const { transcript } = readReply({ messages: [{ role: 'assistant', content }] });
  expect(transcript?.[0]?.attachments).toEqual([{ ...png, base64: data, at: 8 }]);
});

test('an answer that is nothing but pictures has their mark for a text, so that it is never silence', () => {
  expect(readReply({ choices: [{ message: { content: [image] } }] })).toMatchObject({
    answer: '[image_url]',
    attachments: [png],
  });
  expect(readReply({ attachments: [url] })).toMatchObject({ answer: '[image]', attachments: [png] });
  expect(readReply({ answer: null, attachments: [url] })).toMatchObject({ answer: '[image]' });
  const output = [{ type: 'image_generation_call', id: 'ig_1', result: data }];
  expect(readReply({ object: 'response', output })).toMatchObject({ answer: '[image]' });
  expect(readReply({ messages: output }).answer).toBe('[image]');
});

test.each<[string, unknown, string]>([
  [
    'an address',
    { image_url: { url: 'https://example.org/a.png' } },
    'is at an address, which is not fetched',
  ],
  ['a path', { image_url: { url: '/etc/dent.png' } }, 'is named by a path, which is not opened'],
  ['no base64', { image_url: { url: 'data:image/png;base64,%%%' } }, 'is not valid base64'],
  [
    'an SVG that calls itself a PNG',
    { image_url: { url: `data:image/png;base64,${pictures.svg.toString('base64')}` } },
    'is an SVG, which is a program more than a picture',
  ],
  [
    'a picture of 21 MiB',
    { image_url: { url: `data:image/png;base64,${'A'.repeat(28 * 1024 * 1024)}` } },
    'is larger than 20 MiB',
  ],
  ['a file at a provider', { image_url: { file_id: 'file-7' } }, 'is the id of a file at a provider, file-7'],
])('%s leaves its mark in the answer and a reason, and the answer stays', (_what, part, reason) => {
  const content = [
    { type: 'text', text },
    { type: 'image_url', ...(part as object) },
  ];
  const reply = readReply({ choices: [{ message: { content } }] });
  expect(reply.answer).toBe(`${text}[image_url]`);
  expect(reply.attachments).toBeUndefined();
  expect(reply.unkept).toEqual([reason]);
});

test('lists beside an answer that hold no files stay what they were', () => {
  const reply = { answer: text, images: ['https://example.org/a.png'], files: [7] };
  expect(readReply(reply)).toMatchObject({ answer: text, unread: [{ key: 'images' }, { key: 'files' }] });
  const cards = { answer: text, attachments: [{ title: 'A card', text: 'of a chat window' }] };
  expect(readReply(cards)).toMatchObject({ answer: text, unread: [{ key: 'attachments' }] });
});

test('a result of a tool keeps the mark of its picture', () => {
  const messages = [
    { role: 'user', content: 'Look' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', function: { name: 'look', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'seen' }, image] },
    { role: 'assistant', content: text },
  ];
  const { transcript } = readReply({ messages });
  expect(transcript?.some(({ attachments }) => attachments !== undefined)).toBe(false);
});

test('a transcript that was read before, as that of a trace, keeps its pictures, and bytes are what they are whatever they are called', () => {
  const content = [{ type: 'text', text }, image];
  const { transcript } = readReply({ messages: [{ role: 'assistant', content }] });
  const again = readReply({ transcript });
  expect(again.transcript?.[0]).toMatchObject({ content: text, attachments: [{ ...png, base64: data }] });
  const forged = { ...png, at: 0, base64: pictures.gif.toString('base64') };
  expect(readReply({ answer: text, attachments: [forged] }).attachments).toMatchObject([
    { hash: hashBytes(pictures.gif), mediaType: 'image/gif' },
  ]);
});
