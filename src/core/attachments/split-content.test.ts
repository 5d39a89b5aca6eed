import { expect, test } from 'vitest';
import { pictures } from '../../../test/support/pictures.ts';
import { declaredType, describeOther, sniffMedia } from './sniff-media.ts';
import { ContentBuilder, splitContent } from './split-content.ts';

const attachment = { hash: 'a'.repeat(64), mediaType: 'image/png', bytes: 1 } as const;

function roundTrip(...parts: readonly (string | number)[]) {
  const builder = new ContentBuilder<typeof attachment & { name: string }>();
  for (const part of parts) {
    if (typeof part === 'string') builder.addText(part, '\n');
    else builder.addFile({ ...attachment, name: String(part) });
  }
  const pieces = splitContent(builder.content, builder.files);
  return {
    content: builder.content,
    pieces: pieces.map((piece) => ('text' in piece ? piece.text : Number(piece.file.name))),
  };
}

test.each([
  [['What is this?', 1], 'What is this?'],
  [[1, 'What is this?'], 'What is this?'],
  [['Before', 1, 'after'], 'Before\nafter'],
  [['Before\n', 1, 'after'], 'Before\n\nafter'],
  [['Before', 1, 2, 'between', 3, 'after'], 'Before\nbetween\nafter'],
  [[1, 2], ''],
  [['👍', 1, '👎'], '👍\n👎'],
] as const)('the parts %j have one text and come back as they were', (parts, content) => {
  expect(roundTrip(...parts)).toEqual({ content, pieces: parts });
});

test('a file whose place is behind the text, or before it, stands at its end or beginning', () => {
  const files = [
    { ...attachment, at: 90 },
    { ...attachment, at: 0 },
  ];
  expect(splitContent('short', files)).toEqual([{ file: files[1] }, { text: 'short' }, { file: files[0] }]);
  expect(splitContent(null, files)).toHaveLength(2);
});

test('types are known by their first bytes', () => {
  const sniffed = Object.entries(pictures).map(([name, bytes]) => [name, sniffMedia(bytes)]);
  expect(Object.fromEntries(sniffed)).toEqual({
    png: 'image/png',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    webp: 'image/webp',
    pdf: 'application/pdf',
    wav: 'audio/wav',
    mp3: 'audio/mpeg',
    frame: 'audio/mpeg',
    svg: undefined,
    docx: undefined,
  });
  expect(sniffMedia(Buffer.from('RIFF1234AVI '))).toBeUndefined();
  expect(sniffMedia(Buffer.alloc(0))).toBeUndefined();
});

test('what is not read is called by what it is', () => {
  expect(describeOther(pictures.svg, 'a.png').what).toContain('SVG');
  expect(describeOther(pictures.docx, 'a.docx').what).toContain('office');
  expect(describeOther(pictures.docx, 'a.zip').what).toContain('archive');
  expect(describeOther(Buffer.from('hello'), 'a.txt').what).toContain('none of PNG');
});

test('a stated type goes before the name, in any spelling', () => {
  expect(declaredType('image/JPG; q=1', 'a.png')).toBe('image/jpeg');
  expect(declaredType('audio/x-wav', '')).toBe('audio/wav');
  expect(declaredType('application/octet-stream', 'a.PDF')).toBe('application/pdf');
  expect(declaredType(undefined, 'a.txt')).toBeUndefined();
});
