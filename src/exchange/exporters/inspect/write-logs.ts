import { fileNameOf } from '../../../core/lib/files/file-name.ts';
import { Ledger } from '../../importers/ledger.ts';
import type { Result } from '../../../core/schema/result.ts';
import { endOfAnswers, type Run } from '../../../core/schema/run.ts';
import { noteOwnParts, noteUnasked, wasAsked } from '../common-parts.ts';
import type { ExportedFile, ExportInput } from '../exporter.ts';
import { totalScore, translateSample, type WrittenSample } from './translate-sample.ts';

/** The beginning of the names of logs in JSON that Inspect lists; it lists `.eval` by any name. */
const listedName = /(?:^|[\\/'])\d{4}-\d{2}-\d{2}T\d{2}[:-]\d{2}[:-]\d{2}[^\\/]*\.json'?$/;

/** Returns the command that shows the logs in the folder of a file; undefined for a file that Inspect does not list. */
export function openLogs(place: string): string | undefined {
  if (/\.json'?$/.test(place) && !listedName.test(place)) return undefined;
  const folder = /\.(?:eval|json)$/.test(place) ? place.replace(/[^\\/]*$/, '') : place;
  return `inspect view --log-dir ${folder === '' ? '.' : folder}`;
}

/** A form in which a log can be written. */
export interface LogForm {
  readonly ending: string;
  readonly write: (log: Log) => AsyncIterable<string | Uint8Array>;
}

/** The parts from which a log of one target is written. */
export interface Log {
  readonly run: Run;
  readonly target: string;
  /** Yields the samples, counted as they come; the ledger counts them once. */
  samples(): AsyncGenerator<WrittenSample>;
  /** Returns the parts besides the samples, once all of them were read. */
  head(): Readonly<Record<string, unknown>>;
  /** Returns the same before the samples: it reads them all, and counts nothing in the ledger. */
  readHead(): Promise<Readonly<Record<string, unknown>>>;
}

/** Returns the logs of a run, one for each target. */
export function writeLogs({ run, results }: ExportInput, ledger: Ledger, form: LogForm): ExportedFile[] {
  noteOwnParts(run, ledger);
  return run.targets.map(({ name: target }, index) => {
    const translateAll = async function* (counts: LogTally, into: Ledger) {
      for await (const result of ofTarget(results(), target)) {
        if (!wasAsked(result)) {
          noteUnasked(into, result);
          continue;
        }
        const sample = translateSample(run, result, into);
        counts.add(sample);
        yield sample;
      }
    };
    const tally = createLogTally();
    const log: Log = {
      run,
      target,
      samples: () => translateAll(tally, ledger),
      head: () => describeLog(run, target, tally),
      readHead: async () => {
        const ahead = createLogTally();
        for await (const _sample of translateAll(ahead, new Ledger()));
        return describeLog(run, target, ahead);
      },
    };
    const part = run.targets.length === 1 ? '' : `.${index + 1}-${fileNameOf(target)}`;
    // Inspect lists logs in JSON only by names that begin with a time, without colons where a system has none in names.
    const time = run.createdAt.replace(/\.\d+/, '').replaceAll(':', '-');
    return { name: `${time}_${run.id}${part}.${form.ending}`, pieces: form.write(log) };
  });
}

async function* ofTarget(results: AsyncIterable<Result>, target: string): AsyncGenerator<Result> {
  for await (const result of results) if (result.trial.target === target) yield result;
}

/** Counts the samples of a log, for its results. */
interface LogTally {
  add(sample: WrittenSample): void;
  readonly samples: number;
  readonly completed: number;
  readonly ids: ReadonlySet<string>;
  readonly usage: ReadonlyMap<string, number>;
  scoresOf(name: string): { readonly scored: number; readonly sum: number };
}

function createLogTally(): LogTally {
  const scores = new Map<string, { scored: number; sum: number }>();
  const ids = new Set<string>();
  const usage = new Map<string, number>();
  let [samples, completed] = [0, 0];
  return {
    add: (sample) => {
      samples += 1;
      if (sample.error === undefined) completed += 1;
      ids.add(sample.id);
      for (const [name, { value }] of Object.entries(sample.scores)) {
        const known = scores.get(name) ?? { scored: 0, sum: 0 };
        scores.set(name, { scored: known.scored + 1, sum: known.sum + value });
      }
      const used = Object.values((sample['model_usage'] ?? {}) as Record<string, Record<string, number>>);
      for (const [name, count] of used.flatMap((each) => Object.entries(each)))
        usage.set(name, (usage.get(name) ?? 0) + count);
    },
    get samples() {
      return samples;
    },
    get completed() {
      return completed;
    },
    ids,
    usage,
    scoresOf: (name) => scores.get(name) ?? { scored: 0, sum: 0 },
  };
}

/** Describes a log without its samples. Means are computed as in Inspect: over the epochs that have the score. */
function describeLog(run: Run, target: string, tally: LogTally): Readonly<Record<string, unknown>> {
  const own = run.metrics.map(({ name }) => (name === totalScore ? `${name} (metric)` : name));
  const names = run.scorecard === null ? own : [totalScore, ...own];
  const created = toOffset(run.createdAt);
  // The data frames of Inspect take logs of one id for the same log.
  const id = `${run.id}-${run.targets.findIndex(({ name }) => name === target) + 1}`;
  const task = run.dataset.sources.map(withoutFolder).join(', ');
  const usage = Object.fromEntries(tally.usage);
  return {
    status: run.status === 'completed' ? 'success' : 'cancelled',
    eval: {
      eval_id: id,
      run_id: run.id,
      created,
      task: task === '' ? 'touchstone' : task,
      task_id: id,
      task_version: 0,
      task_args: {},
      dataset: {
        name: task,
        location: task,
        samples: run.dataset.cases,
        sample_ids: [...tally.ids],
        shuffled: false,
      },
      model: target,
      model_args: {},
      config: { epochs: run.attempts },
      packages: { touchstone: run.touchstoneVersion },
      metadata: { touchstoneRun: run.id },
      scorers: names.map((name) => ({
        name,
        options: {},
        metrics: [{ name: 'inspect_ai/mean', options: {} }],
        metadata: {},
      })),
    },
    plan: { name: 'plan', steps: [], config: {} },
    results: {
      total_samples: tally.samples,
      completed_samples: tally.completed,
      scores: names.map((name) => {
        const { scored, sum } = tally.scoresOf(name);
        const mean = { name: 'mean', value: sum / scored, params: {} };
        return {
          name,
          scorer: name,
          scored_samples: scored,
          unscored_samples: tally.samples - scored,
          params: {},
          metrics: scored === 0 ? {} : { mean },
        };
      }),
    },
    stats: {
      started_at: created,
      completed_at: toOffset(endOfAnswers(run)),
      model_usage: tally.usage.size === 0 ? {} : { [target]: usage },
    },
  };
}

/** Python's parser of older versions does not know the `Z` of a time. */
function toOffset(time: string): string {
  return time.replace(/Z$/, '+00:00');
}

function withoutFolder(source: string): string {
  return source.split(/[\\/]/).at(-1) ?? source;
}
