import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { type JsonFault, JsonTokenizer } from './tokenizer.ts';

/** The reason why a text is not JSON, and what to do about it. */
export interface JsonExplanation {
  readonly offset: number;
  readonly message: string;
  readonly remedy: string | undefined;
}

/** The surroundings of a JSON text, in the words of the user. */
export interface JsonSurroundings {
  /** The description of what may follow the value: `',' or ']'` in a list. */
  readonly after: string;
  /** The description of the end of the text: the end of the line, of the file. */
  readonly end: string;
}

/** Explains why `JSON.parse` refused a text, or why a text that is JSON so far must continue. */
export function explainJson(text: string, surroundings: JsonSurroundings): JsonExplanation {
  const fault = findFault(text) ?? { offset: text.length, expected: 'the end', before: text, rest: '' };
  return { offset: fault.offset, ...explainFault(fault, surroundings) };
}

/** Returns whether a text is one JSON value. Slower than `JSON.parse`, but no depth of nesting is too deep for it. */
export function isJsonText(text: string): boolean {
  return findFault(text) === undefined;
}

/** Returns the offset of the value at a path of a valid JSON text, or of the innermost value around it that exists. */
export function findInJson(text: string, path: readonly PropertyKey[]): number {
  let found = 0;
  const tokenizer = new JsonTokenizer({
    mode: 'strict',
    start: { file: '' },
    choose: (here) => {
      if (here.length > 0 && here.at(-1) !== path[here.length - 1]) return 'skip';
      found = tokenizer.offset;
      return here.length < path.length ? 'enter' : 'skip';
    },
  });
  tokenizer.readAll(text);
  return found;
}

function findFault(text: string): JsonFault | undefined {
  const tokenizer = new JsonTokenizer({
    mode: 'strict',
    start: { file: '' },
    choose: (_, isScalar) => (isScalar ? 'keep' : 'enter'),
  });
  tokenizer.readAll(text);
  return tokenizer.fault;
}

/** Describes a fault in JSON text, with what to do about it when it is a common mistake. */
export function explainFault(
  fault: Pick<JsonFault, 'expected' | 'before' | 'rest'>,
  { after, end }: JsonSurroundings,
): Omit<JsonExplanation, 'offset'> {
  const { before, rest } = fault;
  const expected = fault.expected === 'the end' ? after : fault.expected;
  const slip: Slip = {
    rest: rest.slice(0, 21),
    before: before.trimEnd(),
    isLine: end === 'the end of the line',
    wants: wantsOf(expected),
  };
  return {
    message: `expected ${expected} but found ${describeFound(before, rest, end)}`,
    remedy: slips.find(([fits]) => fits(slip))?.[1],
  };
}

function describeFound(before: string, rest: string, end: string): string {
  if (rest === '') return end;
  const character = String.fromCodePoint(rest.codePointAt(0) as number);
  if (character === '\n' || character === '\r') return 'a line break';
  if (character === '\t') return 'a tab';
  const isAtWord = !/[\w"]$/.test(before.slice(-1));
  const word = isAtWord ? /^[A-Za-z_]\w{1,19}(?!\w)/.exec(rest.slice(0, 21))?.[0] : undefined;
  return character === "'" ? `"'"` : `'${toTerminalText(word ?? character)}'`;
}

interface Slip {
  /** The characters at the fault. */
  readonly rest: string;
  /** The text before the fault, without blanks at its end. */
  readonly before: string;
  /** True for a line of JSON Lines. */
  readonly isLine: boolean;
  readonly wants: 'end' | 'separator' | 'quote' | 'name' | 'escape' | 'value';
}

/** Common mistakes in JSON, and how to correct them. The first that fits is shown. */
const slips: readonly (readonly [fits: (slip: Slip) => boolean, remedy: string])[] = [
  [
    ({ rest, isLine }) => rest === '' && isLine,
    'Write each question as one whole object on one line; objects over several lines belong in a .json file, as a list.',
  ],
  [({ rest }) => rest === '', 'The text is cut off, or a bracket or quotation mark is not closed.'],
  [({ rest }) => /^(\/\/|\/\*|#)/.test(rest), 'Remove the comment; JSON has none.'],
  [({ rest }) => /^['‘’“”]/.test(rest), 'Use straight double quotes (") around texts and names.'],
  [({ rest, before }) => /^[}\]]/.test(rest) && before.endsWith(','), 'Remove the comma before it.'],
  [
    ({ wants, rest, before }) => wants === 'value' && rest.startsWith(',') && /[,[]$/.test(before.slice(-1)),
    'Remove the comma.',
  ],
  [
    ({ rest }) => /^NaN\b/.test(rest),
    "Write null, or leave the field out, as pandas does with `df.to_json(orient='records')`.",
  ],
  [({ rest }) => /^(-?Infinity|None|undefined)\b/.test(rest), 'Write null, or leave the field out.'],
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

function wantsOf(expected: string): Slip['wants'] {
  if (expected.startsWith('the end')) return 'end';
  if (expected.startsWith("','")) return 'separator';
  if (expected.startsWith(`'"' at`)) return 'quote';
  if (expected.startsWith(`'"'`)) return 'name';
  return expected.startsWith('one of "') ? 'escape' : 'value';
}
