import { expect, test } from 'vitest';
import { exactWords, relatedWords } from './lexicon.ts';
import { type Passage, readPassages } from './passages.ts';
import { createSearchIndex } from './search-index.ts';
import { ToolExecutionError } from './tool-execution-error.ts';
import { searchDocumentContent } from './tools/search-document-content.ts';

function passage(document: string, text: string): Passage {
  return { id: `${document}#1`, document, title: '', heading: '', text };
}

test('scores are those of Okapi BM25', () => {
  const index = createSearchIndex([passage('a', 'roof roof'), passage('b', 'rent deposit')], exactWords);
  const [hit, ...others] = index.search('roof', { limit: 5 });
  // idf = ln(1 + 1.5/1.5) = 0.6931; term frequency part = 2·2.2 / (2 + 1.2) = 1.375
  expect(hit?.score).toBeCloseTo(Math.LN2 * 1.375, 10);
  expect(others).toEqual([]);
});

test('equal scores are ordered by passage id', () => {
  const index = createSearchIndex([passage('b', 'roof'), passage('a', 'roof')], exactWords);
  expect(index.search('roof', { limit: 5 }).map((hit) => hit.passage.id)).toEqual(['a#1', 'b#1']);
});

test('related words match across stems and synonyms, exact words do not', () => {
  const passages = [
    passage('a', 'The organizer filed the articles.'),
    passage('b', 'Members hold interests.'),
  ];
  const exact = createSearchIndex(passages, exactWords);
  const related = createSearchIndex(passages, relatedWords);
  expect(exact.search('owners and shares', { limit: 1 })).toEqual([]);
  expect(related.search('owners and shares', { limit: 1 })[0]?.passage.id).toBe('b#1');
});

test('the share of known words shows whether the documents are about the question', () => {
  const index = createSearchIndex([passage('a', 'roof repair')], exactWords);
  expect(index.shareOfKnownWords('the roof and the weather')).toBe(0.5);
  expect(index.shareOfKnownWords('?')).toBe(0);
});

test('a search for the business purpose finds the clause of the operating agreement', () => {
  const index = createSearchIndex(readPassages(), exactWords);
  const [best] = searchDocumentContent(index, { query: 'business purpose', limit: 3 });
  expect(best?.passage.id).toBe('operating-agreement#business-purpose');
});

test('a search in a document that was never ingested fails', () => {
  const index = createSearchIndex(readPassages(), exactWords);
  const search = { query: 'exceptions', document: 'title-insurance-policy', limit: 3 };
  expect(() => searchDocumentContent(index, search)).toThrow(ToolExecutionError);
});
