import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { sharedAgent } from '../../core/lib/network/agent.ts';
import { explainConnectionFault } from '../../core/lib/network/connection-error.ts';
import { sendRequest } from '../../core/lib/network/send-request.ts';
import { shorten } from '../../core/lib/text/terminal-text.ts';
import type { Json } from '../../core/schema/json.ts';
import { createRedactor, readHttpReply, type Received } from '../../evaluate/targets/http/read-http-reply.ts';
import { readBody, receiveBody } from '../../evaluate/targets/http/receive-body.ts';
import { planRequests } from '../../evaluate/targets/http/request-plan.ts';
import { maxReplyBytes } from '../../evaluate/targets/reply/read-text.ts';
import { TargetFailure } from '../../evaluate/targets/target.ts';
import { type FoundText, textsIn } from '../../evaluate/targets/reply/texts-in.ts';
import type { BotChoice } from './beginning.ts';

/** The outcome of one question to a bot. */
export type Probe =
  | { readonly outcome: 'answered'; readonly answer: string; readonly at: string | undefined }
  /** The reply has texts, but none under a name of an answer. */
  | { readonly outcome: 'unclear'; readonly texts: readonly FoundText[] }
  | {
      readonly outcome: 'failed';
      readonly reason: string;
      /** The likely lack of the target in the config; empty where nothing is known. */
      readonly hint: string;
      readonly isUnreachable: boolean;
    };

/** The question that a bot is asked to see where its answer is. */
export const greeting = 'Hello';

const timeLimitMs = 30_000;

/** Asks a bot behind an address once, as a run would ask it, and looks for the answer in its reply. */
export async function probeBot({ url = '', body }: BotChoice): Promise<Probe> {
  const plan = planRequests(
    { url, method: 'POST', headers: {}, body: body as Json | undefined },
    process.env,
  );
  const { url: address, ...request } = plan.build({
    key: 'hello',
    caseId: 'hello',
    input: greeting,
    messages: [{ role: 'user', content: greeting }],
    session: { id: 'hello', turn: 1, memory: {} },
    metadata: {},
    attempt: 1,
    seed: 0,
  });
  const signal = AbortSignal.timeout(timeLimitMs);
  const sentAt = performance.now();
  try {
    const sent = { ...request, url: address, signal };
    const { status, headers, body } = await sendRequest(await sharedAgent(), sent, maxReplyBytes);
    if (status < 200 || status >= 300) {
      const { text } = await readBody(body, headers);
      const said = shorten(text.trim(), 200);
      return {
        outcome: 'failed',
        isUnreachable: false,
        reason: `it answered with the status ${status}: ${said}`,
        hint: hintOn(status, said),
      };
    }
    const redact = (text: string) => text;
    return findAnswer(await receiveBody(body, { headers, stream: 'auto', sentAt, signal, redact }));
  } catch (error) {
    const failed = (reason: string, isUnreachable: boolean): Probe => ({
      outcome: 'failed',
      reason,
      hint: '',
      isUnreachable,
    });
    if (signal.aborted) return failed(`no reply within ${timeLimitMs / 1000} s`, true);
    const isOwn = error instanceof TargetFailure || error instanceof TouchstoneError;
    return isOwn ? failed(error.message, false) : failed(explainConnectionFault(error, address).reason, true);
  }
}

/** Says what in the target to look at after a reply with an error status. */
function hintOn(status: number, said: string): string {
  if (status === 401 || status === 403)
    return "It wants a key: `headers: { Authorization: 'Bearer {{env.MY_BOT_KEY}}' }` in the target.";
  if (status === 404 || status === 405) return 'Is its address right, with the path?';
  if (status === 400 || status === 415 || status === 422) return hintOnBody(said);
  return status >= 500 ? 'Its own log says more.' : '';
}

/** Expressions by which frameworks name a member that is missing: FastAPI and pydantic, then in words. */
const missingMembers = [
  /"loc": ?\["body", ?"(\w{1,40})"/,
  /["'`](\w{1,40})["'`] (?:field )?(?:is )?(?:required|missing)/i,
  /(?:required|missing)(?: (?:field|property|parameter|key|argument)s?:?|:) ["'`]?(\w{1,40})/i,
];

/** Says which JSON the bot may take, with the member that its reply misses. */
function hintOnBody(said: string): string {
  const plain = said.replaceAll('\\"', '"');
  const name = missingMembers.map((pattern) => pattern.exec(plain)?.[1]).find((each) => each !== undefined);
  const lead = name === undefined ? 'It may take other JSON' : `It wants "${name}"`;
  return `${lead}: \`body: { ${name ?? 'message'}: '{{input}}' }\` in the target.`;
}

function findAnswer(received: Received): Probe {
  const texts = textsIn('value' in received ? received.value : parse(received.text)).filter(
    ({ text }) => text !== greeting, // An echo of the question is no answer.
  );
  const failure = 'value' in received ? received.failure : undefined;
  if (failure !== undefined)
    return { outcome: 'failed', reason: failure.message, hint: '', isUnreachable: false };
  try {
    const { answer } = readHttpReply(received, {}, createRedactor(new Map()));
    if (answer !== null && answer.trim() !== '')
      return { outcome: 'answered', answer, at: texts.find(({ text }) => text === answer)?.at };
  } catch (error) {
    if (texts.length === 0)
      return { outcome: 'failed', reason: messageOf(error), hint: '', isUnreachable: false };
  }
  return texts.length === 0
    ? { outcome: 'failed', reason: 'its reply is empty', hint: '', isUnreachable: false }
    : { outcome: 'unclear', texts };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the only text of a reply that has several words, as an answer has and an id or a state has not; undefined when there are
 * none or several.
 */
export function onlySentence(texts: readonly FoundText[]): FoundText | undefined {
  const sentences = texts.filter(({ text }) => /\S\s+\S/.test(text));
  return sentences.length === 1 ? sentences[0] : undefined;
}
