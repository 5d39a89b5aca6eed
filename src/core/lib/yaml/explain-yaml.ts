/** An error of a YAML parser. */
export interface YamlFault {
  readonly code: string;
  readonly message: string;
  /** The offsets in the text at which the error begins and ends. */
  readonly pos: readonly [number, number];
}

/** The reason why a text is not YAML, and what to do about it. */
export interface YamlExplanation {
  readonly message: string;
  readonly remedy: string;
}

const quoteIt = 'Put the text in quotation marks.';

/** Common mistakes in YAML, by the parser's codes. */
const slips: Readonly<Record<string, YamlExplanation>> = {
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a second colon in what looks like one field',
    remedy: `${quoteIt} A colon with a space behind it ends the name of a field.`,
  },
  MULTILINE_IMPLICIT_KEY: {
    message: 'expected the name of a field and a colon on one line',
    remedy: 'Write a colon and a space behind each name, and indent texts of several lines.',
  },
  BAD_SCALAR_START: { message: 'a text cannot begin with this character', remedy: quoteIt },
  BAD_DQ_ESCAPE: {
    message: 'a backslash that means nothing',
    remedy: 'Write it twice, or put the text in single quotation marks.',
  },
  DUPLICATE_KEY: { message: 'two fields with the same name', remedy: 'Remove one of the two.' },
  TAB_AS_INDENT: {
    message: 'a tab in the indentation',
    remedy: 'Indent with spaces; YAML does not take tabs.',
  },
};

/** Explains the first error of a YAML parser. */
export function explainYaml({ code, message, pos: [offset] }: YamlFault, text: string): YamlExplanation {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n', 1)[0] ?? '';
  const slip = /^ *\t/.test(line) ? slips['TAB_AS_INDENT'] : slips[code];
  return slip ?? explainUnclosed(message) ?? { message: toLowerStart(message), remedy: lookThere };
}

const lookThere = 'Check the indentation, colons and quotation marks there.';

function explainUnclosed(message: string): YamlExplanation | undefined {
  const [, bracket] = /end with a ([\]}])$/.exec(message) ?? [];
  if (bracket === undefined && !message.startsWith('Missing closing')) return undefined;
  return {
    message: `expected ${bracket ?? 'a quotation mark'} to close what began before`,
    remedy: 'Close it, or put a text that begins with such a character in quotation marks.',
  };
}

function toLowerStart(message: string): string {
  return message.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}
