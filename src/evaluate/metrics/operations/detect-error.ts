import {
  emptyAnswers,
  errorPrefixes,
  htmlErrorPage,
  httpErrors,
  isJsonError,
  namedErrors,
  nullValues,
  xmlError,
} from './error-bodies.ts';
import { reportsErrorLater, reportsFailure } from './failure-reports.ts';

/** A sign by which an answer is recognised as an error report. */
export interface ErrorSign {
  /** The id that the evidence of a verdict names. */
  readonly id: string;
  readonly meaning: string;
  readonly matches: (text: ReportText) => boolean;
}

type Pattern = Pick<RegExp, 'exec'>;

const stackFrame = /^[ \t]*at /m;

/**
 * The table of error reports. Each sign is anchored where a report begins (at the answer's start, or at a line of a
 * stack trace), so an answer that only talks about errors does not match. The test has positive and negative examples
 * of each sign.
 */
export const errorSigns: readonly ErrorSign[] = [
  {
    id: 'empty-answer',
    meaning: 'The answer is missing, is only white space, or states that there is none.',
    matches: ({ said }) => emptyAnswers.test(said.trim()),
  },
  opening(
    'null-value',
    'The answer is what a program prints for no value: `None`, `[object Object]`.',
    nullValues,
  ),
  trace(
    'python-traceback',
    'A Python traceback.',
    where(
      (text) => text.includes('Traceback (most recent call last)'),
      /^[ \t]*Traceback \(most recent call last\):?[ \t\r]*$/m,
      /Traceback \(most recent call last\):?\s*File "/,
    ),
  ),
  trace(
    'javascript-stack',
    'A frame of a JavaScript stack trace.',
    where(
      (text) => stackFrame.test(text),
      /^[ \t]*at (?:async |new )*[^\s()]+(?: \[as [^\]]+\])? \([^()\s]+:\d+:\d+\)/m,
      /^[ \t]*at (?:async )?(?:file:\/\/|node:|\/|[A-Za-z]:\\)[^\s()]+:\d+:\d+\s*$/m,
    ),
    where(
      (text) => text.includes('Error: '),
      /^[ \t]*(?:Uncaught )?[A-Z]\w*Error: [^\n]* at (?:async |new )*[^\s()]+ \([^()\s]+:\d+:\d+\)/m,
    ),
  ),
  trace(
    'jvm-stack',
    'A frame of a Java, Kotlin or .NET stack trace.',
    where(
      (text) => stackFrame.test(text),
      /^[ \t]*at [\w.$<>/]+\((?:[\w$]+\.(?:java|kt|scala):\d+|Native Method|Unknown Source)\)/m,
      /^[ \t]*at [\w.`<>[\], ]+\([^()\n]*\) in \S+:line \d+/m,
    ),
    /^\s*Exception in thread "[^"\n]*" /,
  ),
  trace(
    'native-panic',
    'A Go or Rust panic.',
    /^\s*(?:panic: [^\n]+\n+\s*)?goroutine \d+ \[/,
    /^\s*thread '[^'\n]*' (?:\(\d+\) )?panicked at /,
  ),
  opening(
    'error-name',
    'The answer begins with the name of an error and its message: `DatabaseError: …`.',
    namedErrors,
  ),
  opening('http-error', 'The answer is an HTTP error status, or the error text of a gateway.', httpErrors),
  opening(
    'error-prefix',
    'The answer begins with `Error:`, or with `API error:` and the like.',
    errorPrefixes,
  ),
  {
    id: 'failure-report',
    meaning:
      'The answer reports in a sentence that something failed: "Query failed: …", "I encountered an error while …".',
    matches: ({ said, opening: start, isExplained }) =>
      (!isExplained && reportsFailure(start)) || reportsErrorLater(said),
  },
  {
    id: 'html-error-page',
    meaning: 'The answer is an HTML or XML error page.',
    matches: ({ said }) => htmlErrorPage.test(said) || xmlError.test(said),
  },
  {
    id: 'json-error',
    meaning: 'The answer is JSON that contains an error and no answer.',
    matches: ({ said }) => isJsonError(said),
  },
];

/** The signs of an answer without content. A tool that returns such a text may just have found nothing. */
export const signsOfNothing: ReadonlySet<string> = new Set(['empty-answer', 'null-value']);

/**
 * Returns the sign by which an answer is missing or is an error report; undefined for an ordinary answer. A
 * change of the table can change scores, so it raises the version of every metric that uses it.
 */
export function detectError(answer: string | null): ErrorSign | undefined {
  const text = readReport(answer ?? '');
  return errorSigns.find((candidate) => candidate.matches(text));
}

/** An answer, prepared for the signs of an error report. */
interface ReportText {
  /** The answer without the code and the lines that it quotes, unless it consists only of those. */
  readonly said: string;
  /**
   * The beginning of `said` without decoration ("**", "❌", a time, "Assistant:") and apologies; at most a thousand
   * characters.
   */
  readonly opening: string;
  /** True when the answer goes on to explain the error that it begins with, or asks a question. */
  readonly isExplained: boolean;
}

const invisible = /[\u200b-\u200d\u2060\ufeff]/g;
const longestOpening = 1000;

const decoration =
  /^(?:[\s*_#✗✘]|\p{Extended_Pictographic}\uFE0F?|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,+Z-]*\]?|(?:assistant|bot|ai|answer|response|result|output|final answer|observation)\s*:)+/iu;
const apology =
  /^(?:(?:oh no|oops|whoops|uh[ -]?oh|hmm+|sorry|(?:my |our )?(?:sincere )?apologies|unfortunately|regrettably|i'?m afraid|(?:i'?m|i am|we'?re|we are) (?:very |so |really |terribly )?sorry|(?:i|we) apologi[sz]e)(?: about that| for (?:the|this|any) (?:inconvenience|trouble|delay))?[\s,.!:;—–-]+(?:(?:but|that|and)\s+)?|(?:it (?:seems|looks|appears)(?: like| that)?|(?:it seems|looks) like) )+/i;

/** Prepares an answer in time proportional to its length. */
function readReport(answer: string): ReportText {
  const text = answer.replace(invisible, '').replaceAll('’', "'");
  const { said, quoted } = splitQuotations(text);
  const isQuotation = quoted.trim() !== '' && skipLead(said) === '';
  const own = unquote(isQuotation ? quoted : said);
  return { said: own, opening: skipLead(own), isExplained: explains(own) };
}

function skipLead(text: string): string {
  let rest = text.trimStart().slice(0, 2 * longestOpening);
  for (const lead of [decoration, apology, decoration]) rest = rest.replace(lead, '');
  return rest.slice(0, longestOpening).trimEnd();
}

/** Separates fenced code and quoted lines from the text around them. */
function splitQuotations(text: string): { readonly said: string; readonly quoted: string } {
  if (!/```|~~~|^[ \t]{0,3}>/m.test(text)) return { said: text, quoted: '' };
  const said: string[] = [];
  const quoted: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = /^\s{0,12}(```|~~~)/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || fence === mark)) {
      fence = fence === undefined ? mark : undefined;
      said.push('');
    } else if (fence !== undefined) quoted.push(line);
    else if (/^[ \t]{0,3}>/.test(line)) quoted.push(line.replace(/^[ \t]{0,3}>[ \t]?/, ''));
    else said.push(line);
  }
  return { said: said.join('\n'), quoted: quoted.join('\n') };
}

/** Removes the quotation marks around a whole answer. */
function unquote(text: string): string {
  const trimmed = text.trim();
  const [first, last] = [trimmed[0], trimmed.at(-1)];
  const isWhole = first === last && (first === '`' || first === '"') && trimmed.length > 1;
  return isWhole && !trimmed.slice(1, -1).includes(first) ? trimmed.slice(1, -1) : text;
}

const question = /^[^.!?:\n]{0,200}\?(?:\s|$)/;
const definition = /^[^.!?:\n]{0,200}\)\s+(?:means|is|are|usually|indicates)\b/;
const explanation =
  /\n[ \t\r]*\n[^\n]{0,400}?(?:\b(?:this|that|the) (?:error|exception|message|status|line|trace) (?:means|occurs|happens|indicates|says|comes|is (?:raised|thrown|caused))|\bto (?:fix|solve|resolve|avoid) (?:this|it|that)\b|\bhow to (?:fix|solve|avoid)\b)/i;

function explains(text: string): boolean {
  const start = text.trimStart().slice(0, 4000);
  return question.test(start) || definition.test(start) || explanation.test(start);
}

function opening(id: string, meaning: string, form: Pick<RegExp, 'test'>): ErrorSign {
  return { id, meaning, matches: (text) => opens(text, form) };
}

function opens(text: ReportText, form: Pick<RegExp, 'test'>): boolean {
  return !text.isExplained && form.test(text.opening);
}

function trace(id: string, meaning: string, ...patterns: readonly Pattern[]): ErrorSign {
  return {
    id,
    meaning,
    matches: ({ said }) => {
      for (const pattern of patterns) {
        const found = pattern.exec(said);
        if (found !== null) return !isDiscussed(said, found.index);
      }
      return false;
    },
  };
}

/**
 * Combines patterns with a cheap condition without which none of them can match; they are tried only when it is true.
 */
function where(condition: (text: string) => boolean, ...patterns: readonly RegExp[]): Pattern {
  return {
    exec: (text) => {
      if (!condition(text)) return null;
      for (const pattern of patterns) {
        const found = pattern.exec(text);
        if (found !== null) return found;
      }
      return null;
    },
  };
}

const partOfTrace =
  /^\s*(?:at |File "|Traceback|Caused by|During handling|The above exception|Node\.js v|goroutine |#\d)|^[\w.]+(?:Error|Exception)\b/;

/**
 * Returns whether there is prose before and after a trace, in paragraphs of its own: the answer then explains the trace.
 */
function isDiscussed(text: string, start: number): boolean {
  if (text.slice(0, start).trim() === '') return false;
  const ending = text.trimEnd().slice(-2000);
  const gap = Math.max(ending.lastIndexOf('\n\n'), ending.lastIndexOf('\n\r\n'));
  const from = text.trimEnd().length - ending.length + gap;
  const last = ending.slice(gap).trim();
  return gap >= 0 && from > start && /^\S+(?:\s+\S+){2}/.test(last) && !partOfTrace.test(last);
}
