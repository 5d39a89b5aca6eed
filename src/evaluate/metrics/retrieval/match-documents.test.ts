import { expect, test } from 'vitest';
import type { RetrievedDocument } from '../../../core/schema/trial.ts';
import { readDocuments } from '../../targets/reply/read-details.ts';
import { matchDocuments } from './match-documents.ts';

/** Returns the ids of a ranking; an expected document that was recognized under another name is written `expected=retrieved`. */
function match(expected: readonly string[], retrieved: readonly (string | RetrievedDocument)[]): string[] {
  const documents = retrieved.map((given) => (typeof given === 'string' ? { id: given } : given));
  return matchDocuments(documents, expected, 'given').documents.map(({ id, as }) =>
    as === undefined ? id : `${id}=${as}`,
  );
}

test.each<[string, string, string]>([
  ['the same id', 'fees', 'fees'],
  ['a passage by its number', 'fees.md', 'fees.md#0'],
  ['a passage by its heading', 'fees.md', 'fees.md#late-fees'],
  ['a passage of a document without an ending', 'fees', 'fees#2'],
  ['a page of a URL', 'https://x.example/fees', 'https://x.example/fees#late'],
  ['a URL with a last slash', 'https://x.example/fees', 'https://x.example/fees/'],
  ['a URL without its last slash', 'https://x.example/fees/', 'https://x.example/fees'],
  ['a passage after a colon', 'fees.md', 'fees.md:12'],
  ['a passage with its word', 'fees.pdf', 'fees.pdf_chunk_3'],
  ['a passage of an id', 'fees', 'fees-chunk-3'],
  ['composed and decomposed letters', 'gebühren.md', 'gebu\u0308hren.md#1'],
  ['the path of a file', 'fees.md', 'docs/fees.md'],
  ['the path of a passage', 'fees.md', '/data/docs/fees.md#4'],
  ['the name of a file whose path is expected', 'docs/fees.md', 'fees.md'],
  ['a longer path', 'docs/fees.md', '/data/kb/docs/fees.md'],
  ['backslashes', 'docs/fees.md', 'C:\\kb\\docs\\fees.md'],
  ['another case of a file name', 'Fees.MD', 'fees.md'],
  ['a path from here', './docs/fees.md', 'docs/fees.md'],
  ['an expected passage at another path', 'fees.md#2', 'docs/fees.md#2'],
])('%s is recognized', (_, expected, retrieved) => {
  const found = match([expected], ['other', retrieved]);
  expect(found[1]).toBe(expected === retrieved ? expected : `${expected}=${retrieved}`);
});

test.each<[string, string, string]>([
  ['another document', 'fees.md', 'hours.md'],
  ['the end of another name', 'fees.md', 'late-fees.md'],
  ['another passage than the expected one', 'fees.md#2', 'fees.md#1'],
  ['the document of an expected passage', 'fees.md#2', 'fees.md'],
  ['a language whose name ends in a sign', 'C', 'C#'],
  ['ids that differ in case and name no file', 'aB3xY', 'ab3xy'],
  ['a name that stands in many folders', 'README.md', 'tools/README.md'],
  ['another folder', 'docs/fees.md', 'archive/fees.md'],
  ['a URL below', 'https://x.example/fees', 'https://x.example/fees/late'],
  ['another ending', 'fees.md', 'fees.pdf'],
  ['a version', 'guide', 'guide-2'],
  ['another number of a ticket', '#12', '#13'],
])('%s is not', (_, expected, retrieved) => {
  expect(match([expected], [retrieved])).toEqual([retrieved]);
});

test('where the end of a path fits several files, none is recognized by it', () => {
  expect(match(['fees.md'], ['2023/fees.md', '2024/fees.md'])).toEqual(['2023/fees.md', '2024/fees.md']);
  expect(match(['2023/fees.md', '2024/fees.md'], ['fees.md'])).toEqual(['fees.md']);
  // A passage that is also given as its file is the same one.
  expect(match(['fees.md'], [{ id: 'docs/fees.md#1', sources: ['fees.md'] }])).toEqual([
    'fees.md=docs/fees.md#1',
  ]);
});

test('two passages of a document count once, at the first rank, those of other documents too', () => {
  expect(match(['b.md'], ['a.md#0', 'a.md#1', 'b.md#3', 'c.md#0', 'b.md#1'])).toEqual([
    'a.md',
    'b.md=b.md#3',
    'c.md',
  ]);
});

test('where passages are expected, each counts by itself', () => {
  expect(match(['a.md#2'], ['a.md#0', 'a.md#1', 'a.md#2', 'a.md#2'])).toEqual(['a.md#0', 'a.md#1', 'a.md#2']);
  const plain = ['p1', 'p2', 'p3'].map((id) => ({ id, sources: ['a.md'] }));
  expect(match(['p2'], plain)).toEqual(['p1', 'p2', 'p3']);
});

test('a source that all documents have in common makes them no single document', () => {
  const documents = ['A', 'B', 'C'].map((title, index) => ({
    id: `c${index}`,
    sources: ['wikipedia', title],
  }));
  expect(match(['C'], documents)).toEqual(['A', 'B', 'C=c2']);
});

test.each<[string, object]>([
  ['LangChain', { page_content: 'text', metadata: { source: 'docs/fees.md', page: 1 } }],
  ['LlamaIndex', { node: { id_: '5b1c', text: 'text', metadata: { file_name: 'fees.md' } }, score: 0.7 }],
  ['Haystack', { id: '9f', content: 'text', meta: { file_path: '/kb/fees.md' } }],
  ['Qdrant', { id: 17, payload: { document_id: 'fees.md', text: 'text' }, score: 0.7 }],
  ['a document of its own', { id: 'c-1', source: 'fees.md', text: 'text' }],
  ['a URL', { id: 'c-1', url: 'https://x.example/kb/fees.md', title: 'Fees' }],
  ['a title alone', { text: 'text', title: 'fees.md' }],
])('a document as %s gives it is recognized by its file', (_, given) => {
  expect(match(['fees.md'], readDocuments([given], 'documents') ?? [])[0]).toMatch(/^fees\.md/);
});

test('files of runs have exact ids', () => {
  const documents = [{ id: 'fees.md#0' }, { id: 'FEES.md' }];
  expect(matchDocuments(documents, ['fees.md'], 'trec').documents).toEqual(documents);
});

test('hostile ids take no time that grows with their square', () => {
  const long = 'a.b#'.repeat(250_000);
  const start = process.cpuUsage();
  expect(match(['fees.md'], [long, '#'.repeat(1_000_000), 'x_'.repeat(499), '/'.repeat(999)])).toHaveLength(
    4,
  );
  expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
});
