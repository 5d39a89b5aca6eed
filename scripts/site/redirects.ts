import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Reads `site/moved.json`: the new address of each page that was moved, without their endings, such as `lint` and
 * `datasets#checking-a-dataset`. A heading has an entry of its own, `lint#rules`, where its place is not the same heading of the new page.
 */
export function readMoved(root: string): Map<string, string> {
  return new Map(
    Object.entries<string>(JSON.parse(readFileSync(path.join(root, 'site', 'moved.json'), 'utf8'))),
  );
}

/**
 * Makes the files at the address of each page that was moved. In a browser it leads to the new address, and to the heading that was
 * asked for; without scripts, to the new address alone. The Markdown says where the page is.
 * @param moved - What `readMoved` returns.
 * @param base - The folder of the site on its server, with slashes at both ends.
 */
export function createRedirects(moved: ReadonlyMap<string, string>, base: string): Map<string, string> {
  const pages = Array.from(moved).filter(([from]) => !from.includes('#'));
  return new Map(
    pages.flatMap(([from, to]) => {
      const headings = Array.from(moved)
        .filter(([each]) => each.startsWith(`${from}#`))
        .map(([each, place]) => [each.slice(from.length), base + place]);
      const address = base + to;
      const [page = '', heading] = to.split('#');
      const file = heading === undefined ? `${page}.md` : `${page}.md#${heading}`;
      const go = `const { hash } = location; location.replace(${JSON.stringify(Object.fromEntries(headings))}[hash] ?? (hash === '' ? ${JSON.stringify(address)} : ${JSON.stringify(base + page)} + hash))`;
      return [
        [
          `${from}.html`,
          `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Moved</title><link rel="canonical" href="${address}"><script>${go}</script><noscript><meta http-equiv="refresh" content="0; url=${address}"></noscript></head><body><p>This page is now at <a href="${address}">${address}</a>.</p></body></html>\n`,
        ],
        [`${from}.md`, `This page is now at ${base}${page === '' ? 'index.md' : file}.\n`],
      ];
    }),
  );
}
