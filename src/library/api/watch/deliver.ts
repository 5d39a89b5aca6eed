import { TouchstoneError } from '../../../core/errors.ts';
import type { WatchMessage } from '../../../core/schema/watch/watch-record.ts';
import {
  variablePattern,
  type WatchRule,
  type WatchSetting,
  type WebhookSetting,
} from '../../../core/schema/watch/watch-setting.ts';
import {
  readWebhookUrl,
  type SendingNeeds,
  sendWebhook,
  type WebhookReceiver,
} from '../../../exchange/webhook/send-webhook.ts';
import { readWebhookSecret } from '../../../exchange/webhook/sign-webhook.ts';
import { findBad } from '../../../decide/live/read-day.ts';
import { watchKind } from '../../../stores/kinds/watch.ts';
import type { Store } from '../../../stores/store.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the receiver of a webhook, whose secrets are in the environment. Throws `config-invalid`, before anything is scored. */
export function readReceiver({ url, secret }: WebhookSetting, environment: Environment): WebhookReceiver {
  const [, variable] = variablePattern.exec(url) ?? [];
  const address = variable === undefined ? url : readVariable(variable, environment);
  const [, named] = variablePattern.exec(secret ?? '') ?? [];
  return {
    url: readWebhookUrl(address, variable ?? 'watch.webhook.url'),
    key: named === undefined ? undefined : readWebhookSecret(readVariable(named, environment), named),
  };
}

function readVariable(name: string, environment: Environment): string {
  const value = environment[name];
  if (value !== undefined && value !== '') return value;
  throw new TouchstoneError(
    'config-invalid',
    `The environment has no ${name}, which \`watch.webhook\` names.`,
    {
      remedy: `Set ${name} where the command runs, such as in the crontab, or remove \`webhook\`.`,
    },
  );
}

/** The surroundings of a delivery. */
export interface DeliveryNeeds extends SendingNeeds {
  readonly receiver: WebhookReceiver;
  readonly webhook: WebhookSetting;
  readonly rules: WatchSetting['rules'];
}

/**
 * Delivers the messages of a watch that are waiting, each under the id with which it was stored. What was delivered or refused is
 * removed; what was not reached stays for the next time. Returns warnings. Never throws for a receiver.
 */
export async function deliverMessages(
  store: Store,
  name: string,
  { receiver, webhook, rules, ...sending }: DeliveryNeeds,
): Promise<readonly string[]> {
  const warnings: string[] = [];
  const { outbox = [] } = (await store.documents.get(watchKind, [name])) ?? {};
  for (const message of outbox) {
    const body = JSON.stringify(await toBody(store, { name, webhook, rules, message }));
    const delivery = await sendWebhook({ id: message.id, body }, receiver, sending);
    if (delivery.status !== 'unreached') await removeMessage(store, name, message.id);
    const where = `The webhook at ${receiver.url.host}`;
    if (delivery.status === 'refused')
      warnings.push(
        `${where} does not take the message "${message.outcome}": ${delivery.reason}. It is not sent again.`,
      );
    if (delivery.status === 'unreached') {
      warnings.push(`${where} was not reached: ${delivery.reason}. The next call sends the message.`);
      break;
    }
  }
  return warnings;
}

async function removeMessage({ documents }: Store, name: string, id: string): Promise<void> {
  await documents.change([watchKind], async (change) => {
    const watch = await change.get(watchKind, [name]);
    if (watch === undefined) return;
    await change.put(watchKind, [{ ...watch, outbox: watch.outbox.filter((message) => message.id !== id) }]);
  });
}

/** The most failed answers that are sent, and the most characters of a text. */
const most = { answers: 3, characters: 300 };

/** A message with what its body depends on. */
type Outgoing = Pick<DeliveryNeeds, 'webhook' | 'rules'> & {
  readonly name: string;
  readonly message: WatchMessage;
};

async function toBody(store: Store, { name, webhook, rules, message }: Outgoing): Promise<object> {
  const { outcome, rule, run, evidence } = message;
  const url =
    webhook.link === undefined || run === null ? undefined : `${webhook.link.replace(/\/$/, '')}/runs/${run}`;
  const failed = webhook.texts && outcome === 'fail' && rule !== null ? rules[rule] : undefined;
  const examples = failed === undefined || run === null ? [] : await readExamples(store, run, failed);
  const text = [message.text, ...examples, ...(url === undefined ? [] : [url])].join('\n');
  const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: plain } }];
  if (webhook.format === 'slack') return { text: plain, blocks };
  return { text, blocks, touchstone: { type: 'decision', watch: name, outcome, run, rule, evidence, url } };
}

/** Reads questions and answers that are worse than a rule asks for, shortened. */
async function readExamples(store: Store, runId: string, rule: WatchRule): Promise<string[]> {
  const run = await store.readRun(runId);
  if (run === undefined) return [];
  const bad = await findBad(run, store, { rule, most: most.answers });
  const examples: string[] = [];
  for await (const { case: asked, trial } of store.readResults(runId, bad)) {
    const question = typeof asked.input === 'string' ? asked.input : (asked.input.at(-1)?.content ?? '');
    examples.push(
      `Q: ${question.slice(0, most.characters)}\nA: ${(trial.answer ?? '').slice(0, most.characters)}`,
    );
  }
  return examples;
}
