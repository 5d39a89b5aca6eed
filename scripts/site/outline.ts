import path from 'node:path';
import { readFileSync } from 'node:fs';
import { comparisonFile, type SitePage, titleOf } from './pages.ts';

/** The page that lists all others: its first table has a row for each chapter. */
const index = 'docs/README.md';

/** Pages that only the site has, after those that the row of a chapter lists. */
const alone: Readonly<Record<string, readonly (readonly [title: string, file: string])[]>> = {
  'Moving in': [['how it compares', comparisonFile]],
  Why: [['benchmarks', 'bench/README.md']],
};

/** A page as a chapter lists it. */
interface Entry {
  readonly title: string;
  readonly page: SitePage;
}

/** A chapter of the site. */
export interface Chapter {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/**
 * Returns the chapters of the site in their order: the rows of the first table of the index, of which the one that leads to the
 * reference also has the pages of the reference. A page is in the first chapter that lists it.
 */
export function readOutline(root: string, pages: ReadonlyMap<string, SitePage>): Chapter[] {
  const known = new Set<string>([index]);
  const rows = readFileSync(path.join(root, index), 'utf8').matchAll(/^\| \*\*(.+?)\*\* \| (.+) \|$/gm);
  return Array.from(rows, ([, title = '', links = '']) => {
    const listed = readLinks(links);
    const reference = listed.some(([, file]) => file === 'docs/reference/README.md')
      ? Array.from(pages.values())
          .filter(({ file }) => file.startsWith('docs/reference/'))
          .map((page) => [titleOf(page), page.file] as const)
      : [];
    const entries = [...listed, ...reference, ...(alone[title] ?? [])].flatMap(([name, file]) => {
      const page = pages.get(file);
      if (page === undefined || known.has(file)) return [];
      known.add(file);
      return [{ title: name.charAt(0).toUpperCase() + name.slice(1), page }];
    });
    return { title, entries };
  });
}

/** Returns the texts of the links of a row and the files that they lead to. */
function readLinks(row: string): (readonly [string, string])[] {
  return Array.from(
    row.matchAll(/\[([^\]]+)\]\(([^)#\s]+\.md)(?:#[^)]*)?\)/g),
    ([, title = '', to = '']) => [title, path.posix.join(path.posix.dirname(index), to)] as const,
  );
}
