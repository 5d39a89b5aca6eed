// Builds the site of the documentation: `node scripts/build-site.ts [--base /next/] [--to FOLDER] [--address https://…]`.
// `scripts/release/build-sites.ts` builds every version of it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { questionsByPlace } from '../src/library/find/find-docs.ts';
import { createLlmsFiles } from './site/llms.ts';
import { readOutline } from './site/outline.ts';
import { addressOf, readSitePages } from './site/pages.ts';
import { createRedirects, readMoved } from './site/redirects.ts';

const root = path.resolve(import.meta.dirname, '..');
const site = path.join(root, 'site');
const { values } = parseArgs({
  options: {
    /** The folder of the site on its server, with slashes at both ends. */
    base: { type: 'string', default: '/' },
    to: { type: 'string', default: path.join(site, 'dist') },
    /** The address of the folder of the site, for those who read `llms.txt` alone. */
    address: { type: 'string', default: '' },
    /** The name of the version that is built, and the addresses of all of them as JSON: `[{"text": "next", "link": "https://…"}]`. */
    version: { type: 'string', default: '' },
    versions: { type: 'string', default: '[]' },
  },
});
const generator = path.join(site, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
if (!existsSync(generator)) throw new Error('Run `npm ci --prefix site` first: it installs the generator.');
if (!existsSync(path.join(root, 'docs', 'reference')))
  throw new Error('Run `npm run build` first: it writes the reference.');

const generated = path.join(site, '.generated');
rmSync(generated, { recursive: true, force: true });

const pages = readSitePages(root);
for (const { address, text } of pages.values())
  write(path.join(generated, 'pages', address), address === 'index.md' ? withPictures(text) : text);
cpSync(path.join(site, 'pictures'), path.join(generated, 'pages', 'pictures'), { recursive: true });

const outline = readOutline(root, pages).map(({ title, entries }) => ({
  text: title,
  collapsed: title === 'Reference',
  items: entries.map(({ title: text, page }) => ({
    text,
    link: `/${page.address.replace(/(?:index)?\.md$/, '')}`,
  })),
}));
const outDir = path.resolve(values.to);
/** The questions that lead to each page, by its address: the search reads them too. */
const questions: Record<string, string[]> = {};
for (const [place, asked] of questionsByPlace(root)) {
  const address = addressOf(place.replace(/#.*/, ''));
  questions[address] = [...(questions[address] ?? []), ...asked];
}
const versions = { name: values.version, all: JSON.parse(values.versions) as unknown };
const moved = readMoved(root);
/** The new addresses of headings that are no longer on a page of the site, for the theme. */
const headings = Object.fromEntries(
  Array.from(moved).filter(([from]) => from.includes('#') && !moved.has(from.replace(/#.*/, ''))),
);
const settings = { base: values.base, moved: headings, outDir, outline, questions, versions };
write(path.join(generated, 'site.json'), JSON.stringify(settings));
const { status } = spawnSync(process.execPath, [generator, 'build', site], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

// Everything that is no page.
for (const { address, text } of pages.values()) write(path.join(outDir, address), text);
for (const [file, text] of createLlmsFiles(root, pages, values.address)) write(path.join(outDir, file), text);
for (const [file, text] of createRedirects(moved, values.base)) write(path.join(outDir, file), text);
copySchemas();

/** Shows on the first page, below its first paragraph, what a run looks like. */
function withPictures(text: string): string {
  const pictures = [
    '![A terminal: a project is made, ten questions are asked, and one answer fails](pictures/first-minutes.svg)',
    '![The page of a run, with two versions side by side](pictures/run.png){.in-light loading=lazy}![The same page in dark colours](pictures/run-dark.png){.in-dark loading=lazy}',
  ];
  const [title, first, ...others] = text.split('\n\n');
  return [title, first, ...pictures, ...others].join('\n\n');
}

/** Copies the JSON Schemas to where files of this version name them: `schemas/0.1.0/config.json`. */
function copySchemas(): void {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  for (const file of globSync('*.schema.json', { cwd: path.join(root, 'schemas') }))
    cpSync(
      path.join(root, 'schemas', file),
      path.join(outDir, 'schemas', version, file.replace('.schema.json', '.json')),
    );
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
