import { createWriteStream, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

const words = `amber anchor basin birch canal cedar cinder copper delta
  ember fallow garnet harbor hazel indigo juniper kestrel`.split(/\s+/);
const categories = ['deeds', 'leases', 'surveys', 'taxes', 'permits'];

/**
 * Writes a dataset and a configuration into a folder: four keywords for each case, one tool, the three-component
 * scorecard, an instant target. The same number of cases gives the same bytes every time.
 */
export async function writeWorkload(folder: string, cases: number): Promise<void> {
  await pipeline(linesOf(cases), createWriteStream(path.join(folder, 'golden.jsonl')));
  const target = path.relative(folder, path.join(import.meta.dirname, 'instant-target.ts'));
  const config = {
    dataset: 'golden.jsonl',
    targets: [{ use: 'module', name: 'instant', path: target }],
    scorecard: 'three-component',
  };
  writeFileSync(path.join(folder, 'touchstone.config.json'), JSON.stringify(config));
}

/** Yields the lines of the dataset. */
export function* linesOf(cases: number): Generator<string> {
  for (let index = 0; index < cases; index += 1) yield toLine(index);
}

/** Returns a line of the dataset. Every eighth case expects a keyword that is not in the answer. */
function toLine(index: number): string {
  const keywords = [0, 3, 7, 12].map((step) => words[(index + step) % words.length] ?? '');
  const lot = `lot ${String(index).padStart(7, '0')}`;
  const row = {
    id: `case-${index}`,
    input: `What does the register say about ${keywords.join(', ')} and ${lot} in the books of the year?`,
    category: categories[index % categories.length],
    expected: {
      keywords: index % 8 === 0 ? [...keywords.slice(1), 'absent'] : keywords,
      tools: ['search_register'],
    },
  };
  return `${JSON.stringify(row)}\n`;
}
