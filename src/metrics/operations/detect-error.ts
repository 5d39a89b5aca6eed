/** One sign by which an answer is recognised as an error report. */
export interface ErrorSign {
  /** Kept as evidence with the verdict. */
  readonly id: string;
  readonly meaning: string;
  readonly matches: (answer: string) => boolean;
}

type Pattern = Pick<RegExp, 'test'>;

const stackFrame = /^[ \t]*at /m;
const apology = String.raw`(?:(?:oh no|oops|uh-oh|hmm|sorry|apologies|my apologies|unfortunately|i'm sorry|i am sorry|i apologi[sz]e)[,.!:;—–-]*\s+(?:but\s+|that\s+)?)*`;
const mishap = String.raw`(?:unexpected |internal |unknown |technical |fatal |database |server |system |tool |network )*(?:error|exception)`;

/**
 * The table of error reports. Each sign is anchored where a report begins (the answer, or a line of a stack trace), so
 * that an answer which merely talks about errors is not one. Positive and negative examples stand in the test.
 */
export const errorSigns: readonly ErrorSign[] = [
  sign('empty-answer', 'The answer is missing or only white space.', /^\s*$/),
  sign(
    'python-traceback',
    'A Python traceback.',
    where(
      holds('Traceback (most recent call last)'),
      /^[ \t`>]*Traceback \(most recent call last\):?[ \t\r]*$/m,
      /Traceback \(most recent call last\):?\s*File "/,
    ),
  ),
  sign(
    'javascript-stack',
    'A frame of a JavaScript stack trace.',
    where(
      stackFrame,
      /^[ \t]*at (?:async |new )*[^\s()]+(?: \[as [^\]]+\])? \([^()\s]+:\d+:\d+\)/m,
      /^[ \t]*at (?:async )?(?:file:\/\/|node:|\/|[A-Za-z]:\\)[^\s()]+:\d+:\d+\s*$/m,
    ),
    where(
      holds('Error: '),
      /^[ \t]*(?:Uncaught )?[A-Z]\w*Error: [^\n]* at (?:async |new )*[^\s()]+ \([^()\s]+:\d+:\d+\)/m,
    ),
  ),
  sign(
    'jvm-stack',
    'A frame of a Java, Kotlin or .NET stack trace.',
    where(
      stackFrame,
      /^[ \t]*at [\w.$<>/]+\((?:[\w$]+\.(?:java|kt|scala):\d+|Native Method|Unknown Source)\)/m,
      /^[ \t]*at [\w.`<>[\], ]+\([^()\n]*\) in \S+:line \d+/m,
    ),
    /^\s*Exception in thread "[^"\n]*" /,
  ),
  sign(
    'native-panic',
    'A Go or Rust panic.',
    /^\s*panic: [^\n]+\n+\s*goroutine \d+ \[/,
    /^\s*thread '[^'\n]*' (?:\(\d+\) )?panicked at /,
  ),
  sign(
    'error-name',
    'The answer begins with the name of an error class: `DatabaseError: …`.',
    /^\s*(?:Uncaught |Unhandled )?(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)\s*:\s*\S/,
  ),
  sign(
    'error-prefix',
    'The answer begins with `Error:`.',
    /^\s*(?:(?:fatal|internal|unexpected|unhandled|system|server|database|api|tool|runtime)[ -])*error\s*:\s*\S/i,
    /^\s*(?:unhandled|uncaught) exception\b/i,
  ),
  sign(
    'error-sentence',
    'The answer reports that something went wrong on its own side: "I encountered an error while …".',
    new RegExp(
      String.raw`^\s*${apology}(?:it (?:seems|looks like|appears)(?: that)? )?(?:i|we)(?:'ve| have)? (?:just |also )?(?:encountered|ran into|run into|hit|got|experienced|met with) an? ${mishap}\b(?!\s*(?:code|message)s?\s+(?:means|is)\b)`,
      'i',
    ),
    new RegExp(
      String.raw`(?:[.!?…]|\bbut|\bhowever,?)\s+(?:i|we)(?:'ve| have)? (?:just |also )?(?:encountered|ran into|run into|hit|got) an? ${mishap} (?:while|when|during|trying|accessing|searching|processing|retrieving|connecting)\b`,
      'i',
    ),
    new RegExp(
      String.raw`^\s*${apology}(?:there (?:was|has been) )?an? ${mishap} (?:has )?(?:occurred|happened|while|when|during|processing|executing|calling|connecting|trying)\b`,
      'i',
    ),
    new RegExp(String.raw`^\s*${apology}something (?:went|has gone) wrong\b`, 'i'),
  ),
  sign(
    'http-error',
    'The answer is nothing but an HTTP error status.',
    /^\s*(?:http(?:\/[\d.]+)?\s*)?(?:error\s*)?[45]\d\d[\s:–—-]+(?:bad request|unauthorized|forbidden|not found|method not allowed|request time-?out|too many requests|internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out)[\s.!]*$/i,
    /^\s*(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|too many requests)[\s.!]*$/i,
  ),
  sign(
    'html-error-page',
    'The answer is an HTML error page.',
    /^\s*<(?:!doctype html|html)\b[\s\S]{0,4000}?<(?:title|h1)>[^<]{0,200}(?:\berror\b|\b[45]\d\d\b|bad gateway|unavailable|not found|forbidden)/i,
  ),
  {
    id: 'json-error',
    meaning: 'The answer is a JSON object that holds only an error.',
    matches: isJsonError,
  },
];

/**
 * Recognises an answer that is missing or is an error report; undefined when it is an ordinary answer.
 * Version changes with the table: it can move scores.
 */
export function detectError(answer: string | null): ErrorSign | undefined {
  return errorSigns.find((candidate) => candidate.matches(answer ?? ''));
}

function sign(id: string, meaning: string, ...patterns: Pattern[]): ErrorSign {
  return { id, meaning, matches: (answer) => hasMatch(answer, patterns) };
}

/** Patterns that are only tried where something simpler is found, without which none of them matches. */
function where(condition: Pattern, ...patterns: RegExp[]): Pattern {
  return { test: (answer) => condition.test(answer) && hasMatch(answer, patterns) };
}

function hasMatch(answer: string, patterns: readonly Pattern[]): boolean {
  for (const pattern of patterns) if (pattern.test(answer)) return true;
  return false;
}

function holds(text: string): Pattern {
  return { test: (answer) => answer.includes(text) };
}

const errorMembers = new Set([
  'error',
  'errors',
  'code',
  'status',
  'statusCode',
  'message',
  'detail',
  'type',
  'success',
  'ok',
]);

function isJsonError(answer: string): boolean {
  if (!/^\s*\{\s*"/.test(answer) || answer.length > 20_000) return false;
  try {
    const value = JSON.parse(answer) as Record<string, unknown>;
    const hasError = Boolean(value['error'] ?? value['errors']);
    return hasError && Object.keys(value).every((key) => errorMembers.has(key));
  } catch {
    return false; // Not JSON after all: an answer in braces.
  }
}
