import { expect, test } from 'vitest';
import { pictures } from '../../../test/support/pictures.ts';
import { decodeBase64, readAttachmentEntry, readAttachmentPart } from './read-source.ts';

const base64 = pictures.png.toString('base64');
const dataUrl = `data:image/png;base64,${base64}`;
const data = { kind: 'data', base64 };
const path = { kind: 'path', text: 'img/dent.png' };
const url = { kind: 'url', text: 'https://example.org/logo.png' };

test.each([
  ['ours', { type: 'image', image: 'img/dent.png' }, { from: path }],
  ['OpenAI chat', { type: 'image_url', image_url: { url: dataUrl } }, { from: data, mediaType: 'image/png' }],
  [
    'OpenAI chat, an address',
    { type: 'image_url', image_url: { url: url.text, detail: 'low' } },
    { from: url },
  ],
  ['OpenAI chat, a text', { type: 'image_url', image_url: url.text }, { from: url }],
  ['OpenAI Responses', { type: 'input_image', image_url: dataUrl }, { from: data, mediaType: 'image/png' }],
  [
    'OpenAI file',
    { type: 'file', file: { filename: '7.pdf', file_data: `data:application/pdf;base64,${base64}` } },
    { from: data, name: '7.pdf', mediaType: 'application/pdf' },
  ],
  [
    'OpenAI Responses file',
    { type: 'input_file', filename: '7.pdf', file_data: base64 },
    { from: data, name: '7.pdf' },
  ],
  ['OpenAI Responses file by address', { type: 'input_file', file_url: url.text }, { from: url }],
  ['OpenAI audio', { type: 'input_audio', input_audio: { data: base64, format: 'wav' } }, { from: data }],
  [
    'Anthropic',
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } },
    { from: data, mediaType: 'image/png' },
  ],
  ['Anthropic by address', { type: 'image', source: { type: 'url', url: url.text } }, { from: url }],
  [
    'Anthropic document',
    {
      type: 'document',
      title: 'Bill',
      source: { type: 'base64', media_type: 'application/pdf', data: base64 },
    },
    { from: data, name: 'Bill', mediaType: 'application/pdf' },
  ],
  ['Gemini', { inlineData: { mimeType: 'image/png', data: base64 } }, { from: data, mediaType: 'image/png' }],
  [
    'Gemini in Python',
    { inline_data: { mime_type: 'image/png', data: base64 } },
    { from: data, mediaType: 'image/png' },
  ],
  [
    'Gemini by address',
    { fileData: { mimeType: 'image/png', fileUri: url.text } },
    { from: url, mediaType: 'image/png' },
  ],
  ['AI SDK, base64', { type: 'image', image: base64 }, { from: data }],
  [
    'AI SDK file',
    { type: 'file', mediaType: 'image/png', data: base64 },
    { from: data, mediaType: 'image/png' },
  ],
  [
    'AI SDK interface',
    { type: 'file', mediaType: 'image/png', filename: 'a.png', url: dataUrl },
    { from: data, name: 'a.png', mediaType: 'image/png' },
  ],
  [
    'LangChain',
    { type: 'image', source_type: 'base64', mime_type: 'image/png', data: base64 },
    { from: data, mediaType: 'image/png' },
  ],
  ['Inspect', { type: 'audio', audio: 'a.mp3', format: 'mp3' }, { from: { kind: 'path', text: 'a.mp3' } }],
] as const)('a part with a file is read as %s writes it', (_who, part, expected) => {
  expect(readAttachmentPart(part)).toEqual(expected);
});

test.each([
  [{ type: 'text', text: 'file' }],
  [{ type: 'tool_use', id: 'a', name: 'image', input: { image: 'x.png' } }],
  [{ text: 'hello' }],
  ['img/dent.png'],
  [null],
  [[{ type: 'image', image: 'a.png' }]],
])('a part without a file is none: %j', (part) => {
  expect(readAttachmentPart(part)).toBeUndefined();
});

test('the id of a file at a provider, another scheme and a data URL without base64 are named as what they are', () => {
  const what = (part: object) => {
    const source = readAttachmentPart(part)?.from;
    return source?.kind === 'unreadable' ? source.what : source;
  };
  expect(what({ type: 'input_image', file_id: 'file-7' })).toBe('the id of a file at a provider, file-7');
  expect(what({ fileData: { fileUri: 'gs://bucket/a.png' } })).toBe('an address of gs://');
  expect(what({ type: 'image', image: 'data:image/svg+xml,<svg/>' })).toBe(
    'a data URL that is not in base64',
  );
  expect(what({ type: 'image' })).toBe('no data, address or path');
});

test('an entry of a list is a path, an address, a data URL or a part; a number is none', () => {
  expect(readAttachmentEntry(' img/dent.png ')).toEqual({ from: path });
  expect(readAttachmentEntry(url.text)).toEqual({ from: url });
  expect(readAttachmentEntry(dataUrl)).toEqual({ from: data, mediaType: 'image/png' });
  expect(readAttachmentEntry({ path: 'img/dent.png', name: 'dent' })).toEqual({ from: path, name: 'dent' });
  expect(readAttachmentEntry(7)).toBeUndefined();
  expect(readAttachmentEntry('')).toBeUndefined();
});

test('base64 is decoded with line breaks and without its end, and nothing else is', () => {
  expect(decodeBase64(base64.replaceAll(/(.{20})/g, '$1\n'))).toEqual(pictures.png);
  expect(decodeBase64(base64.replace(/=+$/, ''))).toEqual(pictures.png);
  expect(decodeBase64('not base64!')).toBeUndefined();
  expect(decodeBase64('')).toBeUndefined();
});

test('hostile texts of a megabyte are read', () => {
  expect(readAttachmentEntry(`data:${';'.repeat(1_000_000)}`)?.from.kind).toBe('unreadable');
  expect(readAttachmentPart({ type: 'image', image: 'a'.repeat(1_000_000) })?.from.kind).toBe('path');
});
