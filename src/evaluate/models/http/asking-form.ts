import { ModelFailure } from '../model-failure.ts';
import type { ChatReply, ChatRequest } from '../model.ts';
import type { RateLimitedAccount } from '../account/rate-limiter.ts';
import { isRefusedParameter } from './status-failure.ts';

/** The way of asking for an answer in JSON, from the strictest on. */
export type JsonMode = 'json-schema' | 'json-object' | 'none';

/** The parameters that Touchstone adds by itself. */
type AddedParameter = 'include' | 'seed' | 'stream_options';

/** The form of a request, as far as it is ours to choose: what the user wrote is never changed. */
export interface AskingForm {
  readonly json: JsonMode;
  readonly maxTokensField: MaxTokensField;
  /** The parameters that are not sent although Touchstone would add them. */
  readonly without: readonly AddedParameter[];
}

/** The names of the limit of tokens. */
export type MaxTokensField = 'max_tokens' | 'max_completion_tokens';

/** The rules of asking a server that may refuse what is added to a request. */
export interface AskingRules {
  /** The form of the first request. */
  readonly first: AskingForm;
  /** The modes that may be tried, the best first: the modes of the provider, or the one that the user wrote. */
  readonly jsonModes: readonly JsonMode[];
  /** The parameters that are added to requests, besides the form of JSON and the limit of tokens. */
  readonly added: readonly AddedParameter[];
  /** The fields of a request that the user wrote, which stay as they are. */
  readonly written: ReadonlySet<string>;
  /** The provider and the model, for the notice of what was not sent. */
  readonly name: string;
}

/** A server with its account and model, in whose name the form is remembered. */
interface AskedServer {
  readonly account: Pick<RateLimitedAccount, 'note'>;
  readonly key: string;
}

/** A request with the rules of asking it. */
interface Asked {
  readonly request: ChatRequest;
  readonly rules: AskingRules;
}

/** The forms that servers have shown to take, by account, model and rules: for as long as the process runs. */
const learned = new Map<string, AskingForm>();

/**
 * Asks in the form that the server is known to take. Where it refuses what is ours to choose, asks once more in the next
 * lesser form, and remembers that one once it is answered. Throws `ModelFailure` with the attempts in all forms.
 */
export async function askInForm(
  request: ChatRequest,
  { rules, server }: FormKeeper,
  ask: (form: AskingForm) => Promise<ChatReply>,
): Promise<ChatReply> {
  const key = keyOf({ rules, server });
  const refused: ModelFailure[] = [];
  const earlier = () => refused.flatMap(({ attempts }) => attempts);
  for (let form = learned.get(key) ?? rules.first; ; ) {
    try {
      const reply = await ask(form);
      // Only what was found out here: another call may have found out more meanwhile.
      if (refused.length > 0) learned.set(key, form);
      for (const notice of noticesOf(form, request, rules)) server.account.note(notice);
      const mode = request.responseSchema === undefined ? {} : { structuredOutput: form.json };
      return { ...reply, attempts: [...earlier(), ...reply.attempts], ...mode };
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      const lesser = lesserForm(form, error, { request, rules });
      if (lesser === undefined) {
        const attempts = [...earlier(), ...error.attempts];
        throw withRemedy(error, { request, rules }).with({ attempts });
      }
      refused.push(error);
      form = lesser;
    }
  }
}

/** The rules of asking a server, with the server. */
export interface FormKeeper {
  readonly rules: AskingRules;
  readonly server: AskedServer;
}

function keyOf({ rules, server }: FormKeeper): string {
  return JSON.stringify([server.key, rules.first, rules.jsonModes, [...rules.written]]);
}

/** Returns the form in which the server is known to take requests. */
export function knownForm(keeper: FormKeeper): AskingForm {
  return learned.get(keyOf(keeper)) ?? keeper.rules.first;
}

/** Returns whether a failure is a refusal of the form of a request, after which it is worth asking in the form that is known then. */
export function learnFromRefusal(
  request: ChatRequest,
  { form, failure }: { readonly form: AskingForm; readonly failure: ModelFailure },
  keeper: FormKeeper,
): boolean {
  const { rules, server } = keeper;
  const lesser = lesserForm(form, failure, { request, rules });
  if (lesser === undefined) return false;
  // Another one may have found out more.
  if (JSON.stringify(knownForm(keeper)) !== JSON.stringify(form)) return true;
  learned.set(keyOf(keeper), lesser);
  for (const notice of noticesOf(lesser, request, rules)) server.account.note(notice);
  return true;
}

/** The names under which errors speak of the form of an answer; the last is what a router says of all parameters. */
const aboutFormat =
  /response_format|json[_ ]schema|response format|guided|text\.format|the requested parameters/i;

/** The statuses with which servers refuse a parameter. */
const refusing: ReadonlySet<number | undefined> = new Set([400, 404, 422]);

/** The parameters that can be omitted: when they are sent, and the names under which servers refuse them. */
const droppable: readonly {
  readonly name: AddedParameter;
  readonly names: readonly string[];
  readonly isSent: (request: ChatRequest) => boolean;
}[] = [
  { name: 'stream_options', names: ['stream_options'], isSent: ({ stream }) => stream === true },
  { name: 'include', names: ['include', 'encrypted content', 'encrypted_content'], isSent: () => true },
  { name: 'seed', names: ['seed', 'random_seed'], isSent: ({ seed }) => seed !== undefined },
];

/** Returns the next form to ask in after a refusal; undefined where the refusal is about something else. */
function lesserForm(form: AskingForm, failure: ModelFailure, asked: Asked): AskingForm | undefined {
  if (!isRefusal(failure)) return undefined;
  const { request, rules } = asked;
  const said = wordsOf(failure);
  const isNamed = (name: string) => new RegExp(`\\b${name}\\b`, 'i').test(said) && isRefusedParameter(said);
  const isOurs = (name: string) => !rules.written.has(name);
  const dropped = droppable.find(
    ({ name, names, isSent }) =>
      rules.added.includes(name) &&
      isSent(request) &&
      isOurs(name) &&
      !form.without.includes(name) &&
      names.some(isNamed),
  );
  if (dropped !== undefined) return { ...form, without: [...form.without, dropped.name] };
  const { maxTokensField: field } = form;
  const isFirst = field === rules.first.maxTokensField && request.maxTokens !== undefined;
  if (isFirst && isOurs('max_tokens') && isNamed(field))
    return { ...form, maxTokensField: otherField[field] };
  return isOurs('response_format') && aboutFormat.test(said) ? nextInJson(form, asked) : undefined;
}

function nextInJson(form: AskingForm, { request, rules: { jsonModes } }: Asked): AskingForm | undefined {
  const next = jsonModes[jsonModes.indexOf(form.json) + 1];
  return request.responseSchema === undefined || next === undefined ? undefined : { ...form, json: next };
}

/** Returns whether a server refuses the request as it is written, and not what it says. */
function isRefusal({ status, code }: ModelFailure): boolean {
  return refusing.has(status) && code !== 'refused-by-provider';
}

/** Adds to the refusal of a mode that the user wrote how another may be asked for. */
function withRemedy(failure: ModelFailure, { request, rules }: Asked): ModelFailure {
  const isWritten = rules.jsonModes.length === 1 && request.responseSchema !== undefined;
  if (!isWritten || !isRefusal(failure) || !aboutFormat.test(wordsOf(failure))) return failure;
  const advice =
    '. If it does not take this form of JSON, write `structuredOutput: auto` in the settings of the model.';
  return failure.with({ message: `${failure.message.replace(/\.$/, '')}${advice}` });
}

/** Returns the words of a refusal: its message, and what the server wrote. */
function wordsOf({ message, exchange }: ModelFailure): string {
  return `${message} ${JSON.stringify(exchange?.reply ?? '')}`;
}

const otherField: Readonly<Record<MaxTokensField, MaxTokensField>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

/** Returns what the report says about a form: which parts of it this request lacks. */
function noticesOf(
  form: AskingForm,
  request: ChatRequest,
  { name, written, jsonModes }: AskingRules,
): string[] {
  const isWritten = written.has('response_format') || jsonModes.length === 1;
  const isLesser = request.responseSchema !== undefined && form.json !== 'json-schema' && !isWritten;
  const hasSeed = request.seed !== undefined && !form.without.includes('seed');
  return [
    ...(isLesser ? [`${name}: no JSON schema; asked in the prompt`] : []),
    ...(request.seed === undefined || hasSeed ? [] : [`${name}: no seed; asked without one`]),
    ...(request.stream === true && form.without.includes('stream_options')
      ? [`${name}: no \`stream_options\`; the tokens of streams are not known`]
      : []),
  ];
}
