import type { SaxesParser } from 'saxes';
import { z } from 'zod';
import { messageOf } from '../../../core/errors.ts';
import { computeWithin, outOfTime, UnmeasurableError } from '../../../core/lib/compute-within.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { defineMetric } from '../metric.ts';
import { passOrFail } from '../verdicts.ts';

/**
 * Checks that the whole answer is well-formed XML 1.0, with the elements that are required: 1, else 0. No document type
 * is followed, and no entity is expanded. Not measured when the answer declares a document type of its own, whose
 * entities decide whether it is well-formed; `is-xml` of promptfoo, which reads with the same parser, fails it. With
 * `anywhere` it looks for well-formed elements with other text around them, as `contains-xml` of promptfoo does, which
 * forgives some that are not well-formed; the elements that are required may be in several of them.
 */
export const xmlValid = defineMetric({
  name: 'xml-valid',
  family: 'format',
  version: 1,
  summary: 'The answer is well-formed XML, with nothing around it unless allowed: 1, else 0.',
  words: 'XML, well-formed, markup, format, SOAP',
  options: () =>
    z.strictObject({
      anywhere: z
        .boolean()
        .default(false)
        .describe(
          'True to look for well-formed elements anywhere in the answer, with other text around them.',
        ),
      requiredElements: z
        .array(z.string().min(1))
        .default([])
        .describe('Elements that must be there, with all that they stand in: `analysis.classification`.'),
    }),
  create: ({ anywhere, requiredElements }) => ({
    score: async ({ trial }) => {
      const { SaxesParser: Parser } = await import('saxes');
      const text = (trial.answer ?? '').trim();
      if (text === '') return verdictOf('there is no answer');
      const read = anywhere ? readAnywhere(text, () => new Parser()) : readElements(text, new Parser());
      if ('own' in read) {
        const reason = 'it declares a document type with entities of its own, which are not read';
        return { status: 'failed', code: 'xml-document-type', reason };
      }
      if ('fault' in read) return verdictOf(read.fault);
      const missing = requiredElements.filter((element) => !read.paths.has(element));
      return verdictOf(
        missing.length === 0 ? undefined : `these elements are missing: ${missing.join(', ')}`,
      );
    },
  }),
});

function verdictOf(fault: string | undefined): Verdict {
  const passed = fault === undefined;
  return passOrFail(passed, { explanation: fault });
}

type ReadElements =
  | { readonly paths: ReadonlySet<string> }
  | { readonly fault: string }
  | { readonly own: true };

/** The most different paths that are remembered; an answer with more is no document that someone asked for. */
const mostPaths = 100_000;

/** Returns the paths of all elements of a document, or what is wrong with it. */
function readElements(text: string, parser: SaxesParser): ReadElements {
  const open: string[] = [];
  const paths = new Set<string>();
  let hasOwnType = false;
  parser.on('doctype', (doctype) => {
    hasOwnType = doctype.includes('[');
    if (hasOwnType) throw new Error('a document type of its own');
  });
  parser.on('opentag', ({ name }) => {
    open.push(name);
    if (paths.size < mostPaths && open.length <= 100) paths.add(open.join('.'));
  });
  parser.on('closetag', () => open.pop());
  try {
    parser.write(text).close();
  } catch (error) {
    return hasOwnType ? { own: true } : { fault: messageOf(error) };
  }
  return { paths };
}

/** A comment, a CDATA section, an instruction, or a tag: its slash, its name, and the slash of an element without content. */
const markup =
  /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<\?[^]*?(?:\?>|$)|<(\/?)([\p{L}_:][\p{L}\p{N}_:.-]*)(?:"[^"]*"|'[^']*'|[^<>"'])*?(\/?)>/gu;
const limitMs = 1000;

/** Reads the outermost elements of a text that are well-formed, and returns the paths in all of them. */
function readAnywhere(text: string, createParser: () => SaxesParser): ReadElements {
  const found = computeWithin(limitMs, () =>
    findElements(text).map((element) => readElements(element, createParser())),
  );
  if (found === outOfTime)
    throw new UnmeasurableError('too-long', 'the answer takes too long to be searched for XML');
  const paths = new Set(found.flatMap((read) => ('paths' in read ? [...read.paths] : [])));
  return paths.size === 0 ? { fault: 'it contains no well-formed element' } : { paths };
}

/** Returns the outermost elements of a text whose tags fit together. */
function findElements(text: string): string[] {
  const open: { readonly name: string; readonly start: number }[] = [];
  const found: { readonly start: number; readonly end: number }[] = [];
  for (const match of text.matchAll(markup)) {
    const [tag, closing, name = '', empty] = match;
    if (closing === undefined) continue;
    const end = match.index + tag.length;
    if (closing === '' && empty === '') {
      open.push({ name, start: match.index });
      continue;
    }
    const start = closing === '' ? match.index : open.at(-1)?.name === name ? open.pop()?.start : undefined;
    if (start === undefined) {
      open.length = 0;
      continue;
    }
    while ((found.at(-1)?.start ?? -1) > start) found.pop();
    found.push({ start, end });
  }
  return found.map(({ start, end }) => text.slice(start, end));
}
