import type { SaxesParser } from 'saxes';
import { z } from 'zod';
import { messageOf } from '../../errors.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { defineMetric } from '../metric.ts';

/**
 * Checks that the whole answer is well-formed XML 1.0, with the elements that are required: 1, else 0. No document type
 * is followed, and no entity is expanded. Not measured when the answer declares a document type of its own, whose
 * entities decide whether it is well-formed; `is-xml` of promptfoo, which reads with the same parser, fails it.
 */
export const xmlValid = defineMetric({
  name: 'xml-valid',
  family: 'format',
  version: 1,
  summary: 'The answer is well-formed XML, with nothing around it: 1, else 0.',
  options: () =>
    z.strictObject({
      requiredElements: z
        .array(z.string().min(1))
        .default([])
        .describe('Elements that must be there, with all that they stand in: `analysis.classification`.'),
    }),
  create: ({ requiredElements }) => ({
    score: async ({ trial }) => {
      const { SaxesParser: Parser } = await import('saxes');
      const text = (trial.answer ?? '').trim();
      if (text === '') return verdictOf('there is no answer');
      const read = readElements(text, new Parser());
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
  return { status: 'scored', value: passed ? 1 : 0, passed, explanation: fault };
}

type ReadElements =
  | { readonly paths: ReadonlySet<string> }
  | { readonly fault: string }
  | { readonly own: true };

/** The most different paths that are remembered; an answer with more is no document that somebody asked for. */
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
