import { setTimeout as wait } from 'node:timers/promises';
import { TouchstoneError } from '../../core/errors.ts';
import { sharedAgent } from '../../core/lib/network/agent.ts';
import { explainConnectionFault } from '../../core/lib/network/connection-error.ts';
import { sendRequest } from '../../core/lib/network/send-request.ts';
import { signWebhook } from './sign-webhook.ts';

/** The receiver of messages. */
export interface WebhookReceiver {
  readonly url: URL;
  /** The key that signs; undefined for a receiver that checks no signature. */
  readonly key: Uint8Array | undefined;
}

/** The fate of a message. */
export type Delivery =
  | { readonly status: 'delivered' }
  /** `refused`: the receiver does not take it. `unreached`: it may take it later. */
  | { readonly status: 'refused' | 'unreached'; readonly reason: string };

/** The surroundings of sending. */
export interface SendingNeeds {
  /** Waits for some milliseconds. */
  readonly wait?: (ms: number) => Promise<unknown>;
  readonly now?: () => number;
}

/** The pauses between five tries, 15 minutes in all. */
const pausesMs = [10_000, 50_000, 240_000, 600_000];

const timeLimitMs = 20_000;

/**
 * Checks the address of a receiver. Throws `config-invalid` for one that is none, and for `http:` to another machine.
 * @param shown - What to call it in messages, since an address may be a secret.
 */
export function readWebhookUrl(text: string, shown: string): URL {
  const url = URL.parse(text);
  const isLocal = url !== null && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return url;
  throw new TouchstoneError('config-invalid', `The webhook address in ${shown} is no \`https:\` address.`, {
    remedy: 'Use an `https:` address; `http:` reaches only this machine, such as http://127.0.0.1:9000/.',
  });
}

/**
 * Sends a message, and sends it again with the same id after network faults and the statuses 408, 429 and 5xx. Redirects are not
 * followed. Never throws.
 */
export async function sendWebhook(
  { id, body }: { readonly id: string; readonly body: string },
  receiver: WebhookReceiver,
  { wait: pause = wait, now = Date.now }: SendingNeeds = {},
): Promise<Delivery> {
  for (const pauseMs of [...pausesMs, undefined]) {
    const timestamp = Math.floor(now() / 1000);
    const headers = receiver.key === undefined ? {} : signWebhook({ id, timestamp, body }, receiver.key);
    const delivery = await sendOnce(body, headers, receiver.url);
    if (delivery.status !== 'unreached' || pauseMs === undefined) return delivery;
    await pause(pauseMs);
  }
  return { status: 'unreached', reason: 'it was not reached' };
}

async function sendOnce(body: string, signature: Record<string, string>, url: URL): Promise<Delivery> {
  try {
    const request = {
      url,
      method: 'POST',
      headers: { ...signature, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(timeLimitMs),
    };
    const { status, body: reply } = await sendRequest(await sharedAgent(), request, mostReplyBytes);
    reply.destroy();
    if (status >= 200 && status < 300) return { status: 'delivered' };
    const mayPass = status === 408 || status === 429 || status >= 500;
    return { status: mayPass ? 'unreached' : 'refused', reason: `it answers with status ${status}` };
  } catch (error) {
    // The address may be a secret: what is said of a fault names only its server.
    const { reason } = explainConnectionFault(error, new URL(url.origin));
    return { status: 'unreached', reason: reason.replace(/\.$/, '') };
  }
}

const mostReplyBytes = 64 * 1024;
