import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rankBySharedWords } from './stand-in/shared-words.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

const rows = read('faq.csv').trimEnd().split('\n').slice(1).map(readRow);
const sections = read('knowledge.md').split(/^## /m).slice(1);
const titles = sections.map((section) => section.slice(0, section.indexOf('\n')));

/** The rows of the FAQ that share the most words with a query, best first. */
export const searchFaq = {
  name: 'search_faq',
  description:
    'Searches the frequently asked questions. Gives the nearest ones with their answers, best first.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string', description: 'What to look for, in a few words.' } },
    required: ['query'],
    additionalProperties: false,
  },
  run({ query }: { query: string }) {
    const ranked = rankBySharedWords(
      query,
      rows.map(({ question, answer }) => `${question} ${answer}`),
    );
    const best = ranked.filter(({ score }) => score > 0).slice(0, 3);
    return best.map(({ index, score }) => ({
      id: rows[index]?.question,
      text: rows[index]?.answer,
      score: Math.round(score * 1000) / 1000,
    }));
  },
};

/** A section of the knowledge text. */
export const readKnowledge = {
  name: 'read_knowledge',
  description: 'Gives a section of what the shop knows: prices, conditions, rules.',
  parameters: {
    type: 'object',
    properties: { section: { type: 'string', enum: titles } },
    required: ['section'],
    additionalProperties: false,
  },
  run({ section }: { section: string }) {
    const found = sections[titles.indexOf(section)];
    if (found === undefined)
      throw new RangeError(`There is no section "${section}". There are: ${titles.join('; ')}.`);
    return found;
  },
};

/** A line of the file: a word, and two cells that are in quotes where they hold a comma. */
function readRow(line: string): { question: string; answer: string } {
  const cells = Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );
  return { question: cells[1] ?? '', answer: cells[2] ?? '' };
}
