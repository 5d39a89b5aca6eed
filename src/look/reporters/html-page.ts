import { readFile } from 'node:fs/promises';
import { type Headline, noHeadline } from './html-headline.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { ownFile } from '../../core/own-package.ts';

/** The place in the built page at which the data are inserted. */
const dataMark = '<!--data-->';

/** The place of the text that a reader without JavaScript sees, which the page replaces. */
const headlineMark = '<!--headline-->';

/** Writes the page in one file with the answers of the server that it shows. Throws `dashboard-missing`. */
export async function* writePage(
  answers: AsyncIterable<readonly [path: string, answer: unknown]>,
): AsyncGenerator<string> {
  const [before, after] = await readTemplate();
  yield before;
  for await (const [at, answer] of answers) yield writeAnswer(at, answer);
  yield after;
}

/**
 * Formats an answer as an element that a browser neither runs nor shows. A `<` would end it, or begin a comment.
 * @param at - The path of the request; it contains no text from outside, unless encoded.
 */
export function writeAnswer(at: string, answer: unknown): string {
  const json = JSON.stringify(answer).replaceAll('<', String.raw`\u003c`);
  return `<script type="application/json" data-answer="${at}">${json}</script>\n`;
}

/**
 * Reads the built page with its headline, up to the place of the data and from there on. Throws `dashboard-missing`.
 */
export async function readTemplate(
  headline: Headline = noHeadline,
): Promise<[before: string, after: string]> {
  const file = ownFile('dist', 'dashboard-report', 'report.html');
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new TouchstoneError('dashboard-missing', `The page of reports is not built: there is no ${file}.`, {
      cause,
    });
  });
  const place = text.indexOf(dataMark);
  const before = text
    .slice(0, place)
    .replace('<title>Touchstone</title>', () => `<title>${headline.title}</title>`)
    .replace(headlineMark, () => headline.content);
  return [before, text.slice(place + dataMark.length)];
}
