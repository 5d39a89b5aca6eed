import { messageOf } from '../../errors.ts';
import type { SecretRedactor } from '../../lib/redact-secrets.ts';
import { cancelledFailure, type Tried } from '../account/call-with-retries.ts';
import { reportedFailure, statusFailure } from '../http/status-failure.ts';
import { type ChatRequest, ModelFailure } from '../model.ts';
import { collectStream } from './collect-stream.ts';
import { type Generated, generatedSchema, type LanguageModel } from './language-model.ts';
import { toCallOptions } from './to-prompt.ts';

/** What one request to an AI SDK model came to. */
export interface Asked {
  readonly generated: Generated;
  readonly firstTokenMs?: number | undefined;
}

/** What bounds one request, and what takes secrets out of its failure. */
export interface AskSettings {
  readonly signal: AbortSignal;
  readonly timeLimitMs: number;
  readonly redactor: SecretRedactor;
}

/** Asks once, within a time limit. Never throws. */
export async function askModel(
  model: LanguageModel,
  request: ChatRequest,
  { signal, timeLimitMs, redactor }: AskSettings,
): Promise<Tried<Asked>> {
  const controller = new AbortController();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (failure: ModelFailure) => {
    controller.abort(failure);
    reject(failure);
  };
  const onAbort = () => end(cancelledFailure(signal));
  const timer = setTimeout(
    () => end(new ModelFailure('timeout', `no reply within ${timeLimitMs} ms`, { retryable: true })),
    timeLimitMs,
  );
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const sent = performance.now();
    const work =
      request.stream === true
        ? stream(model, request, controller.signal)
        : generate(model, request, controller.signal);
    const { generated, firstTokenAt } = await Promise.race([work, ended]);
    return {
      value: { generated, firstTokenMs: firstTokenAt === undefined ? undefined : firstTokenAt - sent },
    };
  } catch (error) {
    return { failure: toFailure(error, redactor) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

async function generate(model: LanguageModel, request: ChatRequest, signal: AbortSignal) {
  const generated = generatedSchema.parse(await model.doGenerate(toCallOptions(request, signal)));
  return { generated, firstTokenAt: undefined };
}

async function stream(model: LanguageModel, request: ChatRequest, signal: AbortSignal) {
  return await collectStream(await model.doStream(toCallOptions(request, signal)));
}

interface ApiError {
  readonly statusCode?: unknown;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: unknown;
  readonly isRetryable?: unknown;
}

/** The SDK's errors carry the status and the headers of the reply. */
function toFailure(error: unknown, redactor: SecretRedactor): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const {
    statusCode: status,
    responseHeaders: headers = {},
    responseBody,
    isRetryable,
  } = (error ?? {}) as ApiError;
  const message = redactor.text(messageOf(error));
  if (typeof status === 'number') {
    const text = typeof responseBody === 'string' && responseBody !== '' ? responseBody : message;
    return statusFailure({ status, headers, text, redact: redactor.text });
  }
  if (isRetryable === true) return new ModelFailure('connection-failed', message, { retryable: true });
  if (error instanceof Error) return new ModelFailure('model-threw', message, { cause: error });
  return reportedFailure(
    typeof error === 'object' && error !== null ? redactor.json(JSON.parse(JSON.stringify(error))) : message,
  );
}
