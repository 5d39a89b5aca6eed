import { TouchstoneError } from '../../../core/errors.ts';
import { describeFiles, type FilesToSend, noFiles } from '../../../core/attachments/files-to-send.ts';
import { hashContent } from '../../../core/lib/content-hash.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Usage } from '../../../core/schema/usage.ts';
import { callWithRetries } from '../account/call-with-retries.ts';
import { processRateLimiter, type RateLimitedAccount } from '../account/rate-limiter.ts';
import { batchSettings } from './batch-option.ts';
import { type BatchWireFactory, createBatchApi } from './create-batch-api.ts';
import type { BatchApi, ChatContext, ChatModel, ChatReply, ModelNeeds } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import { createPriceList, type PriceList } from '../pricing/price-list.ts';
import { type AskingForm, type AskingRules, askInForm, type FormKeeper } from './asking-form.ts';
import { type CommonOptions, connectionOptions, withDefaults } from './common-options.ts';
import { agentFor } from './agent-for.ts';
import {
  checkEndpoint,
  checkReachable,
  type Endpoint,
  type EndpointSettings,
  openEndpoint,
} from './endpoint.ts';
import { fillFiles } from '../sent-files.ts';
import { post, type Posted } from './post.ts';
import type { JsonObject, Protocol, ReplyParts, WireRequest } from './protocol.ts';
import { toReply, totalTokens, withRequest } from './to-reply.ts';

/** The settings of one HTTP model. */
export interface HttpModelSettings {
  /** The name and version of the definition, for the fingerprint. */
  readonly definition: { readonly name: string; readonly version: number };
  readonly endpoint: EndpointSettings;
  readonly protocol: Protocol;
  readonly options: CommonOptions;
  /** The rules of asking a server that may refuse what is added to a request; absent where nothing is changed. */
  readonly asking?: AskingRules;
  /** The batches of the provider; missing where it has none. */
  readonly batches?: BatchesOfProvider;
  /** The kinds of files that it takes. */
  readonly takes?: ChatModel['takes'];
  /** The roles in whose messages its API has a place for files; the user alone by default. */
  readonly takesFrom?: ChatModel['takesFrom'];
}

/** The batches of a provider. */
export interface BatchesOfProvider {
  readonly create: BatchWireFactory;
  /** The share of the usual price; 1 where it is not known. */
  readonly price: number;
}

/**
 * Creates a model behind an HTTP API. Nothing is read from the environment, and no connection is made, before it is
 * used.
 */
export function createHttpModel(settings: HttpModelSettings, needs: ModelNeeds): ChatModel {
  const { endpoint: endpointSettings, options, protocol, takes, takesFrom = ['user'] } = settings;
  checkEndpoint(endpointSettings);
  let opened: Opened | undefined;
  const open = () => (opened ??= openAccount(settings, needs));
  const prices = createPriceList({ ...options, baseUrl: endpointSettings.baseUrl, folder: needs.folder });
  const batch = batchesOf(settings, open, prices);
  return {
    name: options.model,
    fingerprint: fingerprintOf(settings),
    batch,
    open: async () => {
      const { endpoint } = open();
      // Loading the client and running the command of a key take time that must not count towards the first call.
      const ready = [agentFor(endpoint.account), endpoint.printedKey?.read()];
      await Promise.all([checkReachable(new URL(endpoint.origin)), ...ready]);
    },
    takes,
    takesFrom,
    generate: async (request, context) => {
      const filled = await fillFiles(request, { name: options.model, takes, takesFrom }, context);
      const asked = withDefaults(filled.sent, options);
      const { endpoint, account } = open();
      const ask = async (form?: AskingForm) => {
        const wire = protocol.write(asked, form);
        return await generate({ wire, ...filled, prices, settings, endpoint, account }, context);
      };
      const { asking: rules } = settings;
      if (rules === undefined) return await ask();
      return await askInForm(asked, formKeeper(rules, { endpoint, account }, options), ask);
    },
    priceOf: async (usage: Usage) => await prices.priceOf(usage, options.model),
  };
}

/** An account that was opened at an endpoint. */
type Opened = ReturnType<typeof openAccount>;

/** Returns the rules of asking with the server and model that the forms are learned of. */
function formKeeper(rules: AskingRules, { endpoint, account }: Opened, { model }: CommonOptions): FormKeeper {
  return { rules, server: { account, key: `${endpoint.account} ${model}` } };
}

/** Returns the batches of a model that wants them. Throws `model-invalid` where its provider has none. */
function batchesOf(settings: HttpModelSettings, open: () => Opened, prices: PriceList): BatchApi | undefined {
  const { options, protocol, batches, endpoint, asking: rules } = settings;
  const wanted = batchSettings(options.batch);
  if (wanted === undefined) return undefined;
  const { host } = new URL(endpoint.baseUrl);
  if (batches === undefined)
    throw new TouchstoneError('model-invalid', `Touchstone knows no batches of ${host}.`, {
      remedy: 'Leave out `batch`.',
    });
  return createBatchApi(
    {
      name: options.model,
      fingerprint: fingerprintOf(settings),
      settings: wanted,
      price: wanted.price ?? batches.price,
      timeLimitMs: options.timeLimitMs,
      create: batches.create,
      open: () => open().endpoint,
      ...(rules && { asking: () => formKeeper(rules, open(), options) }),
      write: (request, form) => protocol.write(withDefaults(request, options), form),
      read: (reply) => protocol.read(reply as JsonObject),
      prices,
    },
    host,
  );
}

interface Call {
  readonly wire: WireRequest;
  readonly files: FilesToSend;
  readonly fileTokens: number;
  readonly prices: PriceList;
  readonly settings: HttpModelSettings;
  readonly endpoint: Endpoint;
  readonly account: RateLimitedAccount;
}

async function generate(call: Call, { signal, onWaiting }: ChatContext): Promise<ChatReply> {
  const { wire, files, fileTokens, settings, endpoint, account, prices } = call;
  const { options, protocol } = settings;
  const shown = showWithout(files, wire);
  const shownRequest = describeRequest(shown, endpoint);
  const assembleStream = () => protocol.assembleStream();
  const tryOnce = async () => {
    const { timeLimitMs } = options;
    const tried = await post(endpoint, { ...wire, files }, { signal, timeLimitMs, assembleStream });
    if (tried.failure !== undefined) return tried;
    const parts = readParts(protocol, tried.value);
    if (parts instanceof ModelFailure) return { ...tried, value: undefined, failure: parts };
    return { ...tried, value: { ...tried.value, parts }, tokens: totalTokens(parts.usage) };
  };
  const rules = { ...options, signal, onWaiting, tokens: estimateTokens(shown) + fileTokens };
  // A new key is waited for here, not in the time of the call; a command that gives none fails there.
  await endpoint.printedKey?.read(signal).catch(() => undefined);
  const record = await callWithRetries(account, tryOnce, rules).catch((error: unknown) => {
    throw withRequest(error, shownRequest);
  });
  const { parts, reply, firstTokenMs } = record.value;
  const cost = parts.cost ?? (await prices.priceOf(parts.usage, parts.model, options.model));
  return toReply({ ...parts, cost }, record, { firstTokenMs, exchange: { request: shownRequest, reply } });
}

/** Returns a request with words in place of its files. */
function showWithout(files: FilesToSend, wire: WireRequest): WireRequest {
  if (files === noFiles) return wire;
  return { ...wire, body: parseJson(describeFiles(JSON.stringify(wire.body), files)) as JsonObject };
}

function openAccount({ endpoint: settings, options }: HttpModelSettings, needs: ModelNeeds) {
  const endpoint = openEndpoint(settings, needs);
  const { rateLimiter = processRateLimiter } = needs;
  return { endpoint, account: rateLimiter.findAccount(endpoint.account, options) };
}

/** Returns the hash of everything that can change an answer; limits, prices and repeats cannot. */
function fingerprintOf({ definition, endpoint, options }: HttpModelSettings): string {
  const { baseUrl, query } = endpoint;
  const changesNoAnswer = { ...connectionOptions(), takes: true };
  const kept = Object.entries(options).filter(([name]) => !Object.hasOwn(changesNoAnswer, name));
  const { name: use, version } = definition;
  return hashContent({ use, version, baseUrl, query, options: Object.fromEntries(kept) });
}

function readParts(protocol: Protocol, { reply }: Posted): ReplyParts | ModelFailure {
  try {
    return protocol.read(reply);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    const { code, message, retryable } = error;
    return new ModelFailure(code, message, { retryable, exchange: { reply } });
  }
}

/**
 * Estimates tokens at four characters each, with half as many out as in. The estimate is used only for pacing, and
 * corrected by the reported usage.
 */
function estimateTokens({ body }: WireRequest): number {
  return Math.ceil((JSON.stringify(body).length / 4) * 1.5);
}

function describeRequest(
  { path, body }: WireRequest,
  { origin, pathOf, shownHeaders, redactor }: Endpoint,
): Json {
  const url = redactor.text(`${origin}${pathOf(path)}`);
  return { method: 'POST', url, headers: { ...shownHeaders }, body: redactor.json(body) };
}
