/** A rule that replaces parts of a text; `place` is its place in the text. */
export interface FoldRule {
  readonly pattern: RegExp;
  /** A character without which it replaces nothing. */
  readonly needs?: string;
  readonly replace: (found: string, place: number, text: string) => string;
}

const alike: readonly (readonly [plain: string, characters: string])[] = [
  ["'", '\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u02b9\u02bb\u02bc\u02bd\u00b4\u055a\ua78c'],
  ['"', '\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u301d\u301e\u301f'],
  ['-', '\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d\u2e3a\u2e3b'],
  ['/', '\u2044\u2215'],
];
const plainOf = new Map(
  alike.flatMap(([plain, characters]) => Array.from(characters, (character) => [character, plain] as const)),
);

const operators: Readonly<Record<string, string>> = {
  '≥': '>=',
  '⩾': '>=',
  '≧': '>=',
  '≤': '<=',
  '⩽': '<=',
  '≦': '<=',
  '≠': '!=',
};

const raised = '\u2070\u00b9\u00b2\u00b3\u2074-\u207e\u207f\u2071';
const lowered = '\u2080-\u208e';

const toSmall: FoldRule['replace'] = (found) => found.toLowerCase();

/** Makes small letters of the capitals of ASCII, besides which there are no others that it may change. */
export const asciiCase: FoldRule = { pattern: /[A-Z]+/g, replace: toSmall };
// Small letters of Cherokee are folded to their capitals.
const anyAsciiCase: FoldRule = { ...asciiCase };

/** The rules for a text of ASCII, in their order. */
const asciiRules: readonly FoldRule[] = [
  { pattern: /(?<=\p{L})`(?=\p{L})/gu, needs: '`', replace: () => "'" },
  // Markdown's escapes, where they can be nothing else.
  { pattern: /\\(?=_\w)|\\(?=[$%])(?:(?<=\d\\)|(?=\$\d))/g, needs: '\\', replace: () => '' },
  asciiCase,
  { pattern: /[\t-\r\u001c-\u0020][\t-\r\u001c-\u0020]+|[\t-\r\u001c-\u001f]/g, replace: () => ' ' },
  { pattern: /^ | $/g, replace: () => '' },
];

const unspaced = String.raw`[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]`;

const anyCase: FoldRule = {
  // Sequences are limited as in Unicode's stream-safe format, since normal forms sort the marks of each.
  pattern: new RegExp(
    String.raw`[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]{1,30}|(?!\s)\P{M}[\p{M}\uff9e\uff9f]{1,30}|\p{M}{1,30}|(?!${unspaced}|[\0-\x7f])\p{CWKCF}|[\u0131\u03c2]`,
    'gu',
  ),
  replace: foldCharacter,
};

const typography: FoldRule = {
  pattern: new RegExp(`[${[...plainOf.keys()].join('')}]`, 'gu'),
  replace: (found) => plainOf.get(found) ?? found,
};

const joinedLetters: Readonly<Record<string, string>> = { œ: 'oe', Œ: 'Oe', æ: 'ae', Æ: 'Ae' };
/** After letters were composed: `ǽ` is another one. */
const ligatures: FoldRule = { pattern: /[œŒæÆ]/g, replace: (found) => joinedLetters[found] ?? found };

/** A text of composed Latin letters and the usual typography, in which few rules find anything. */
const western = new RegExp(`^[\\0-\\x7f\u00a0\u00c0-\u024f\u2026\u20ac${[...plainOf.keys()].join('')}]*$`);
const westernCase: FoldRule = {
  // Written out, since a property is looked up for each character of a text.
  pattern: new RegExp(
    `[\u0131${Array.from({ length: 0x250 - 0x80 }, (_, place) => String.fromCharCode(0x80 + place))
      .filter((character) => /\p{CWKCF}/u.test(character))
      .join('')}\u2026]`,
    'g',
  ),
  replace: foldCharacter,
};
const westernRules: readonly FoldRule[] = [typography, westernCase, ligatures, ...asciiRules];

/** The rules for any text, in their order. */
const allRules: readonly FoldRule[] = [
  {
    // A joiner between the parts of an emoji makes another emoji of them.
    pattern:
      /[\u00ad\u061c\u0640\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\u034f|[\ufe00-\ufe0f]|(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d/gu,
    replace: () => '',
  },
  typography,
  {
    pattern: new RegExp(`(?<![${raised}])[${raised}]{1,9}/[${lowered}]{1,9}(?![${lowered}])`, 'gu'),
    replace: spaced((found) => found.normalize('NFKC')),
  },
  { pattern: new RegExp(`[${raised}]+`, 'gu'), replace: raise },
  { pattern: new RegExp(`[${lowered}]+`, 'gu'), replace: lower },
  // Square and cubic units in one character: ㎡.
  {
    pattern: /[\u339f-\u33a6\u33a8\u33af]/gu,
    replace: (found) => found.normalize('NFKC').replace(/(?<=\p{L})[23]$/u, '^$&'),
  },
  // Fractions, digits in circles and the like: never glued to a digit next to them.
  {
    pattern: /[\p{No}\u33e0-\u33fe\u3358-\u3370\u32c0-\u32cb]/gu,
    replace: spaced((found) => found.normalize('NFKC').replaceAll('\u2044', '/')),
  },
  { pattern: /(?![0-9])\p{Nd}/gu, replace: (digit) => String(digitValue(digit.codePointAt(0) ?? 0)) },
  anyCase,
  ligatures,
  { pattern: /[≥⩾≧≤⩽≦≠]/g, replace: (found) => operators[found] ?? found },
  { pattern: /[\s\u0085\u180e]/gu, replace: () => ' ' },
  ...asciiRules.map((rule) => (rule === asciiCase ? anyAsciiCase : rule)),
];

const casedRules = new Map(
  [asciiRules, westernRules, allRules].map((rules) => [
    rules,
    rules
      .filter((rule) => rule.replace !== toSmall)
      .map((rule) => (rule.replace === foldCharacter ? { ...rule, replace: foldForm } : rule)),
  ]),
);

/** Returns the rules that a text needs. */
export function foldRulesFor(text: string, keepsCase: boolean): readonly FoldRule[] {
  // eslint-disable-next-line no-control-regex
  const isAscii = /^[\0-\x7f]*$/.test(text);
  const otherRules = western.test(text) ? westernRules : allRules;
  const rules = isAscii ? asciiRules : otherRules;
  return keepsCase ? (casedRules.get(rules) ?? rules) : rules;
}

/** Folds a character to its compatibility form. */
function foldForm(found: string): string {
  return found.normalize('NFKC');
}

function spaced(change: (found: string) => string): FoldRule['replace'] {
  return (found, place, text) => {
    const changed = change(found);
    const isAfter = /\p{N}/u.test(text.charAt(place - 1)) && /^\d/.test(changed);
    const isBefore = /\p{N}/u.test(text.charAt(place + found.length)) && /\d$/.test(changed);
    return `${isAfter ? ' ' : ''}${changed}${isBefore ? ' ' : ''}`;
  };
}

/** `10²` is `10^2`; a digit after it does not belong to the power. */
function raise(found: string, place: number, text: string): string {
  const isDigitAfter = /\p{N}/u.test(text.charAt(place + found.length));
  return `^${plainSigns(found)}${isDigitAfter ? ' ' : ''}`;
}

/** `H₂O` is `H2O`; after a digit, or before one, `10₂` is the base of a number. */
function lower(found: string, place: number, text: string): string {
  const isDigitBefore = place === 0 || /\p{N}/u.test(text.charAt(place - 1));
  const isDigitAfter = /\p{N}/u.test(text.charAt(place + found.length));
  return `${isDigitBefore || isDigitAfter ? '_' : ''}${plainSigns(found)}${isDigitAfter ? ' ' : ''}`;
}

function plainSigns(found: string): string {
  return found.normalize('NFKC').replaceAll('\u2212', '-');
}

/** Returns the value of a digit. Digits are in runs from 0 to 9, one run after the other or alone. */
function digitValue(codePoint: number): number {
  let start = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--;
  return (codePoint - start) % 10;
}

const dottedI = /(?<=i)\u0307/g;

/** Folds a character, with its marks, to its compatibility form and, by way of its capital, to the common small letter. */
function foldCharacter(found: string): string {
  const plain = found.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  return plain.replaceAll('ς', 'σ').normalize('NFKC').replace(dottedI, '');
}
