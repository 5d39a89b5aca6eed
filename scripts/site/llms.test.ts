import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createLlmsFiles } from './llms.ts';
import { readOutline } from './outline.ts';
import { followLinks, readSitePages } from './pages.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const base = 'https://example.com/docs/';
const pages = readSitePages(root);
const addresses = Array.from(pages.values(), ({ address }) => address);
const files = createLlmsFiles(root, pages, base);
const list = files.get('llms.txt') ?? '';
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

test('it has at most 90 links, each to a page that is there, with a note of a sentence', () => {
  expect(listed.length).toBeLessThanOrEqual(90);
  expect(new Set(listed.map(({ address }) => address)).size).toBe(listed.length);
  expect(listed.filter(({ address }) => !addresses.includes(address))).toEqual([]);
  expect(listed.filter(({ note }) => note.length < 20 || note.length > 260)).toEqual([]);
});

test('a chapter lists every page but those of examples and decisions, and all pages for users are in the full text', () => {
  const inChapters = readOutline(root, pages).flatMap(({ entries }) => entries.map(({ page }) => page.file));
  const missing = [...pages.keys()].filter((file) => !inChapters.includes(file));
  expect(missing.filter((file) => !/^(?:examples|docs\/decisions)\/|^[A-Z]+\.md$/.test(file))).toEqual([
    'docs/README.md',
  ]);
  const full = files.get('llms-full.txt') ?? '';
  for (const { file, text } of pages.values())
    expect({ file, isIn: full.includes(text.trim()) }).toEqual({
      file,
      isIn: !/decisions|architecture|releasing|^bench|^compared|^[A-Z]+\.md$/.test(file),
    });
});

test('a link leads to where a page is on the site, and names a file that is no page by its place in the package', () => {
  const follow = (text: string, file = 'docs/gate.md', source?: string) =>
    followLinks(text, {
      file,
      source,
      addresses: new Map(Array.from(pages, ([key, page]) => [key, page.address])),
    });
  expect(follow('[why](decisions/README.md#a) [b](../examples/rag-bot/README.md)')).toBe(
    '[why](decisions/index.md#a) [b](examples/rag-bot.md)',
  );
  expect(follow('[gate](../../docs/gate.md) [R](../../README.md)', 'examples/rag-bot/README.md')).toBe(
    '[gate](../gate.md) [R](../index.md)',
  );
  expect(follow('[a file](../bench/run.ts)\n```md\n[x](y.md)\n```\n')).toBe(
    'a file (`bench/run.ts` in the package)\n```md\n[x](y.md)\n```\n',
  );
  expect(follow('[a file](../bench/run.ts#L3)', 'docs/gate.md', 'https://github.com/o/r/blob/main/')).toBe(
    '[a file](https://github.com/o/r/blob/main/bench/run.ts#L3)',
  );
});

test('what is on no page is named by its place in the package', () => {
  const named = Array.from(pages.values()).flatMap(({ text }) =>
    Array.from(text.matchAll(/\(`([^`]+)` in the package\)/g)),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(([, file = '']) => !existsSync(path.join(root, file)))).toEqual([]);
});
