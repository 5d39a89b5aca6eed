import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { comparisonPage, readComparison } from './comparison.ts';

/** The pages of the site: the documentation, what its pages lead to, and the examples with a page of their own. */
const patterns = [
  'docs/**/*.md',
  'examples/*/README.md',
  'bench/README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
];

/** The page that is written from `site/compare.json`. */
export const comparisonFile = 'compared.md';

/** A page of the site. */
export interface SitePage {
  /** The file that it is made of, from the root, such as `docs/gate.md`. */
  readonly file: string;
  /** The file on the site, such as `gate.md`. */
  readonly address: string;
  /** The text in Markdown; each link leads to a page of the site or elsewhere in the world. */
  readonly text: string;
}

/**
 * Reads the pages of the site, by their files. A link to a file that is no page leads to the repository; as long as the package
 * names none, the file is named by its place in the package.
 * @param root - The folder of the repository, with the reference in `docs/reference/`.
 */
export function readSitePages(root: string): Map<string, SitePage> {
  const files = globSync(patterns, { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort();
  const addresses = new Map(files.map((file) => [file, addressOf(file)]));
  const source = sourceOf(root);
  const pages = Array.from(addresses, ([file, address]): [string, SitePage] => {
    const text = followLinks(readFileSync(path.join(root, file), 'utf8'), { file, addresses, source });
    return [file, { file, address, text }];
  });
  const compared = comparisonPage(readComparison(root), new Date());
  return new Map([
    ...pages,
    [
      comparisonFile,
      {
        file: comparisonFile,
        address: addressOf(comparisonFile),
        text: followLinks(compared, { file: comparisonFile, addresses, source }),
      },
    ],
  ]);
}

/** Returns the title of a page: its first heading, without marks. */
export function titleOf({ file, text }: Pick<SitePage, 'file' | 'text'>): string {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? file;
}

/** Returns where a file is on the site. */
export function addressOf(file: string): string {
  const [, example] = /^examples\/([^/]+)\/README\.md$/.exec(file) ?? [];
  if (example !== undefined) return `examples/${example}.md`;
  if (file === 'bench/README.md') return 'benchmarks.md';
  const short = file.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
  return file.startsWith('docs/') ? short : short.toLowerCase();
}

/** Returns the address of the files of the repository with a slash at its end, where package.json names a repository on GitHub. */
function sourceOf(root: string): string | undefined {
  const { repository } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    readonly repository?: string | { readonly url: string };
  };
  const url = typeof repository === 'string' ? repository : repository?.url;
  const [, place] = /github(?:\.com[/:]|:)([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url ?? '') ?? [];
  return place === undefined ? undefined : `https://github.com/${place}/blob/main/`;
}

interface Surroundings {
  readonly file: string;
  readonly addresses: ReadonlyMap<string, string>;
  readonly source: string | undefined;
}

/** Lets the links of a page lead where their targets are on the site; blocks of code stay as they are. */
export function followLinks(text: string, surroundings: Surroundings): string {
  const pieces = text
    .split(/(^ *```[^]*?^ *```$)/m)
    .map((piece) =>
      piece.trimStart().startsWith('```')
        ? piece
        : piece.replaceAll(
            /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g,
            (link, mark: string, title: string, to: string) =>
              mark === '!' || /^(?:[a-z]+:|#)/i.test(to) ? link : followLink(title, to, surroundings),
          ),
    );
  return pieces.join('');
}

function followLink(title: string, to: string, { file, addresses, source }: Surroundings): string {
  const [target = '', anchor] = to.split('#');
  const full = path.posix.join(path.posix.dirname(file), target).replace(/\/$/, '');
  const page = addresses.get(full) ?? addresses.get(`${full}/README.md`);
  const fragment = anchor === undefined ? '' : `#${anchor}`;
  if (page !== undefined) {
    const near = path.posix.relative(path.posix.dirname(addressOf(file)), page);
    return `[${title}](${near}${fragment})`;
  }
  // The first page of the repository is the first page of the site.
  if (full === 'README.md')
    return `[${title}](${path.posix.relative(path.posix.dirname(addressOf(file)), 'index.md')})`;
  if (source !== undefined) return `[${title}](${source}${full}${fragment})`;
  return title.replaceAll('`', '') === full ? title : `${title} (\`${full}\` in the package)`;
}
