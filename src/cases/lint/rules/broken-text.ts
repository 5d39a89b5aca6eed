import { questionOf } from '../../../core/schema/case.ts';
import type { LintRule } from '../rule.ts';

/** UTF-8 that was read as Windows-1252: a lead byte with its continuation bytes, as the characters they became. */
const mojibake =
  /Ã[\u0080-\u00bf\u0152-\u0178ƒ€‚„…†‡ˆ‰‹Œ‘’“”•–—˜™›œ]|â€[\u009c\u009d\u0099™œ“”˜¦]|Â[\u00a0-\u00bf]/u;
const entity = /&(?:amp|lt|gt|quot|nbsp|#\d{2,5}|#x[\da-f]{2,5});/i;

/** The rule for texts that were damaged on their way: wrong encodings, and entities of HTML. */
export const brokenText: LintRule = {
  name: 'broken-text',
  severity: 'warning',
  summary: 'a text was read in the wrong encoding, or contains entities of HTML',
  create: () => ({
    *checkCase({ case: testCase, ref }) {
      const { answer, keywords, forbidden, entities } = testCase.expected;
      const texts = { answer, keywords, forbidden, entities };
      const all: [readonly PropertyKey[], string][] = [[['input'], questionOf(testCase)]];
      for (const [name, value] of Object.entries(texts)) {
        for (const text of [value ?? []].flat()) all.push([['expected', name], text]);
      }
      for (const [path, text] of all) {
        const fault = findFault(text);
        if (fault !== undefined) yield { at: ref, path, ...fault };
      }
    },
  }),
};

function findFault(text: string): { readonly message: string; readonly remedy: string } | undefined {
  const broken = text.includes('\ufffd') ? '\ufffd' : mojibake.exec(text)?.[0];
  if (broken !== undefined) {
    const at = Math.max(0, text.indexOf(broken) - 12);
    return {
      message: `"${text
        .slice(at, at + 28)
        .replace(/\s+/g, ' ')
        .trim()}" was read in the wrong encoding`,
      remedy: 'Make the file again from its source, in UTF-8.',
    };
  }
  const found = entity.exec(text)?.[0];
  return found === undefined
    ? undefined
    : {
        message: `contains "${found}", which is an entity of HTML and not a character`,
        remedy: 'Replace it by the character, unless the question is about HTML.',
      };
}
