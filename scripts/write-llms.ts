// Writes llms.txt, llms-full.txt and each page of the documentation as Markdown: `node scripts/write-llms.ts FOLDER [ADDRESS]`.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createLlmsPages } from './reference/llms-pages.ts';

const [folder, base] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder to write to.');
for (const [file, text] of createLlmsPages(path.resolve(import.meta.dirname, '..'), base)) {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}
