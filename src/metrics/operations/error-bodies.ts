/** Members with which a body answers, whatever it says of errors besides. */
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
/** Members in which a body names its error. */
const errorMembers = ['error', 'errors', 'exception', 'fault', 'errormessage', 'error_message'] as const;
const failureWords =
  /\b(?:error|exception|fail(?:ed|ure)|timed? ?out|not found|unauthori[sz]ed|forbidden|unavailable|not authenticated|too many requests|method not allowed|bad (?:request|gateway)|refused|rate limit|quota)\b/i;
const longestBody = 20_000;

type Body = Readonly<Record<string, unknown>>;

/** Whether a text is JSON (or the start of a stream of it, or Python's way to write it) that holds an error and no answer. */
export function isJsonError(text: string): boolean {
  const body = text
    .slice(0, longestBody + 100)
    .trim()
    .replace(/^(?:event: *error\s{1,4})?data: */, '');
  if (/^\{\s{0,20}'error'\s{0,20}:\s{0,20}['{]/.test(body)) return true;
  if (!/^(?:\[\s{0,20})?\{\s{0,200}"/.test(body) || body.length > longestBody) return false;
  try {
    const value: unknown = JSON.parse(body);
    return Array.isArray(value) ? value.every(isErrorBody) : isErrorBody(value);
  } catch {
    return false; // Not JSON after all: an answer in braces.
  }
}

function isErrorBody(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const body = Object.fromEntries(Object.entries(value).map(([name, part]) => [name.toLowerCase(), part]));
  if (answerMembers.some((name) => isFilled(body[name]))) return false;
  return errorMembers.some((name) => isFilled(body[name]) || body[name] === true) || saysFailure(body);
}

/** A body without a member `error` that says in another of the usual ways that a call failed. */
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
  // The bodies of frameworks that hold nothing but what went wrong: {"detail": "Not Found"}.
  if (Object.keys(body).length > 1) return false;
  return typeof said === 'string' ? said.length < 200 && failureWords.test(said) : isInvalidInput(said);
}

/** FastAPI's list of what is wrong with a request. */
function isInvalidInput(detail: unknown): boolean {
  return (
    Array.isArray(detail) &&
    detail.every((one) => typeof one === 'object' && one !== null && 'loc' in one && 'msg' in one)
  );
}

function isFilled(part: unknown): boolean {
  if (typeof part === 'string') return part.trim() !== '';
  return typeof part === 'object' && part !== null && Object.keys(part).length > 0;
}

/** An HTML page whose title or heading names an error, from its start. */
export const htmlErrorPage =
  /^\s*<(?:!doctype html|html|head|title|h1|center)\b[\s\S]{0,4000}?(?:<(?:title|h1)>|(?<=^\s*<(?:title|h1)>))[^<]{0,200}?(?:\berror\b|\b[45]\d\d\b|bad gateway|unavailable|not found|forbidden|time-?out)/i;

/** An XML document whose root is an error. */
export const xmlError =
  /^\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:\w{1,20}:)?(?:Error|ErrorResponse|Fault|Exception)\b[^>]{0,500}>/i;
