// Writes docs/reference/, or another folder that is named, from the definitions themselves; the build does so.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { configSchema } from '../src/library/config/config.ts';
import { commandList, commandsPage, exitCodeTable } from './reference/command-pages.ts';
import { readExtensions, writeKindPages } from './reference/kind-pages.ts';
import { writeLibraryPages } from './reference/library-pages.ts';
import { readSettings } from '../src/library/find/settings.ts';
import { settingsTable } from './reference/settings-table.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Writes the pages of the reference as Markdown, by their file names. */
function createReference(): Map<string, string> {
  const kinds = writeKindPages();
  const library = writeLibraryPages(root, readExtensions());
  const pages = new Map([
    ['README.md', firstPage(new Map([['config.md', configPage()], ...kinds]), library)],
    ['commands.md', commandsPage()],
    ['config.md', configPage()],
    ...kinds,
    ...library,
  ]);
  return new Map(Array.from(pages, ([file, parts]) => [file, `${parts.join('\n\n')}\n`]));
}

type Pages = ReadonlyMap<string, readonly string[]>;

function firstPage(pages: Pages, library: Pages): string[] {
  return [
    '# Reference',
    'These pages are written from the definitions in the code by `npm run build`; change those, not these pages.',
    '## Pages',
    listLinks(pages),
    '## Library',
    'What a program imports; [from code](../library.md) shows how it is used.',
    listLinks(library),
    '## Commands',
    commandList(),
    '## Exit codes',
    exitCodeTable(),
  ];
}

function listLinks(pages: Pages): string {
  return Array.from(pages, ([file, [title = '']]) => `- [${title.slice(2)}](${file})`).join('\n');
}

function configPage(): string[] {
  return [
    '# Configuration',
    'What `touchstone.config.ts`, `.js`, `.yaml` or `.json` holds. A target, a scorecard or a metric is written as ' +
      '`{ use: name, …options }`, in TypeScript as a call: `keywords({ threshold: 0.8 })`. `name` gives it another ' +
      'name in reports.',
    ...settingsTable(readSettings(configSchema)),
  ];
}

const folder = path.resolve(process.argv[2] ?? path.join(root, 'docs', 'reference'));
rmSync(folder, { recursive: true, force: true });
for (const [file, text] of createReference()) {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}
