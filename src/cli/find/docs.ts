import { TouchstoneError } from '../../core/errors.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import {
  findSections,
  listPages,
  nearestWords,
  plainText,
  readSections,
  type Section,
} from '../../library/find/find-docs.ts';
import type { ReportView } from '../../look/reporters/reporter.ts';
import { type Block, gap, heading, list, paragraph } from '../../look/reporters/blocks/block.ts';
import { renderTerminal } from '../../look/reporters/blocks/terminal.ts';
import { span, whole } from '../../look/reporters/blocks/text.ts';
import type { Output } from '../output.ts';

/** A search in the documentation. */
interface DocsSearch {
  readonly words: readonly string[];
  readonly json?: boolean;
  /** The page to print, such as `gate`. */
  readonly page?: string;
}

/** Sections that a search lists. */
const mostShown = 5;
/** Lines of a section that the list shows. */
const shownLines = 2;

/**
 * Runs `touchstone docs [word…]`: finds sections of the documentation by words, without a network; prints the section when only
 * one fits, or the page that `--page` names. Without words it lists the pages. Returns the exit code. Throws
 * `usage-invalid` when nothing is found.
 */
export async function searchDocs({ words, page, json }: DocsSearch, output: Output): Promise<number> {
  const asked = words.join(' ');
  if (page !== undefined) {
    const sections = readSections(findPage(page));
    return await output.print(json, sections, (all) => all.map(toMarkdown).join('\n'));
  }
  const found = asked === '' ? listTitles() : findSections(asked);
  if (found.length === 0) throw nothingFound(asked);
  const shown = asked === '' ? found : found.slice(0, mostShown);
  return await output.print(json, shown, () =>
    shown.length === 1 ? shown.map(toMarkdown).join('') : formatSections(shown, output.view()),
  );
}

/** Returns the first section of each page. */
function listTitles(): Section[] {
  return listPages().flatMap((page) => readSections(page).slice(0, 1));
}

/** Returns the page of a name such as `gate`, `reference/metrics` or `docs/gate.md`. Throws `usage-invalid`. */
function findPage(name: string): string {
  const pages = listPages();
  const shortName = (page: string): string => page.replace(/^docs\//, '').replace(/\.md$/, '');
  const wanted = shortName(name).toLowerCase();
  const found =
    pages.find((page) => shortName(page).toLowerCase() === wanted) ??
    pages.find((page) => shortName(page).toLowerCase().endsWith(`/${wanted}`));
  if (found !== undefined) return found;
  const hint = didYouMean(wanted, pages.map(shortName));
  throw new TouchstoneError('usage-invalid', `There is no page "${name}".${hint}`, {
    remedy: 'List the pages with `touchstone docs`.',
  });
}

function nothingFound(asked: string): TouchstoneError {
  const near = nearestWords(asked);
  const hint = near.length === 0 ? '' : ` Near: ${near.join(', ')}.`;
  return new TouchstoneError('usage-invalid', `No page has the words "${asked}".${hint}`, {
    remedy: 'Use other words, or list the pages with `touchstone docs`.',
  });
}

function toMarkdown({ headings, text }: Section): string {
  return `${'#'.repeat(headings.length)} ${headings.at(-1) ?? ''}\n\n${text}\n`;
}

function formatSections(sections: readonly Section[], view: ReportView): string {
  const blocks = sections.flatMap(({ page, line, headings, text }): Block[] => {
    const words = span(plainText(text).replaceAll(/\s+/g, ' ').trim(), 'quiet');
    return [
      heading(1, [span(headings.join(' › '), 'strong')]),
      paragraph([whole(`${page}:${line}`)], { indent: 2 }),
      list([{ text: [words], mostLines: shownLines }]),
      gap,
    ];
  });
  const [first] = sections;
  const more = span(`Read a page: touchstone docs --page ${pageName(first?.page ?? '')}`, 'quiet');
  return renderTerminal([...blocks, paragraph([more], { indent: 0 })], view);
}

function pageName(page: string): string {
  return page.replace(/^docs\//, '').replace(/\.md$/, '');
}
