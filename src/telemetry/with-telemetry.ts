import { createSecretRedactor, isSecretName } from '../lib/redact-secrets.ts';
import type { RunNeeds, RunObserver } from '../run/run-needs.ts';
import type { Run } from '../schema/run.ts';
import { type CollectorSettings, findCollector } from './collector.ts';
import { createSpanSender } from './span-sender.ts';
import { createSpanWriter, type SpanWriter } from './span-writer.ts';

/** What is to be sent where. */
export interface TelemetrySettings extends CollectorSettings {
  /** Whether questions, answers, prompts, arguments and results are part of the spans. */
  readonly content?: boolean | undefined;
}

/**
 * Does what makes a run, and sends a span of the run, of each of its trials and of each call that is on record to the
 * user's own OpenTelemetry collector. Sends nothing where `settings` is undefined. What goes wrong with it is told once,
 * and never the fault of the run. Throws what `findCollector` does, before anything else.
 */
export async function withTelemetry(
  settings: TelemetrySettings | undefined,
  needs: RunNeeds,
  work: (needs: RunNeeds) => Promise<Run>,
): Promise<Run> {
  if (settings === undefined) return await work(needs);
  const { env } = process;
  const sender = createSpanSender({
    collector: findCollector(settings, env),
    redact: redactorOf(env, settings),
    tell: (message) => needs.observer.onNotice?.({ message }),
  });
  const writer = createSpanWriter(sender, settings.content === true);
  try {
    const run = await work({ ...needs, observer: tellBoth(needs.observer, writer) });
    writer.end(run);
    return run;
  } finally {
    await sender.finish();
  }
}

/** Secrets of the environment, by value. Short values may be ordinary words. */
function redactorOf(
  environment: Readonly<Record<string, string | undefined>>,
  { headersFromEnv = {} }: TelemetrySettings,
): (text: string) => string {
  const named = new Set(Object.values(headersFromEnv));
  const secrets = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      (isSecretName(entry[0]) || named.has(entry[0])) && (entry[1]?.length ?? 0) >= 8,
  );
  return createSecretRedactor(secrets).text;
}

function tellBoth(observer: RunObserver, writer: SpanWriter): Required<RunObserver> {
  return {
    onNotice: (notice) => observer.onNotice?.(notice),
    onKept: (trials) => observer.onKept?.(trials),
    onPlanned: (run) => {
      observer.onPlanned?.(run);
      writer.onPlanned(run);
    },
    onCalling: (change) => observer.onCalling?.(change),
    onRecorded: (trial) => observer.onRecorded?.(trial),
    onStopped: (stop) => observer.onStopped?.(stop),
    onJudged: (judgements) => {
      observer.onJudged?.(judgements);
      writer.onJudged(judgements);
    },
    onNotNeeded: (trials) => observer.onNotNeeded?.(trials),
    onScored: (trials) => {
      observer.onScored?.(trials);
      writer.onScored(trials);
    },
  };
}
