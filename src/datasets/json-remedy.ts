/** Where and how a text stops being JSON. */
interface Fault {
  readonly text: string;
  readonly offset: number;
  readonly expected: string;
  /** The text is one line of JSON Lines. */
  readonly isLine: boolean;
}

interface Situation {
  /** The characters at the fault. */
  readonly rest: string;
  /** The text before the fault, without blanks at its end. */
  readonly before: string;
  readonly isAtEnd: boolean;
  readonly isLine: boolean;
  readonly wants: 'end' | 'separator' | 'quote' | 'name' | 'escape' | 'value';
}

/** What people mistype in JSON, and how to mend it; the first that fits is told. */
const slips: readonly (readonly [fits: (situation: Situation) => boolean, remedy: string])[] = [
  [
    ({ isAtEnd, isLine }) => isAtEnd && isLine,
    'Write each case as one whole object on one line; objects over several lines belong in a .json file, as a list.',
  ],
  [({ isAtEnd }) => isAtEnd, 'The text is cut off, or a bracket or quotation mark is not closed.'],
  [({ rest }) => /^(\/\/|\/\*|#)/.test(rest), 'Remove the comment; JSON has none.'],
  [({ rest }) => /^['‘’“”]/.test(rest), 'Use straight double quotes (") around texts and names.'],
  [({ rest, before }) => /^[}\]]/.test(rest) && before.endsWith(','), 'Remove the comma before it.'],
  [({ rest }) => /^(NaN|-?Infinity|None|undefined)\b/.test(rest), 'Write null, or leave the field out.'],
  [({ rest }) => /^(True|False)\b/.test(rest), 'Write true or false in lower case.'],
  [
    ({ wants, isLine, rest }) => wants === 'end' && isLine && /^,?\s*\{/.test(rest),
    'Put each object on a line of its own.',
  ],
  [
    ({ wants, isLine, rest }) => wants === 'end' && isLine && rest.startsWith(','),
    'Remove the comma; lines are not separated by commas.',
  ],
  [({ wants, rest }) => wants === 'separator' && /^["'{[]/.test(rest), 'A comma is missing before it.'],
  [
    ({ wants, before }) => wants === 'separator' && before.endsWith('"'),
    'A comma is missing, or the quotation mark before it belongs to the text: write it as \\".',
  ],
  [
    ({ wants }) => wants === 'quote',
    'Close the text with ", and write line breaks in it as \\n and tabs as \\t.',
  ],
  [({ wants }) => wants === 'escape', 'Write a backslash in a text as \\\\.'],
  [({ wants }) => wants === 'name', 'Put names of fields in double quotes.'],
];

/** What to do about a fault in JSON text; undefined when it looks like no common slip. */
export function jsonRemedy({ text, offset, expected, isLine }: Fault): string | undefined {
  const situation: Situation = {
    rest: text.slice(offset, offset + 21),
    before: text.slice(0, offset).trimEnd(),
    isAtEnd: offset >= text.length,
    isLine,
    wants: wantsOf(expected),
  };
  return slips.find(([fits]) => fits(situation))?.[1];
}

function wantsOf(expected: string): Situation['wants'] {
  if (expected.startsWith('the end')) return 'end';
  if (expected.startsWith("','")) return 'separator';
  if (expected.startsWith(`'"' at`)) return 'quote';
  if (expected.startsWith(`'"'`)) return 'name';
  return expected.startsWith('one of "') ? 'escape' : 'value';
}
