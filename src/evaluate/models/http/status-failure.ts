import { tryParseJson } from '../../../core/lib/json/parse-json.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { readRetryAfter, timeOfReply } from '../../../core/lib/time.ts';
import type { Json } from '../../../core/schema/json.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import type { Headers } from '../account/read-allowances.ts';
import { ModelFailure } from '../model-failure.ts';

/** A reply that reports an error. */
export interface ErrorReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Removes secrets from a text, before it is shortened. */
  readonly redact: (text: string) => string;
}

const permanentCodes: Readonly<Record<number, string>> = {
  400: 'bad-request',
  401: 'unauthorized',
  402: 'quota-exhausted',
  403: 'unauthorized',
  404: 'not-found',
  405: 'not-found',
  413: 'bad-request',
  422: 'bad-request',
};

/**
 * Returns the failure for a status that is not a success. Redirects are not followed, since another server might
 * receive the key.
 */
export function statusFailure({ status, headers, text, redact }: ErrorReply): ModelFailure {
  const body = tryParseJson(text);
  const said = redact(messageIn(body) ?? text.replaceAll(/\s+/g, ' ').trim());
  const location =
    headers['location'] === undefined ? '' : ` and points to ${redact(String(headers['location']))}`;
  const code = codeOf(status, body, said);
  const answered = code === 'refused-by-provider' ? `refused (${refusalWordIn(body)}) with` : 'answered';
  const advice = code === 'bad-request' ? adviceOnParameter(said) : '';
  const message = `The provider ${answered} ${status}${location}${said === '' ? '' : `: ${shorten(said, 300)}`}${advice}`;
  return new ModelFailure(code, message, {
    status,
    retryable: isRetryable(code, status, headers),
    retryAfterMs: readWait(headers, body),
  });
}

/** Returns the failure for an error, without secrets, that came in a reply or stream with a success status. */
export function reportedFailure(error: Json): ModelFailure {
  const numbers = [
    valueAtPath(error, 'code'),
    valueAtPath(error, 'status'),
    valueAtPath(error, 'status_code'),
  ];
  const status = numbers.map(Number).find((value) => value >= 400 && value < 600) ?? statusOfType(error);
  const { code, retryable, message } = statusFailure({
    status,
    headers: {},
    text: JSON.stringify({ error }),
    redact: (text) => text,
  });
  return new ModelFailure(code, message.replace(`answered ${status}`, 'reported an error'), { retryable });
}

function statusOfType(error: Json): number {
  const type = String(valueAtPath(error, 'type') ?? valueAtPath(error, 'status') ?? '');
  if (/rate_limit|resource_exhausted/i.test(type)) return 429;
  if (/overloaded|unavailable/i.test(type)) return 503;
  return /invalid|not_found|permission|authentication/i.test(type) ? 400 : 500;
}

function codeOf(status: number, body: Json | undefined, said: string): string {
  const written = JSON.stringify(body ?? '');
  if (status === 429 && /insufficient_quota|billing_hard_limit|PerDay|credit balance/i.test(written)) {
    return 'quota-exhausted';
  }
  if (status === 400 && /credit balance is too low/i.test(said)) return 'quota-exhausted';
  if ((status === 400 || status === 403) && refusalWords.test(written)) return 'refused-by-provider';
  if (status === 429) return 'rate-limited';
  if (status === 503 || status === 529) return 'overloaded';
  if (status >= 500) return 'server-error';
  return permanentCodes[status] ?? 'http-status';
}

/** The words of errors that say that a provider refused the content of a request. */
const refusalWords =
  /content_filter|content_policy|ResponsibleAIPolicy|content management policy|guardrail_intervened|data_inspection_failed|safety system|moderation_blocked|was flagged/i;

function refusalWordIn(body: Json | undefined): string {
  return refusalWords.exec(JSON.stringify(body ?? ''))?.[0] ?? 'content';
}

/** The settings by which a parameter that a provider refuses is omitted, by the provider's name of it. */
const settingsOfParameters: readonly (readonly [parameter: RegExp, setting: string])[] = [
  [/max_tokens.*max_completion_tokens/is, 'maxTokensField: max_completion_tokens'],
  [/max_completion_tokens/i, 'maxTokensField: max_tokens'],
  [/output_config|output_format/i, 'structuredOutput: tool'],
  [/responseJsonSchema|responseMimeType/i, 'omit: [responseSchema]'],
  [/stream_options|\bstream\b/i, 'stream: false'],
  [/temperature/i, 'omit: [temperature]'],
  [/top_?p\b/i, 'omit: [topP]'],
  [/\bseed\b/i, 'omit: [seed]'],
  [/stop_sequences|stopSequences|\bstop\b/i, 'omit: [stop]'],
  [/max_?(?:output_?)?tokens/i, 'omit: [maxTokens]'],
  [/tool_choice|toolConfig/i, 'omit: [toolChoice]'],
];

const refusedParameter =
  /unsupported|not supported|does(?: not|n't) support|unknown|unrecogni[sz]ed|unexpected|extra (?:inputs?|fields?)|not permitted|not allowed|invalid (?:parameter|argument|field|value)|cannot find field|deprecated|only the default|must be/i;

/** Returns whether an error says that the server does not take a parameter, whichever it is. */
export function isRefusedParameter(said: string): boolean {
  return refusedParameter.test(said);
}

/** Returns the setting by which a refused parameter is omitted, as the end of a message; empty when none is known. */
function adviceOnParameter(said: string): string {
  if (!isRefusedParameter(said)) return '';
  const found = settingsOfParameters.find(([parameter]) => parameter.test(said));
  return found === undefined
    ? ''
    : `. If it refuses this parameter, write \`${found[1]}\` in the settings of the model.`;
}

function isRetryable(code: string, status: number, headers: Headers): boolean {
  const advice = headers['x-should-retry']?.toString();
  if (advice === 'true' || advice === 'false') return advice === 'true';
  if (code === 'quota-exhausted' || code === 'refused-by-provider') return false;
  return status >= 500 || [408, 409, 425, 429].includes(status);
}

/** Reads the wait that a provider asks for: from `retry-after-ms`, then `retry-after`, then from Google's body. */
function readWait(headers: Headers, body: Json | undefined): number | undefined {
  const milliseconds = Number(headers['retry-after-ms']?.toString() || Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const header = readRetryAfter(headers['retry-after']?.toString(), timeOfReply(headers));
  if (header !== undefined) return header;
  const [, seconds] = /"retryDelay":"(\d+(?:\.\d+)?)s"/.exec(JSON.stringify(body ?? '')) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function messageIn(body: Json | undefined): string | undefined {
  const paths = ['error.message', '[0].error.message', 'message', 'error.detail', 'detail', 'error'];
  const found = paths.map((path) => valueAtPath(body, path)).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : undefined;
}
