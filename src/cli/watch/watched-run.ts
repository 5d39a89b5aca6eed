import path from 'node:path';
import type { LoadedEvaluation } from '../../library/config/load-evaluation.ts';
import { shorten } from '../../core/lib/text/terminal-text.ts';
import { listUserFiles } from '../../core/lib/user-code/user-files.ts';
import { formatCount, formatPlural } from '../../look/report/format.ts';
import { headlineParts } from '../../look/report/headline.ts';
import { showCommand } from '../../look/report/phrase.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { endProcess, interrupted } from '../interrupts.ts';

/** A message from a run to the watch that has started it. */
export type WatchedMessage =
  | { readonly type: 'files'; readonly files: readonly string[] }
  | { readonly type: 'planned'; readonly run: string; readonly storeFolder: string | undefined };

/** The variable by which a watch passes the id of the run to continue to its child; empty for the first one. */
export const watchVariable = 'TOUCHSTONE_WATCH';

/** The connection of a run to the watch that has started its process. */
export interface Watched {
  /** The id of the run to continue; undefined for the first one. */
  readonly earlier: string | undefined;
  /** Returns whether the watch has stopped this run, because a file has changed. */
  readonly isStopped: () => boolean;
  /** Sends the files whose change ends this run. */
  sendFiles(loaded?: LoadedEvaluation): void;
  sendPlanned(run: Run, storeFolder: string | undefined): void;
}

/** Connects this process to the watch that has started it; returns undefined when none has. */
export function joinWatch(): Watched | undefined {
  const earlier = process.env[watchVariable];
  // Programs that this one starts are not part of the watch.
  delete process.env[watchVariable];
  if (earlier === undefined || process.send === undefined) return undefined;
  let isStopped = false;
  process.on('message', (message: { readonly type?: unknown }) => {
    if (message.type !== 'stop') return;
    isStopped = true;
    // Before the run begins, nothing has to be finished.
    if (!process.emit('SIGINT', 'SIGINT')) endProcess(interrupted);
  });
  process.channel?.unref();
  // A watch that has just died cannot be written to, which must not end the calls in flight.
  const ignoreFault = () => {};
  const send = (message: WatchedMessage) => void process.send?.(message, undefined, undefined, ignoreFault);
  return {
    earlier: earlier === '' ? undefined : earlier,
    isStopped: () => isStopped,
    sendFiles: (loaded) => {
      const sources = loaded?.evaluation.dataset.sources ?? [];
      const placed = sources.flatMap((name) => [
        path.resolve(name),
        path.resolve(loaded?.folder ?? '', name),
      ]);
      send({ type: 'files', files: [...new Set([...listUserFiles(), ...placed])] });
    },
    sendPlanned: ({ id }, storeFolder) => send({ type: 'planned', run: id, storeFolder }),
  };
}

/** The longest list of cases that is printed. */
const mostNames = 12;

/** Formats what has changed between two runs of a watch: what was asked again, the scores, and which cases flipped. */
export async function formatChange(
  before: Run,
  after: Run,
  { store, storeFolder }: { readonly store: Store; readonly storeFolder: string | undefined },
): Promise<string> {
  const earlier = await readPasses(before, store);
  const asked: string[] = [];
  const better: string[] = [];
  const worse: string[] = [];
  const isNamed = after.targets.length > 1;
  // Trials that began before this process are answers of earlier runs.
  const startedAt = new Date(performance.timeOrigin).toISOString();
  let trials = 0;
  for await (const { trial, scorecard } of store.readResults(after.id)) {
    const name = isNamed ? `${trial.caseId} (${trial.target})` : trial.caseId;
    trials += 1;
    if (trial.startedAt >= startedAt) asked.push(name);
    const [was, is] = [earlier.get(placeOf(trial)), scorecard?.passed];
    if (was === false && is === true) better.push(name);
    if (was === true && is === false) worse.push(name);
  }
  const lines = [
    `Run ${after.id} continues ${before.id}`,
    asked.length === 0
      ? `  Nothing was asked again; ${formatPlural(trials, 'answer')} reused.`
      : `  Asked: ${formatCount(asked.length)} of ${formatPlural(trials, 'attempt')}: ${listNames(asked)}`,
    ...scoreLines(before, after),
    ...(better.length === 0 ? [] : [`  Pass now: ${listNames(better)}`]),
    ...(worse.length === 0 ? [] : [`  No longer pass: ${listNames(worse)}`]),
    `  The whole report: ${showCommand({ run: after, storeFolder })}`,
  ];
  return `\n${lines.join('\n')}\n`;
}

async function readPasses(run: Run, store: Store): Promise<ReadonlyMap<string, boolean | null | undefined>> {
  const passes = new Map<string, boolean | null | undefined>();
  for await (const { trial, scorecard } of store.readResults(run.id)) {
    passes.set(placeOf(trial), scorecard?.passed);
  }
  return passes;
}

function placeOf({ caseId, target, attempt }: { caseId: string; target: string; attempt: number }): string {
  return JSON.stringify([caseId, target, attempt]);
}

function listNames(names: readonly string[]): string {
  const unique = [...new Set(names)];
  const shown = unique.slice(0, mostNames).map((name) => shorten(name, 40));
  return unique.length > shown.length
    ? `${shown.join(', ')}, … (${formatCount(unique.length)})`
    : shown.join(', ');
}

function scoreLines(before: Run, after: Run): string[] {
  return (after.summary?.targets ?? []).map((target) => {
    const was = before.summary?.targets.find((other) => other.target === target.target);
    const score = (of: typeof target, run: Run) => headlineParts(of, run)[0] ?? '';
    const now = score(target, after);
    const name = shorten(target.target, 40);
    return was === undefined ? `  ${name}: ${now}` : `  ${name}: ${score(was, before)} → ${now}`;
  });
}
