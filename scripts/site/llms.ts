import { readFileSync } from 'node:fs';
import path from 'node:path';
import { plainText, readSections } from '../../src/library/find/find-docs.ts';
import { readOutline } from './outline.ts';
import { type SitePage, titleOf } from './pages.ts';

/** Pages for those who build Touchstone, which language models of users do not need. */
const forBuilders =
  /^(?:docs\/(?:architecture|releasing|decisions\/.*)|compared|bench\/README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$/;

/** The most pages of a chapter in `llms.txt`, which is read whole: the chapters lead to all others. */
const mostOfReference = 5;

/**
 * Makes the files by which a language model finds its way through the site: `llms.txt` (see llmstxt.org) and `llms-full.txt`, which
 * holds all pages for users.
 * @param root - The folder of the repository, with the reference in `docs/reference/`.
 * @param pages - The pages of the site, each of which is there as Markdown.
 * @param base - The address of the site with a slash at its end; without it, addresses are relative.
 */
export function createLlmsFiles(
  root: string,
  pages: ReadonlyMap<string, SitePage>,
  base = '',
): Map<string, string> {
  const forUsers = Array.from(pages.values()).filter(({ file }) => !forBuilders.test(file));
  const full = forUsers.map(({ address, text }) => `<!-- ${base}${address} -->\n\n${text.trim()}\n`);
  return new Map([
    ['llms.txt', listChapters(root, pages, base)],
    ['llms-full.txt', full.join('\n')],
  ]);
}

function listChapters(root: string, pages: ReadonlyMap<string, SitePage>, base: string): string {
  const lists = readOutline(root, pages).map(({ title, entries }) => {
    const own = entries.filter(({ page }) => !forBuilders.test(page.file));
    const reference = own.filter(({ page }) => page.file.startsWith('docs/reference/'));
    const others = own.filter((entry) => !reference.includes(entry));
    const links = [...others, ...reference.slice(0, mostOfReference)].map(
      ({ page }) => `- [${titleOf(page)}](${base}${page.address}): ${firstSentence(page, root)}`,
    );
    return links.length === 0 ? [] : [`## ${title}\n\n${links.join('\n')}`];
  });
  const index = pages.get('docs/README.md');
  const all =
    index === undefined
      ? []
      : [
          `## Optional\n\n- [All pages](${base}${index.address}): each question and the page that answers it.`,
        ];
  const { description } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    description: string;
  };
  return `${[
    '# Touchstone',
    `> ${description}`,
    'Touchstone is a command line tool, a dashboard and a TypeScript library; it runs locally, with Node.js, and needs no account. `touchstone init` begins a project, `touchstone run` asks the questions of a golden set and scores the answers, `touchstone compare A B` decides whether a version is better.',
    'For coding agents: `touchstone init --agents` writes a skill and the entries of MCP clients. The same pages are in the package: `touchstone docs WORD` searches them without a network, `touchstone metrics WORD` finds a metric. All pages in one file: ' +
      `${base}llms-full.txt.`,
    ...lists.flat(),
    ...all,
  ].join('\n\n')}\n`;
}

/** Returns the first sentence of the first paragraph of a page, as plain text. */
function firstSentence({ file }: SitePage, root: string): string {
  const [first] = readSections(file, root);
  const paragraph = (first?.text ?? '').split(/\n\s*\n/).find((part) => /^[\p{L}`*[]/u.test(part)) ?? '';
  const plain = plainText(paragraph).replaceAll(/\s+/g, ' ').trim();
  return /^.{20,}?[.?:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}
