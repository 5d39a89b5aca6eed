import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lazily } from '../../core/lib/lazily.ts';
import { anchorOf } from '../../core/lib/text/anchor-of.ts';
import { ownFile } from '../../core/own-package.ts';
import { createWordSearch } from '../../core/lib/search/word-search.ts';
import { nearestName } from '../../core/lib/text/nearest-name.ts';
import { spokenWords, stemsOf } from './find-definitions.ts';

/** A section of a page of the documentation: the text under one heading. */
export interface Section {
  /** The path of the page in the package, such as `docs/gate.md`. */
  readonly page: string;
  /** The number of the line of its heading, from 1. */
  readonly line: number;
  /** The title of the page, and the headings above the section down to its own. */
  readonly headings: readonly string[];
  /** The text below its heading, as it is written in Markdown. */
  readonly text: string;
}

/** The weight of a word in the heading of a section, or in a question that the index answers with it, and in the headings above. */
const headingWeight = 4;
const aboveWeight = 1.5;
/** The weight of the reference: it lists everything by its name, while the other pages answer questions. */
const referenceWeight = 0.4;

/** A page of the documentation, as a user reads it: decisions of the past and pages of the code are none. */
const pagePatterns = ['README.md', 'docs/*.md', 'docs/reference/*.md'];

/** Returns the paths of all pages of the documentation in the package, by name. */
export function listPages(folder = ownFile()): string[] {
  return globSync(pagePatterns, { cwd: folder })
    .map((page) => page.replaceAll(path.sep, '/'))
    .sort();
}

/** Returns a page of the documentation, as it is written in Markdown. */
export function readPage(page: string, folder = ownFile()): string {
  return readFileSync(path.join(folder, page), 'utf8');
}

/** Returns the sections of a page. A `#` inside a block of code is no heading. */
export function readSections(page: string, folder = ownFile()): Section[] {
  const lines = readPage(page, folder).split('\n');
  const sections: Section[] = [];
  let headings: string[] = [];
  let start = 0;
  let isCode = false;
  const end = (until: number): void => {
    const text = lines.slice(start, until).join('\n').trim();
    if (headings.length > 0) sections.push({ page, line: Math.max(1, start), headings, text });
  };
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? null : /^(#{1,6}) (.+)$/.exec(line);
    if (heading === null) continue;
    end(index);
    headings = [...headings.slice(0, (heading[1] ?? '').length - 1), plainText(heading[2] ?? '')];
    start = index + 1;
  }
  end(lines.length);
  return sections;
}

/** Finds sections of the documentation by words, the best first. */
export function findSections(words: string): Section[] {
  return search()
    .find(words)
    .map(({ item }) => item);
}

/** Returns the words of the documentation that are nearest to the words of a question that finds nothing, at most one for each. */
export function nearestWords(words: string): string[] {
  const known = new Set(
    listPages().flatMap((page) =>
      readSections(page).flatMap(({ headings }) => spokenWords(headings.join(' '))),
    ),
  );
  return [...new Set(spokenWords(words).flatMap((word) => nearestName(word, known) ?? []))];
}

const search = lazily(() => {
  const asked = questionsByPlace();
  const sections = listPages()
    .filter((page) => page !== indexPage)
    .flatMap((page) => readSections(page));
  return createWordSearch(sections, {
    wordsOf: stemsOf,
    lengthWeight: 0.5,
    textsOf: (section) => {
      const { page, headings, text } = section;
      const own = page.startsWith('docs/reference/') ? referenceWeight : 1;
      return [
        { text: headings.at(-1) ?? '', weight: own * headingWeight },
        { text: headings.slice(0, -1).join('\n'), weight: own * aboveWeight },
        { text: introducedBy(section, asked), weight: headingWeight },
        { text: plainText(text), weight: own },
      ];
    },
  });
});

/** Returns the questions that lead to a section; to the first one of a page, those that lead to the page, and its name. */
function introducedBy({ page, headings }: Section, asked: ReadonlyMap<string, readonly string[]>): string {
  const toSection = asked.get(`${page}#${anchorOf(headings.at(-1) ?? '')}`) ?? [];
  if (headings.length > 1) return toSection.join('\n');
  return [path.posix.basename(page, '.md'), ...(asked.get(page) ?? []), ...toSection].join('\n');
}

/** The index of all pages: each row of its tables asks a question and links the page that answers it. */
const indexPage = 'docs/README.md';

/** Returns the questions that each page, or section of a page (`docs/gate.md#rules`), answers, as the index asks them. */
export function questionsByPlace(folder = ownFile()): Map<string, string[]> {
  const questions = new Map<string, string[]>();
  for (const { text } of readSections(indexPage, folder)) {
    for (const [, asked = '', answer = ''] of text.matchAll(/^\| (.+?) \| (.+) \|$/gm)) {
      const link = /\]\(([^)#]+\.md(?:#[^)]+)?)\)/.exec(answer)?.[1];
      if (link === undefined) continue;
      const place = path.posix.join(path.posix.dirname(indexPage), link);
      questions.set(place, [...(questions.get(place) ?? []), plainText(asked)]);
    }
  }
  return questions;
}

/** Returns a text in Markdown without its marks and the addresses of its links. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/^(?:```.*|\|(?: ?:?-+:? ?\|)+)$/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]|^\s*[|>-]+\s?/gm, '')
    .replaceAll(/\s*\|\s*/g, ' ');
}
