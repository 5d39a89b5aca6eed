import type { Json } from '../../../core/schema/json.ts';
import { ModelFailure } from '../model-failure.ts';
import { type AskingForm, type FormKeeper, knownForm, learnFromRefusal } from './asking-form.ts';
import type { Endpoint } from './endpoint.ts';
import type { ReplyParts, WireRequest } from './protocol.ts';
import { toReply } from './to-reply.ts';
import type { BatchApi, BatchSettings, ChatRequest } from '../model.ts';
import type { PriceList } from '../pricing/price-list.ts';
import { type BatchHttp, createBatchHttp } from './batch-http.ts';

/** The part of a batch API that differs from provider to provider. */
export interface BatchWire
  extends Pick<
    BatchApi,
    'limits' | 'upload' | 'discard' | 'submit' | 'find' | 'check' | 'results' | 'cancel' | 'remove'
  > {
  /** Writes a request, in the provider's form of one request, as a line. */
  write(id: string, request: WireRequest): string;
}

/** Creates the batch API of a provider. */
export type BatchWireFactory = (http: BatchHttp) => BatchWire;

/** The parts of a model that its batches use. */
export interface BatchParts {
  readonly name: string;
  readonly fingerprint: string;
  readonly settings: BatchSettings;
  readonly price: number;
  readonly timeLimitMs: number;
  readonly create: BatchWireFactory;
  readonly open: () => Endpoint;
  /** Returns the rules of asking the server; missing where there is one form only. */
  readonly asking?: () => FormKeeper;
  readonly write: (request: ChatRequest, form?: AskingForm) => WireRequest;
  readonly read: (reply: Json) => ReplyParts;
  readonly prices: PriceList;
}

const charactersPerToken = 4;
/** The tokens of a typical answer of a judge. */
const tokensPerAnswer = 130;

/** Creates the batches of a model. Nothing is read from the environment before the provider is asked. */
export function createBatchApi(parts: BatchParts, host: string): BatchApi {
  const { name, fingerprint, settings, price, timeLimitMs, open, prices, asking } = parts;
  const { write, ...wire } = parts.create(createBatchHttp(open, { timeLimitMs }));
  return {
    ...wire,
    model: fingerprint,
    name,
    account: host,
    settings,
    price,
    form: () => (asking === undefined ? undefined : (knownForm(asking()) as unknown as Json)),
    // A batch is not streamed.
    write: (id, request, form) =>
      write(id, parts.write({ ...request, stream: false }, form as AskingForm | undefined)),
    refusesForm: (request, form, { code, message }) => {
      if (asking === undefined || form === undefined || code !== 'bad-request') return false;
      const failure = new ModelFailure(code, message, { status: 400 });
      return learnFromRefusal(request, { form: form as unknown as AskingForm, failure }, asking());
    },
    read: async (reply, form) => {
      const read = parts.read(reply);
      const usual = read.cost ?? (await prices.priceOf(read.usage, read.model, name));
      const cost = read.cost ?? (usual === undefined ? undefined : usual * price);
      const frame = { exchange: { request: null, reply } };
      const whole = toReply({ ...read, cost }, { value: undefined, latencyMs: 0, attempts: [] }, frame);
      const mode = (form as unknown as AskingForm | undefined)?.json;
      return mode === undefined ? whole : { ...whole, structuredOutput: mode };
    },
    estimate: async (line) => {
      const inputTokens = Math.ceil(line.length / charactersPerToken);
      const usual = await prices.priceOf({ inputTokens, outputTokens: tokensPerAnswer }, name);
      return usual === undefined ? undefined : usual * price;
    },
  };
}
