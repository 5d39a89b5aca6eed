import type { DefaultTreeAdapterTypes, parse as parseDocument } from 'parse5';
import { z } from 'zod';
import { UnmeasurableError } from '../../../core/lib/compute-within.ts';
import { defineMetric } from '../metric.ts';
import { passOrFail } from '../verdicts.ts';

/** The elements of HTML that are not obsolete, by the index of elements of the standard. */
const elements: ReadonlySet<string> = new Set(
  `a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption cite code col
  colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure footer form h1 h2 h3
  h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark math menu meta
  meter nav noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp script search
  section select slot small source span strong style sub summary sup svg table tbody td template textarea tfoot th
  thead time title tr track u ul var video wbr`.split(/\s+/),
);

/** The most characters that are read. */
const longest = 10_000_000;

/**
 * Checks that the answer is HTML and nothing else, a document or a part of one: 1, else 0. Any text is HTML to a browser,
 * so this asks for an element that HTML has, written out, and for no text outside of elements. The verdict is the one of
 * `is-html` of promptfoo, which reads with the same parser; errors that a browser repairs do not count. With `anywhere`
 * one element is enough, where `contains-html` of promptfoo counts signs such as tags of any name and entities.
 */
export const htmlValid = defineMetric({
  name: 'html-valid',
  family: 'format',
  version: 1,
  summary:
    'The answer is HTML, a document or a part of one, with no text around it unless allowed: 1, else 0.',
  words: 'HTML, markup, well-formed, web page, format',
  options: () =>
    z.strictObject({
      anywhere: z
        .boolean()
        .default(false)
        .describe('True to look for an element of HTML anywhere in the answer, with other text around it.'),
    }),
  create: ({ anywhere }) => ({
    score: async ({ trial }) => {
      const { parse } = await import('parse5');
      const fault = findFault((trial.answer ?? '').trim(), parse, anywhere);
      const passed = fault === undefined;
      return passOrFail(passed, { explanation: fault });
    },
  }),
});

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

function findFault(text: string, parse: typeof parseDocument, anywhere: boolean): string | undefined {
  if (text === '') return 'there is no answer';
  if (text.length > longest)
    throw new UnmeasurableError('too-long', 'the answer is too long to be read as HTML');
  if (!anywhere && /^<\?xml/i.test(text)) return 'it is XML';
  const { hasElement, hasTextAround } = readElements(parse(text, { sourceCodeLocationInfo: true }));
  if (hasTextAround && !anywhere) return 'it has text outside of elements';
  return hasElement ? undefined : 'it has no element that HTML knows';
}

/** Returns whether a document has an element of HTML that is written out, and text outside of such elements. */
function readElements(document: Node): { readonly hasElement: boolean; readonly hasTextAround: boolean } {
  let hasElement = false;
  let hasTextAround = false;
  // A list in place of recursion: the elements of a hostile answer may be nested without end.
  const waiting: Node[] = [document];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const children: Node[] = 'childNodes' in node ? node.childNodes : [];
    if ('tagName' in node && isWritten(node)) hasElement ||= isKnown(node);
    else if ('tagName' in node && node.tagName === 'body')
      hasTextAround = children.some((child) => 'value' in child && child.value.trim() !== '');
    for (const child of children) waiting.push(child);
  }
  return { hasElement, hasTextAround };
}

function isKnown({ tagName }: Element): boolean {
  return elements.has(tagName) || tagName.includes('-');
}

/** Returns whether an element is written out: a parser adds those that are missing. */
function isWritten({ sourceCodeLocation }: Element): boolean {
  return sourceCodeLocation !== undefined && sourceCodeLocation !== null;
}
