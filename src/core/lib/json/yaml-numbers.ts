import type { Document } from 'yaml';
import { ExactNumber, exactNumber } from './exact-number.ts';

/**
 * Packs the numbers of a document that a double would lose, which the package `yaml` would make doubles of, as
 * `packNumbers` does. Returns whether there are any: `unpackNumbers` then belongs around `toJS`.
 */
export function packYamlNumbers(
  { visit }: Pick<typeof import('yaml'), 'visit'>,
  document: Document,
): boolean {
  let isPacked = false;
  visit(document, {
    Scalar: (key, node) => {
      if (typeof node.value !== 'number' || node.source === undefined) return;
      const number = exactNumber(node.source);
      if (!(number instanceof ExactNumber)) return;
      isPacked = true;
      // A name is a text in any case.
      node.value = key === 'key' ? number.digits : new Set([number.digits]);
    },
  });
  return isPacked;
}
