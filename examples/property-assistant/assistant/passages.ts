import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const documentFolder = join(import.meta.dirname, '..', 'documents');

/** A section of an ingested document: the unit that is searched and quoted. */
export interface Passage {
  id: string;
  document: string;
  title: string;
  heading: string;
  text: string;
}

/** Reads every Markdown document and cuts it at its headings. */
export function readPassages(): Passage[] {
  const files = readdirSync(documentFolder).filter((file) => file.endsWith('.md'));
  return files.sort().flatMap((file) => cutDocument(file.slice(0, -'.md'.length)));
}

function cutDocument(document: string): Passage[] {
  const markdown = readFileSync(join(documentFolder, `${document}.md`), 'utf8');
  const [opening = '', ...sections] = markdown.replace(/^# /, '').split(/\n## /);
  const title = opening.split('\n')[0] ?? document;
  return [opening, ...sections].map((section) => {
    const [heading = '', ...lines] = section.split('\n');
    const name = heading.replace(/^\d+\. /, '');
    return { id: `${document}#${slug(name)}`, document, title, heading: name, text: plainText(lines) };
  });
}

function slug(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function plainText(lines: string[]): string {
  const rows = lines.filter((line) => line.startsWith('|') && !line.includes('---')).slice(1);
  const prose = lines.filter((line) => line.trim() !== '' && !line.startsWith('|'));
  const table = rows
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
        .join(': '),
    )
    .join('; ');
  return [...(table === '' ? [] : [`${table}.`]), ...prose].join(' ');
}
