import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'parse5';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../run-cli.ts';
import { describeInBrowser, findBarriers, useBrowser } from '../support/browser.ts';
import { readMoved } from '../../scripts/site/redirects.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { serveFolder, type StaticServer } from '../support/static-server.ts';
import { execute, root } from './pack.ts';

const hasGenerator = existsSync(path.join(root, 'site', 'node_modules'));
/** A folder of a server, such as one for each version. */
const base = '/touchstone/next/';
let folder = '';
let server: StaticServer;

describe.skipIf(!isReleaseTested || !hasGenerator)(
  'the site (needs the generator of the site) (needs TOUCHSTONE_TEST_ALL=1)',
  () => {
    beforeAll(async () => {
      folder = await temporaryFolder();
      const script = path.join(root, 'scripts', 'build-site.ts');
      await execute(process.execPath, [script, '--base', base, '--to', folder], { cwd: root });
      server = await serveFolder(folder, base);
    });
    afterAll(async () => await server.close());

    test('every link and every file that a page loads leads to something that is there, and nothing is loaded from elsewhere', () => {
      const pages = new Map(globSync('**/*.html', { cwd: folder }).map((file) => [file, readPage(file)]));
      const found = Array.from(pages).flatMap(([file, { links, loads }]) => [
        ...loads.filter((to) => !to.startsWith(base)).map((to) => `${file} loads ${to}`),
        ...[...links, ...loads].flatMap((to) => (isThere(to, file, pages) ? [] : [`${file} → ${to}`])),
      ]);
      expect(pages.size).toBeGreaterThan(100);
      expect(found).toEqual([]);
      const moved = Array.from(readMoved(root), ([, to]) => base + to);
      expect(moved.filter((to) => !isThere(to, '', pages))).toEqual([]);
    });

    test('each page is there as Markdown, too, with the schemas of this version and the files for language models', () => {
      const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
        version: string;
      };
      const names = globSync('**/*.html', { cwd: folder }).map((file) => file.replace(/\.html$/, ''));
      expect(
        names.filter((name) => name !== '404').filter((name) => !existsSync(path.join(folder, `${name}.md`))),
      ).toEqual([]);
      const schema = readFileSync(path.join(folder, 'schemas', version, 'config.json'), 'utf8');
      expect(JSON.parse(schema)).toMatchObject({ title: 'Touchstone configuration' });
      expect(readFileSync(path.join(folder, 'llms.txt'), 'utf8')).toContain('llms-full.txt');
    });

    describeInBrowser('in a browser', () => {
      const browser = useBrowser();

      test('the first page is read after 300 kB, and has no barriers, nor has a page of text, tables and code', async () => {
        server.countBytes();
        const { page } = await browser.open(server.address, { isNew: true });
        expect(server.countBytes()).toBeLessThan(300_000);
        expect(await findBarriers(page)).toEqual([]);
        for (const name of ['gate', 'reference/metrics', 'examples/rag-bot']) {
          const { page: other } = await browser.open(`${server.address}${name}`);
          expect(await findBarriers(other)).toEqual([]);
        }
      });

      test.each([
        ['hallucination', 'metrics'],
        ['exact match', 'metrics'],
        ['NDCG', 'metrics'],
        ['politeness', 'metrics'],
        ['synonyms', 'metrics'],
      ])('the search for %j finds the page %s first', async (words, expected) => {
        const { page } = await browser.open(server.address);
        await page.keyboard.press('Control+k');
        await page.locator('#localsearch-input').fill(words);
        const first = page.locator('#localsearch-list a').first();
        const found = async () => new URL((await first.getAttribute('href')) ?? '', server.address).pathname;
        await expect.poll(found).toBe(`${base}${expected}`);
      });

      test.each([
        ['README', ''],
        ['lint', 'datasets#checking-a-dataset'],
        ['lint#questions-that-say-the-same', 'datasets#questions-that-say-the-same'],
        ['guides/cost', 'limits#cost'],
        ['limits#money', 'limits#a-limit-in-money'],
      ])('the address %s, which was moved, leads to %s', async (from, to) => {
        const { page } = await browser.open(server.address);
        await page.goto(`${server.address}${from}`);
        await expect.poll(() => page.url()).toBe(`${server.address}${to}`);
      });
    });
  },
);

interface PageOfSite {
  readonly ids: ReadonlySet<string>;
  /** The targets of its links. */
  readonly links: readonly string[];
  /** The scripts, styles and pictures that it loads. */
  readonly loads: readonly string[];
}

function readPage(file: string): PageOfSite {
  const [ids, links, loads] = [new Set<string>(), [] as string[], [] as string[]];
  const visit = (node: {
    nodeName: string;
    attrs?: { name: string; value: string }[];
    childNodes?: object[];
  }) => {
    const attributes = new Map(node.attrs?.map(({ name, value }) => [name, value]));
    const id = attributes.get('id');
    if (id !== undefined) ids.add(id);
    const [href, src] = [attributes.get('href'), attributes.get('src')];
    if (href !== undefined && node.nodeName === 'a') links.push(href);
    else if (href !== undefined && attributes.get('rel') !== 'canonical') loads.push(href);
    if (src !== undefined) loads.push(src);
    for (const child of node.childNodes ?? []) visit(child as typeof node);
  };
  visit(parse(readFileSync(path.join(folder, file), 'utf8')));
  return { ids, links, loads };
}

/** Returns whether a link of a page leads to a file of the site and, where it names one, to an element of it. */
function isThere(to: string, from: string, pages: ReadonlyMap<string, PageOfSite>): boolean {
  if (/^(?:https?|mailto):/.test(to)) return true;
  const own = from.replace(/(?:(^|\/)index)?\.html$/, '$1');
  const { pathname, hash } = new URL(to, `http://localhost${base}${own}`);
  if (!pathname.startsWith(base)) return false;
  const name = decodeURI(pathname.slice(base.length));
  const page = [`${name}.html`, path.posix.join(name, 'index.html')].find((file) => pages.has(file));
  if (page === undefined) return name !== '' && existsSync(path.join(folder, name));
  return hash === '' || pages.get(page)?.ids.has(decodeURIComponent(hash.slice(1))) === true;
}
