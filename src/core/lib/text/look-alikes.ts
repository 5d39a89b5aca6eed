/** Letters of other scripts that look like Latin ones. */
const twins: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['aеоpсухіјѕһԁԛԝ', 'aeopcyxijshdqw'],
    ['аер', 'aep'],
    ['кмтвн', 'kmtbh'],
    ['οανρυιτκνχε', 'oavpuitkvxe'],
  ].flatMap(([others = '', latin = '']) =>
    Array.from(others, (other, index) => [other, latin.charAt(index)] as const),
  ),
);

/** Returns the Latin letter that a small letter of another script looks like; any other character as it is. */
export function latinTwin(character: string): string {
  return Object.hasOwn(twins, character) ? (twins[character] ?? character) : character;
}

const word = /[\p{L}\p{M}]+/gu;

/**
 * Returns a text in small letters with its words in one script: a word that mixes Latin letters with others that look like
 * them, `p\u0430ssword`, is written in Latin ones. Words of one script stay as they are.
 */
export function withoutDisguise(text: string): string {
  return text.replace(word, (found) =>
    /\p{Script=Latin}/u.test(found) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(found)
      ? Array.from(found, latinTwin).join('')
      : found,
  );
}
