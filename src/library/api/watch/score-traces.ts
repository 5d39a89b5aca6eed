import { drawUnits } from '../../../cases/traces/draw-units.ts';
import { randomId } from '../../../core/lib/random-id.ts';
import type { WatchSetting } from '../../../core/schema/watch/watch-setting.ts';
import { addDocument } from '../../../stores/documents/document-store.ts';
import { watchDayKind } from '../../../stores/kinds/watch.ts';
import { createLocalExecutor } from '../../../evaluate/executors/local.ts';
import { neverStopped } from '../../../evaluate/run/run-needs.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { WatchDay } from '../../../core/schema/watch/watch-record.ts';
import type { Store } from '../../../stores/store.ts';
import { openStoreOf } from '../../config/open-store-of.ts';
import type { SendingNeeds } from '../../../exchange/webhook/send-webhook.ts';
import { makeRun, readyRun, type ReadyRun } from '../runs/make-run.ts';
import { completeDay, joinOutcomes } from './complete-day.ts';
import { deliverMessages, readReceiver } from './deliver.ts';
import { loadLive, loadWatchConfig } from './live-evaluation.ts';
import type { WatchReport } from './watch-report.ts';

/** Options of scoring the traces of a day. */
export interface ScoreTracesOptions {
  /** The config file with the `watch`, or its folder; the current folder by default. */
  readonly config?: string;
  /** The length of the window in milliseconds; a day by default. */
  readonly sinceMs?: number;
  /** The most conversations, or traces, to score; 200 by default. */
  readonly sample?: number;
  /** The end of the window in milliseconds since 1970; now by default. */
  readonly untilMs?: number;
  /** An open store, which stays open; the one that the config names by default. */
  readonly store?: Store;
  /** The environment with the secrets of the webhook; the environment of the process by default. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The surroundings of the command line. */
export interface WatchNeeds extends SendingNeeds {
  /** The folder, or the address, of a store in place of the one that the config names. */
  readonly elsewhere?: string;
  /** Scores the answers, or resumes a run of them. Returns the run. */
  readonly score?: (ready: ReadyRun, store: Store) => Promise<Run>;
}

/**
 * Draws from the traces of production that arrived within a window, scores them by the metrics of a config, and says whether the
 * rules of its `watch` still hold, with evidence that is valid over all days. A change of its state goes to the webhook of the
 * watch, once. The same day again resumes, and asks no judge twice.
 * @throws TouchstoneError `config-invalid` for a config without a watch, and for a webhook whose secrets are missing.
 */
export async function scoreTraces(
  options: ScoreTracesOptions = {},
  needs: WatchNeeds = {},
): Promise<WatchReport> {
  const { environment = process.env } = options;
  const config = await loadWatchConfig(options.config);
  // The whole config is checked before anything is drawn.
  const checked = await loadLive(config, { store: unopened, day: { drawn: [] } });
  const { webhook, name, rules } = checked.watch;
  const receiver = webhook && readReceiver(webhook, environment);
  const store = options.store ?? openStoreOf(checked, { elsewhere: needs.elsewhere });
  try {
    const report = await watchDay(checked.watch, options, { store, config, needs });
    if (webhook === undefined || receiver === undefined) return report;
    return {
      ...report,
      warnings: await deliverMessages(store, name, { ...needs, receiver, webhook, rules }),
    };
  } finally {
    if (options.store === undefined) await store.close();
  }
}

/** Draws, scores and records a day. */
async function watchDay(
  setting: WatchSetting,
  { sinceMs = dayMs, untilMs = Date.now(), sample = 200 }: ScoreTracesOptions,
  needs: DayNeeds,
): Promise<WatchReport> {
  const { store } = needs;
  const day = dayAt(untilMs);
  const drawn = await drawDay(store, setting, { sinceMs, untilMs, sample });
  const run = drawn === undefined ? undefined : await scoreDay(drawn, needs);
  const since = new Date(untilMs - sinceMs).toISOString().slice(0, 16).replace('T', ' ');
  const nothing = `nothing arrived since ${since} UTC: is the exporter running?`;
  const rules = await completeDay(store, { setting, day, drawn, run, nothing });
  return {
    watch: setting.name,
    day,
    run: run?.id ?? null,
    outcome: joinOutcomes(rules),
    frame: drawn?.frame.units ?? 0,
    drawn: drawn?.drawn.length ?? 0,
    rules,
    notApplicable: run === undefined ? [] : listNotApplicable(run),
    warnings: [],
  };
}

const dayMs = 86_400_000;

/** No store: a config is checked without reading traces. */
const unopened = {} as Store;

interface DayNeeds {
  readonly store: Store;
  readonly config: Awaited<ReturnType<typeof loadWatchConfig>>;
  readonly needs: WatchNeeds;
}

/** Returns the run of a day: the one that was recorded, or the same resumed, or a new one. */
async function scoreDay(drawn: WatchDay, { store, config, needs }: DayNeeds): Promise<Run> {
  const tags = { watch: drawn.watch, day: drawn.day };
  const heads = await store.listRuns();
  const head = heads.find((each) => each.tags?.['watch'] === tags.watch && each.tags['day'] === tags.day);
  const known = head === undefined ? undefined : await store.readRun(head.id);
  if (known?.status === 'completed') return known;
  const loaded = await loadLive(config, { store, day: drawn });
  const name = known === undefined ? `${drawn.watch} ${drawn.day}` : undefined;
  // The answers came as spans: they are not sent as spans again.
  const silent = { ...loaded, config: { ...loaded.config, telemetry: undefined } };
  const { score = scoreHere } = needs;
  return await score(await readyRun(silent, store, { name, tags, resume: known }), store);
}

async function scoreHere(ready: ReadyRun, store: Store): Promise<Run> {
  return await makeRun(ready, {
    store,
    executor: createLocalExecutor(),
    observer: {},
    signals: neverStopped,
  });
}

/** Lists the metrics that apply to no answer. */
function listNotApplicable({ summary }: Run): string[] {
  const metrics = summary?.targets.flatMap((target) => target.metrics) ?? [];
  return metrics.flatMap(({ metric, estimate, notApplicable }) =>
    notApplicable > 0 && estimate.n === 0 ? [metric] : [],
  );
}

/** The time after its end at which a trace is taken as whole, in milliseconds: exporters send late. */
const settledMs = 10 * 60 * 1000;

/** The traces of a day to draw from, and how many. */
interface DayChoice {
  /** The length of the window in milliseconds. */
  readonly sinceMs: number;
  /** The end of the window, in milliseconds since 1970. */
  readonly untilMs: number;
  readonly sample: number;
}

/** Returns the day of a watch at a time, in UTC. */
function dayAt(untilMs: number): string {
  return new Date(untilMs).toISOString().slice(0, 10);
}

/**
 * Returns the day of a watch: the one that was drawn before, or one that is drawn now and stored before anything is scored. Undefined
 * when no trace arrived that can be scored.
 */
async function drawDay(
  store: Store,
  { name, unit }: Pick<WatchSetting, 'name' | 'unit'>,
  { sinceMs, untilMs, sample }: DayChoice,
): Promise<WatchDay | undefined> {
  const day = dayAt(untilMs);
  const known = await store.documents.get(watchDayKind, [name, day]);
  if (known !== undefined) return known;
  const seen = new Set<string>();
  for await (const { drawn } of store.documents.list(watchDayKind, { where: { watch: name } }))
    for (const { id } of drawn) seen.add(id);
  const [fromMs, endMs] = [untilMs - settledMs - sinceMs, untilMs - settledMs];
  const seed = randomId();
  const { frame, probability, drawn } = await drawUnits(
    store,
    { fromMs, untilMs: endMs, unit, seen },
    { sample, seed },
  );
  if (drawn.length === 0) return undefined;
  const [from, until] = [fromMs, endMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  const fresh: WatchDay = {
    watch: name,
    day,
    from,
    until,
    frame,
    probability,
    seed,
    drawn: drawn.map(({ id, traces }) => ({ id, traces: [...traces] })),
    run: null,
    scores: null,
  };
  // Another process may have drawn the day in the meantime: its draw counts.
  if (await addDocument(store.documents, watchDayKind, fresh)) return fresh;
  return await store.documents.get(watchDayKind, [name, day]);
}
