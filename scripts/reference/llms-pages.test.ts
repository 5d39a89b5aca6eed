import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createLlmsPages } from './llms-pages.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const base = 'https://example.com/docs/';
const pages = createLlmsPages(root, base);
const list = pages.get('llms.txt') ?? '';
const listed = Array.from(list.matchAll(/^- \[[^\]]+\]\(([^)]+)\): (.+)$/gm), ([, to = '', note = '']) => ({
  address: to.slice(base.length),
  note,
}));

test('llms.txt has the form of llmstxt.org: a title, a summary, paragraphs, lists of links, Optional last', () => {
  const lines = list.trimEnd().split('\n');
  expect([lines[0], lines[2]]).toEqual(['# Touchstone', expect.stringMatching(/^> \w/)]);
  const [head = '', ...lists] = list.split(/^## /m);
  expect(head.slice(2)).not.toMatch(/^#/m);
  for (const each of lists)
    expect(each.trim()).toMatch(/^[^\n]+\n\n(?:- \[[^\]]+\]\(https:[^)]+\.md\): [^\n]+(?:\n|$))+$/);
  expect(lists.at(-1)).toMatch(/^Optional\n/);
});

test('it has at most 60 links, each to a page that is there, with a note of a sentence', () => {
  expect(listed.length).toBeLessThanOrEqual(60);
  expect(new Set(listed.map(({ address }) => address)).size).toBe(listed.length);
  expect(listed.filter(({ address }) => !pages.has(address))).toEqual([]);
  expect(listed.filter(({ note }) => note.length < 20 || note.length > 260)).toEqual([]);
});

test('every page is listed or linked from a page, is in the full text, and links only to pages that are there', () => {
  const linked = new Set(listed.map(({ address }) => address));
  for (const [address, text] of pages) {
    if (address.startsWith('llms')) continue;
    expect(pages.get('llms-full.txt')).toContain(text.trim());
    for (const [, to = ''] of text
      .replaceAll(/^```[^]*?^```/gm, '')
      .matchAll(/\]\(([^)\s:#]+)(?:#[^)]*)?\)/g)) {
      const target = path.posix.join(path.posix.dirname(address), to);
      linked.add(target);
      expect([...pages.keys(), `${address} → ${to}`]).toContain(target);
    }
  }
  for (const address of pages.keys()) if (!address.startsWith('llms')) expect(linked).toContain(address);
});

test('what is on no page is named by its place in the package', () => {
  const named = Array.from(pages.values()).flatMap((text) =>
    Array.from(text.matchAll(/\(`([^`]+)` in the package\)/g)),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(([, file = '']) => !existsSync(path.join(root, file)))).toEqual([]);
});
