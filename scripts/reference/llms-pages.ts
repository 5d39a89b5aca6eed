import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listPages, plainText, readSections } from '../../src/library/find/find-docs.ts';

/** The page that lists all others: the questions of its tables order them. */
const index = 'docs/README.md';

/** Pages for those who build Touchstone, which language models of users do not need. */
const forBuilders = ['docs/architecture.md', 'README.md'];

/** The most links that `llms.txt` may have: it is read whole. */
const mostLinks = 60;

/** A list of pages below a heading. */
interface Chapter {
  readonly title: string;
  readonly pages: readonly string[];
}

/**
 * Makes the files by which a language model reads a site of the documentation, by their paths: `llms.txt` (see llmstxt.org), all pages in
 * `llms-full.txt`, and each page as Markdown.
 * @param root - The folder of the package, with the reference in `docs/reference/`.
 * @param base - The address of the site with a slash at its end; without it, addresses are relative.
 */
export function createLlmsPages(root: string, base = ''): Map<string, string> {
  const pages = listPages(root).filter((page) => !forBuilders.includes(page));
  const published = new Map(pages.map((page) => [page, page.slice('docs/'.length)]));
  const texts = new Map(
    Array.from(published, ([page, address]) => [
      address,
      followLinks(readFileSync(path.join(root, page), 'utf8'), page, published),
    ]),
  );
  const full = Array.from(texts, ([address, text]) => `<!-- ${base}${address} -->\n\n${text.trim()}\n`);
  return new Map([
    ['llms.txt', listChapters(root, chaptersOf(root, pages), base)],
    ['llms-full.txt', full.join('\n')],
    ...texts,
  ]);
}

/** Returns the pages in chapters: the doors of the index, its guides, the reference, and what is left. */
function chaptersOf(root: string, pages: readonly string[]): Chapter[] {
  const known = new Set<string>([index]);
  const take = (title: string, wanted: readonly string[]): Chapter => {
    const own = [...new Set(wanted)].filter((page) => pages.includes(page) && !known.has(page));
    for (const page of own) known.add(page);
    return { title, pages: own };
  };
  const text = readFileSync(path.join(root, index), 'utf8');
  const doors = Array.from(
    text.matchAll(/^\| \*\*(.+?)\*\* \| (.+) \|$/gm),
    ([, title = '', links = '']) => [title, linkedIn(links, index)] as const,
  );
  const chapters = [
    take('Begin', [
      'docs/your-own-bot.md',
      'docs/metrics.md',
      'docs/connect-your-bot.md',
      'docs/guides/agents.md',
    ]),
    ...doors.map(([title, links]) => take(title, links)),
    take(
      'Reference',
      ['config', 'commands', 'metrics', 'targets', 'README'].map((name) => `docs/reference/${name}.md`),
    ),
  ];
  const room = mostLinks - chapters.flatMap((chapter) => chapter.pages).length - 1;
  const others = pages.filter((page) => !page.startsWith('docs/reference/') && !known.has(page));
  // The index stands for what finds no room.
  const optional = { title: 'Optional', pages: [index, ...others.slice(0, room)] };
  return [...chapters, optional].filter((chapter) => chapter.pages.length > 0);
}

function linkedIn(text: string, page: string): string[] {
  return Array.from(text.matchAll(/\]\(([^)#\s]+\.md)(?:#[^)]*)?\)/g), ([, to = '']) =>
    path.posix.join(path.posix.dirname(page), to),
  );
}

function listChapters(root: string, chapters: readonly Chapter[], base: string): string {
  const lists = chapters.map(({ title, pages }) => {
    const links = pages.map((page) => {
      const [first] = readSections(page, root);
      return `- [${first?.headings[0] ?? page}](${base}${page.slice('docs/'.length)}): ${firstSentence(first?.text ?? '')}`;
    });
    return `## ${title}\n\n${links.join('\n')}`;
  });
  const { description } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    description: string;
  };
  return `${[
    '# Touchstone',
    `> ${description}`,
    'Touchstone is a command line tool, a dashboard and a TypeScript library; it runs locally, with Node.js, and needs no account. `touchstone init` begins a project, `touchstone run` asks the questions of a golden set and scores the answers, `touchstone compare A B` decides whether a version is better.',
    'For coding agents: `touchstone init --agents` writes a skill and the entries of MCP clients. The same pages are in the package: `touchstone docs WORD` searches them without a network, `touchstone metrics WORD` finds a metric. All pages in one file: ' +
      `${base}llms-full.txt.`,
    ...lists,
  ].join('\n\n')}\n`;
}

/** Returns the first sentence of the first paragraph of a page, as plain text. */
function firstSentence(text: string): string {
  const paragraph = text.split(/\n\s*\n/).find((part) => /^[\p{L}`*[]/u.test(part)) ?? '';
  const plain = plainText(paragraph).replaceAll(/\s+/g, ' ').trim();
  return /^.{20,}?[.?:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}

/** Names what a link leads to where that is on no page, such as an example: it is in the package. */
function followLinks(text: string, page: string, published: ReadonlyMap<string, string>): string {
  const folder = path.posix.dirname(page);
  const pieces = text.split(/(^```[^]*?^```$)/m).map((piece) => {
    if (piece.startsWith('```')) return piece;
    return piece.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (link: string, title: string, to: string) => {
      if (/^(?:[a-z]+:|#)/i.test(to)) return link;
      const [target = '', anchor] = to.split('#');
      const full = path.posix.join(folder, target);
      if (published.has(full)) return link;
      if (forBuilders.includes(full)) {
        const home = path.posix.relative(folder, index);
        return `[${title}](${home}${anchor === undefined ? '' : `#${anchor}`})`;
      }
      return title.replaceAll('`', '') === full ? title : `${title} (\`${full}\` in the package)`;
    });
  });
  return pieces.join('');
}
