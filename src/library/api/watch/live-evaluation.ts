import { TouchstoneError } from '../../../core/errors.ts';
import { didYouMean } from '../../../core/lib/text/nearest-name.ts';
import { storedTraces, type WatchDay } from '../../../core/schema/watch/watch-record.ts';
import { type WatchSetting, watchSettingSchema } from '../../../core/schema/watch/watch-setting.ts';
import { readUnit } from '../../../cases/traces/draw-units.ts';
import { toRecordedTrace } from '../../../cases/traces/trace-facts.ts';
import type { Config } from '../../config/config.ts';
import { type ConfigSource, readConfig } from '../../config/load-config.ts';
import { type LoadedEvaluation, toEvaluation } from '../../config/load-evaluation.ts';
import type { Recording } from '../../config/resolve-use.ts';
import type { Store } from '../../../stores/store.ts';

/** The name of the target whose answers are the traces of production. */
export const liveTarget = 'production';

/** The question of a trace that does not contain its question. */
const unknownQuestion = '(the question was not recorded)';

/** Loads a config with a watch. Throws `config-invalid` for one without a watch, and for an invalid one. */
export async function loadWatchConfig(config: string | undefined): Promise<ConfigSource> {
  const loaded = await readConfig(config);
  if ((loaded.written as { readonly watch?: unknown } | null)?.watch !== undefined) return loaded;
  throw new TouchstoneError(
    'config-invalid',
    'The config has no `watch`, which says what is to hold every day.',
    {
      remedy:
        'Add one: `watch: { name: live, rules: { helps: { type: metric, metric: helps, atLeast: 90 } } }` (docs/production.md).',
    },
  );
}

/** Loads the evaluation of a day: its questions and answers are the drawn traces. Throws as the check of a config does. */
export async function loadLive(
  config: ConfigSource,
  { store, day }: { readonly store: Store; readonly day: Pick<WatchDay, 'drawn'> },
): Promise<LoadedEvaluation & { readonly watch: WatchSetting }> {
  const {
    passes: _of,
    attempts: _many,
    scorecard = null,
    gate,
    ...rules
  } = config.written as Partial<Config>;
  const judge = gate?.judge;
  const overrides: Partial<Config> = {
    faults: [],
    perturb: [],
    // The watch decides; a gate on each day alone would give a false alarm in most months.
    gate: judge === undefined ? {} : { judge },
    dataset: storedTraces,
    targets: [{ use: 'replay', name: liveTarget, path: storedTraces }],
  };
  const recording = createRecording(store, day);
  const source = { ...config, written: { ...rules, scorecard } };
  const loaded = await toEvaluation(source, { overrides, recording, git: true });
  const watch = watchSettingSchema.parse(loaded.config.watch);
  checkNames(watch, loaded);
  return { ...loaded, watch };
}

function checkNames({ rules }: WatchSetting, { evaluation }: LoadedEvaluation): void {
  const known = {
    metric: evaluation.metrics.map(({ name }) => name),
    criterion: evaluation.scorecard?.criteria.map(({ name }) => name) ?? [],
  };
  for (const [name, rule] of Object.entries(rules)) {
    const [kind, named] =
      rule.type === 'metric'
        ? (['metric', rule.metric] as const)
        : (['criterion', rule.type === 'criterion' ? rule.criterion : undefined] as const);
    const isKnown = named === undefined ? evaluation.scorecard !== null : known[kind].includes(named);
    if (isKnown) continue;
    const missing = named === undefined ? 'scorecard' : `${kind} "${named}"`;
    const hint = didYouMean(named ?? '', known[kind]) || ` Known are ${known[kind].join(', ') || 'none'}.`;
    throw new TouchstoneError(
      'config-invalid',
      `The rule "${name}" of the watch needs a ${missing}, which the config does not have.${named === undefined ? '' : hint}`,
    );
  }
}

function createRecording(store: Store, { drawn }: Pick<WatchDay, 'drawn'>): Recording {
  async function* readUnits() {
    for (const unit of drawn) {
      const read = await readUnit(store, unit);
      if (read !== undefined) yield { unit, ...read, place: { file: `trace ${unit.traces[0]}` } };
    }
  }
  return {
    dataset: {
      sources: [storedTraces],
      drafts: async function* drafts() {
        for await (const { unit, facts, place } of readUnits()) {
          const value = {
            id: unit.id,
            input: facts.input ?? unknownQuestion,
            metadata: { trace: facts.traceId, day: facts.day },
          };
          yield { value, place, unknownFields: [], locate: (at) => ({ place, field: at.join('.') }) };
        }
      },
    },
    readRows: async function* readRows() {
      for await (const { trace, place } of readUnits()) yield { value: toRecordedTrace(trace), place };
    },
  };
}
