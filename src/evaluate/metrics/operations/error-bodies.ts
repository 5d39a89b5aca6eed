import { isContainer } from '../../../core/lib/json/is-container.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
/** Members of an answer: a body with one of them is not an error report, whatever else it says. */
const answerMembers = [
  'answer',
  'answers',
  'reply',
  'response',
  'result',
  'results',
  'output',
  'data',
  'content',
  'text',
  'value',
  'choices',
] as const;
/** Members that name an error. */
const errorMembers = ['error', 'errors', 'exception', 'fault', 'errormessage', 'error_message'] as const;
const failureWords =
  /\b(?:error|exception|fail(?:ed|ure)|timed? ?out|not found|unauthori[sz]ed|forbidden|unavailable|not authenticated|too many requests|method not allowed|bad (?:request|gateway)|refused|rate limit|quota)\b/i;
const longestBody = 20_000;

type Body = Readonly<Record<string, unknown>>;

/**
 * Returns whether a text is JSON with an error and no answer. The beginning of a JSON stream and Python's notation
 * count too.
 */
export function isJsonError(text: string): boolean {
  const body = text
    .slice(0, longestBody + 100)
    .trim()
    .replace(/^(?:event: *error\s{1,4})?data: */, '');
  if (/^\{\s{0,20}'error'\s{0,20}:\s{0,20}['{]/.test(body)) return true;
  if (!/^(?:\[\s{0,20})?\{\s{0,200}"/.test(body) || body.length > longestBody) return false;
  try {
    const value: unknown = parseJson(body);
    return Array.isArray(value) ? value.every(isErrorBody) : isErrorBody(value);
  } catch {
    return false; // Not JSON after all: an answer in braces.
  }
}

function isErrorBody(value: unknown): boolean {
  if (!isContainer(value) || Array.isArray(value)) return false;
  const body = Object.fromEntries(Object.entries(value).map(([name, part]) => [name.toLowerCase(), part]));
  if (answerMembers.some((name) => isFilled(body[name]))) return false;
  return errorMembers.some((name) => isFilled(body[name]) || body[name] === true) || saysFailure(body);
}

/** Returns whether a body without an `error` member reports a failed call in another common way. */
function saysFailure(body: Body): boolean {
  const { status, success, ok, type, message, detail, msg, description } = body;
  const said = [message, detail, msg, description].find(isFilled);
  const code = [body['statuscode'], body['status_code'], body['error_code'], body['code'], status].find(
    (part) => typeof part === 'number',
  );
  if (said === undefined) return type === 'error';
  if (success === false || ok === false || type === 'error') return true;
  if (status === 'error' || status === 'failed' || (code !== undefined && code >= 400 && code < 600))
    return true;
  // Bodies of frameworks with a single member that says what went wrong: {"detail": "Not Found"}.
  if (Object.keys(body).length > 1) return false;
  return typeof said === 'string' ? said.length < 200 && failureWords.test(said) : isInvalidInput(said);
}

/** Returns whether a value is FastAPI's list of what is wrong with a request. */
function isInvalidInput(detail: unknown): boolean {
  return Array.isArray(detail) && detail.every((one) => isContainer(one) && 'loc' in one && 'msg' in one);
}

function isFilled(part: unknown): boolean {
  if (typeof part === 'string') return part.trim() !== '';
  return isContainer(part) && Object.keys(part).length > 0;
}

/** An HTML page whose title or heading names an error, matched from its start. */
export const htmlErrorPage =
  /^\s*<(?:!doctype html|html|head|title|h1|center)\b[\s\S]{0,4000}?(?:<(?:title|h1)>|(?<=^\s*<(?:title|h1)>))[^<]{0,200}?(?:\berror\b|\b[45]\d\d\b|bad gateway|unavailable|not found|forbidden|time-?out)/i;

/** An XML document whose root is an error. */
export const xmlError =
  /^\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:\w{1,20}:)?(?:Error|ErrorResponse|Fault|Exception)\b[^>]{0,500}>/i;

/**
 * A test of an answer's opening for reports that a program wrote: the name of an error, "Error:", an HTTP status or a
 * bare value. Compiling and trying the large expressions is slow, so they are tried only when a simpler one matches.
 */

type Pattern = Pick<RegExp, 'test'>;

/**
 * A lookahead that excludes explanations. A report continues with its message; "KeyError: raised when a key …" explains
 * the name.
 */
const explained = String.raw`(?!["'\s]*(?:(?:is |are |gets )?(?:raised|thrown)\b|occurs?\b|happens?\b|means?\b|indicates?\b|signals?\b|refers\b|what\b|how\b|why\b|used (?:for|to|when)\b|this (?:means|is|error|exception|status|code|occurs|happens|indicates)\b|when (?:a|an|the|you|your)\b|a react\b|an? (?:built-in|error|exception|subclass|base)\b|(?:none|no|n\/a|nothing|0)[\s.!]*$))`;
const message = String.raw`\*{0,2}\s*(?::|\s[-–—])\*{0,2}\s*${explained}\S`;
const wholly = String.raw`[\s.!]*$`;

const path = String.raw`(?:[A-Za-z_$][\w$]*(?:\.|::|/))*`;
const thrown = String.raw`_?[A-Z][\w$]*(?:Error|Exception)|[A-Z]\w*[a-z](?:Timeout|Fault|Failure|Interrupt|Exceeded|Rejection|RejectionWarning|Panic)`;
const dotted = String.raw`(?:[A-Za-z_]\w*\.)+(?:error|timeout|Timeout|gaierror|herror)|(?:[A-Za-z_]\w*\.)*(?:errors?|exceptions?)\.[A-Z]\w*|(?:[A-Z]\w*::)+[A-Z]\w*`;
const coded = String.raw`(?:[A-Z]+_)+(?:ERROR|EXCEEDED|EXHAUSTED|FAILED|FAILURE|UNAVAILABLE|TIMEOUT|REFUSED|DENIED)|ERR_[A-Z_]+|(?:ECONN[A-Z]+|E(?:SOCKET)?TIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|ENOENT|EACCES|EPERM|EHOSTUNREACH|ENETUNREACH|EADDRINUSE|EMFILE|ENOMEM|ENOSPC)`;
/** Labels of a classifier look the same, so a space is required before the message. */
const labelled = String.raw`[a-z]\w*_(?:error|exception|exceeded)(?=:\s)`;
const name = String.raw`(?:${path}(?:${thrown})|${dotted}|${coded}|${labelled})`;
const before = String.raw`(?:Caused by:\s+|\(node:\d+\)\s+|\[(?=\w+:))?(?:(?:Uncaught|Unhandled)\s+)?(?:exception\s+)?(?:\(in promise\)\s+)?`;

/**
 * Matches the name of an error or exception, or an error code, with its message: `sqlite3.OperationalError: no such
 * table`.
 */
export const namedErrors = where(
  either(
    /error|exception|timeout|fault|failure|interrupt|exceeded|rejection|panic|killed|terminate|::/i,
    /[A-Z_]{5}/,
  ),
  [
    new RegExp(String.raw`^${before}${name}(?:\s?\[\w+\]|\s\(\w+\))?${message}`),
    new RegExp(String.raw`^${before}(?:${path}(?:${thrown})|${dotted})${wholly}`),
    new RegExp(String.raw`^${coded}${wholly}`),
    // Python's `repr` of errors: KeyError('address'), OperationalError (2003, "Can't connect").
    new RegExp(String.raw`^${before}${name}\s?\((?:["'<\[{\d]|[A-Z]\w*(?:Error|Exception)\()`),
    new RegExp(String.raw`^\(${name}\)[\s:]+${explained}\S`),
    new RegExp(String.raw`^<class '${name}'>`),
    /^KeyboardInterrupt\b|^terminate called after throwing\b|^OOMKilled[\s.]*$/,
    // "Exception:" also occurs in leases: what follows must sound like a failure, or be one or two words.
    /^exception: (?!none\b|no\b)(?:[\w-]+(?: [\w-]+)?$|(?=[^\n]{0,200}?\b(?:error|fail(?:ed|ure|s)?|timed? ?out|refused|denied|locked|not found|no such|invalid|unavailable|unexpected|unable|cannot|could not|null|boom)\b))/i,
  ],
);

const technical = String.raw`fatal|internal|unexpected|unhandled|unknown|critical|system|server|client|database|db|sql|sqlite|mysql|postgres(?:ql)?|mongo(?:db)?|redis|api|http|https|tool|function|runtime|network|connection|request|query|timeout|gateway|proxy|model|llm|mcp|rpc|grpc|json|parse|parsing|parser|syntax|validation|authentication|authorization|rate limit|memory|disk|io|i\/o|ssl|tls|dns|socket|stream|search|index|retrieval|embedding|execution|process|compile|compilation|service|backend|plugin|agent|chain|application|script|php|npm|psql|bash|curl|docker|rust|node|python|openai|anthropic|azure|gemini|google|bedrock|mistral|cohere|ollama|groq|langchain|langgraph|llamaindex`;
const number = String.raw`(?:\s?(?:[Cc]ode:?\s)?(?:\((?:\w|\s){1,40}\)|\[\w{1,40}\]|#?-?\d{3,6}(?:\s\(\w{1,20}\))?))?`;

/** The same words in any case, without `(?i:…)`: V8 reads that as case-sensitive in a process with much compiled code. */
const technicalInAnyCase = technical.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

const qualifier = String.raw`(?:(?:[A-Z][\w.]{1,30} ){0,2}(?:(?:${technicalInAnyCase})[ :-]{1,2}){1,4}|(?:[A-Z]\w*[A-Z]\w* ){1,3})?`;

/** Matches "Error:" with the words and the number that programs put around it, and short whole answers of that kind. */
export const errorPrefixes = where(
  /err|exception|failure|fatal|critical|severe|(?:ora|tns|pls)-|sqlstate|\.rb:|not found|: \(\d/i,
  [
    new RegExp(
      String.raw`^${qualifier}(?:[Ee]rror|ERROR|ERR!)(?:\s(?:message|details?))?${number}${message}`,
    ),
    new RegExp(String.raw`^(?:(?:${technical})\s){0,2}(?:error|exception|failure)${wholly}`, 'i'),
    /^error\[E\d{4}\]: |^(?:\w+::){0,5}Error \{ |^error! \S|^\[(?:\w{1,30} )?error: \S/i,
    /^\[?(?:ERROR|FATAL|CRITICAL|SEVERE)\]\s*\S|^(?:ERROR|FATAL|CRITICAL|SEVERE)\s[\w.[\]-]{1,40}:\s*\S|^FATAL:\s+\S|^fatal: \S/,
    /^(?:unhandled|uncaught) exception\b/i,
    /^curl error \d+: /i,
    /^(?:ORA|TNS|PLS)-\d{5}: |^SQLSTATE\[\w+\]|^npm ERR! |^\S{1,80}\.rb:\d+:in [`']/,
    /^(?:[\w./-]{1,40}: )(?:\(\d+\) \S|(?:fatal|error|FATAL|ERROR): |(?:line \d+: )?[^\n:]{1,80}: (?:command )?not found$)/,
  ],
);

const reason = String.raw`(?:bad request|unauthorized|payment required|forbidden|not found|method not allowed|conflict|gone|request time-?out|payload too large|unprocessable (?:entity|content)|too many requests|(?:internal )?server error|client error|not implemented|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|web server is down|site is overloaded)`;
const status = String.raw`(?:http(?:\/[\d.]+)?\s*)?(?:(?:status|error|response)\s*(?:code)?[:\s]*)?[45]\d\d`;

/** Matches an HTTP status with its reason, or the error text of a gateway. */
export const httpErrors = where(/\d{3}|server error|gateway|unavailable|too many|whitelabel|upstream/i, [
  new RegExp(
    String.raw`^${status}[\s:–—-]+${reason}(?:${wholly}|\s*:\s*${explained}\S|\s+for url\b|[\s.]*\n)`,
    'i',
  ),
  /^(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|too many requests)(?:[\s.!]*$|: \S)|^whitelabel error page/i,
  new RegExp(String.raw`^error code:?\s*[45]\d\d\s*[:–—-]\s*${explained}\S`, 'i'),
  /^(?:error|status)(?: code)?:? *\d{3,4}[\s.]*$|^http(?: error| status)?[ :]*[45]\d\d[\s.]*$/i,
  /^(?:client|server) error '\d{3} /i,
  /^(?:no healthy upstream|upstream connect error|upstream request timeout)\b/i,
]);

/**
 * Matches what a program prints for a missing value. "None." with a full stop is an answer, and so is a bare number.
 */
export const nullValues = where(/^.{1,400}$/, [
  /^(?:None|null|NULL|undefined|nil|<nil>|<null>|\(null\)|nullptr|NaN|<NA>)$/,
  /^\[object [A-Z]\w*\](?:,\[object [A-Z]\w*\])*$/,
  /^<(?:coroutine|function|generator|bound method|async_generator)?[^<>\n]{0,200} at 0x[0-9a-f]+>$/i,
]);

/** Matches empty answers, and what a library writes in place of an empty answer. */
export const emptyAnswers = where(/^[\s"'`]{0,2}$|empty|no /i, [
  /^[\s"'`]{0,2}$/,
  /^[[(<]?(?:empty|no) (?:response|answer|output|content|completion|message)(?:(?<=^[[(<].*)[\])>]|(?<=^empty response)| (?:was |has been )?(?:generated|produced)(?: by (?:the )?(?:model|llm|bot|agent|server|api))?| (?:was )?(?:received )?from (?:the )?(?:model|llm|bot|agent|server|api))[.!]?$/i,
]);

function either(...patterns: readonly RegExp[]): Pattern {
  return { test: (text) => patterns.some((pattern) => pattern.test(text)) };
}

function where(condition: Pattern, patterns: readonly RegExp[]): Pattern {
  return { test: (text) => condition.test(text) && patterns.some((pattern) => pattern.test(text)) };
}
