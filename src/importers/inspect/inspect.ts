import { TouchstoneError } from '../../errors.ts';
import { formatPlural } from '../../report/format.ts';
import type { ImportContent } from '../content/content.ts';
import { readCell, rowsOf } from '../content/rows.ts';
import { parseJsonWithNaN } from '../content/read-json-with-nan.ts';
import type { Importer, JsonObject, Translation } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { restoreOwnParts } from '../own-parts.ts';
import { asArray, asNumber, asObject, asText, type Fields, jsonObject } from '../values.ts';
import { translateMessages } from './translate-messages.ts';
import { translateSample } from './translate-sample.ts';
import { ownMetricsOf, surveyScores } from './translate-scores.ts';

/**
 * Logs of Inspect: `.eval`, a zip archive, and `.json`. The maintainers call the Python interface and not the file stable, so
 * unknown fields are no error.
 * @see https://inspect.aisi.org.uk/eval-logs.html
 */
export const inspect: Importer = {
  name: 'inspect',
  title: 'Inspect',
  detect(content) {
    const head = headOf(content);
    const samples = head === undefined ? samplesIn(content) : [];
    if (samples.length > 0) return describeSamples(samples);
    if (head === undefined) return undefined;
    return `an Inspect log of the task ${asText(asObject(head.eval)?.task) ?? 'without a name'}`;
  },
  read(content, ledger) {
    const samples = headOf(content) === undefined ? samplesIn(content) : [];
    if (samples.length > 0) return translateDataset(samples, ledger);
    const log = readLog(content);
    return translateLog(log, ledger);
  },
};

/** Returns the samples of a dataset: rows with an input and a target. */
function samplesIn(content: ImportContent): readonly Fields[] {
  const rows = rowsOf(content) ?? [];
  return rows.every((row) => 'input' in row && 'target' in row && !('expectedOutput' in row)) ? rows : [];
}

function describeSamples(samples: readonly Fields[]): string {
  return `a dataset of Inspect with ${formatPlural(samples.length, 'sample')}`;
}

/** Translates the samples of a dataset, which are not answered yet. */
function translateDataset(samples: readonly Fields[], ledger: Ledger): Translation {
  const nameOf = namesOf(samples);
  const cases = samples.map((sample) => {
    const metadata = asObject(readCell(sample.metadata)) ?? {};
    const read = { ...sample, target: readTarget(sample.target), metadata };
    return restoreOwnParts(translateCase(read, nameOf(sample), ledger));
  });
  return { found: describeSamples(samples), description: 'Samples of Inspect', cases };
}

/** Returns the target of a sample; in a table, several are a list of Python. An empty one is none. */
function readTarget(target: unknown): unknown {
  const read = typeof target === 'string' && target.startsWith('[') ? readCell(target) : target;
  return read === '' ? undefined : read;
}

/** Returns the part of a log beside its samples; undefined for what is no log. */
function headOf(content: ImportContent): Readonly<Record<string, unknown>> | undefined {
  if (content.form === 'zip') {
    const [header, start] = ['header.json', '_journal/start.json'].map((name) =>
      entryOf(content.entries, name),
    );
    const head = asObject(header ?? start);
    return asObject(head?.eval)?.task === undefined ? undefined : head;
  }
  if (content.form !== 'json') return undefined;
  const value = asObject(content.value);
  const described = asObject(value?.eval);
  return described?.task === undefined || described.model === undefined ? undefined : value;
}

function readLog(content: ImportContent): InspectLog {
  const head = headOf(content) ?? {};
  if (content.form !== 'zip') {
    return { head, samples: asArray(head.samples).map((each) => asObject(each) ?? {}) };
  }
  const names = [...content.entries.keys()].filter((name) => /^samples\/.*\.json$/.test(name));
  const samples = names.map((name) => asObject(entryOf(content.entries, name)) ?? {});
  // Samples are stored in the order in which they ended.
  const isWhole = content.entries.has('header.json');
  return { head: isWhole ? head : { ...head, status: 'started' }, samples };
}

function entryOf(entries: ReadonlyMap<string, () => Uint8Array>, name: string): unknown {
  const entry = entries.get(name);
  if (entry === undefined) return undefined;
  try {
    return parseJsonWithNaN(new TextDecoder().decode(entry()));
  } catch (error) {
    if (error instanceof TouchstoneError) throw error;
    const message = `The entry ${JSON.stringify(name.slice(0, 80))} of the log is no JSON: it is damaged.`;
    throw new TouchstoneError('import-invalid', message, { cause: error });
  }
}

/** A log as it is read from a file. */
interface InspectLog {
  /** Everything but the samples. */
  readonly head: Fields;
  readonly samples: readonly Fields[];
}

/** Translates a log of Inspect: its samples are cases, their epochs attempts, and their scores recorded verdicts. */
function translateLog({ head, samples }: InspectLog, ledger: Ledger): Translation {
  const described = asObject(head.eval) ?? {};
  const target = asText(described.model) ?? 'model';
  const config = asObject(described.config) ?? {};
  const ordered = inOrder(samples, asArray(asObject(described.dataset)?.sample_ids));
  const ids = namesOf(ordered);
  const survey = surveyScores(ordered, ledger);
  const attempts = attemptsOf(ordered);
  const cases = new Map<string, JsonObject>();
  const rows = ordered.map((sample) => {
    const id = ids(sample);
    if (!cases.has(id)) cases.set(id, translateCase(sample, id, ledger));
    return translateSample(sample, { id, attempt: attempts(sample), target, survey, ledger });
  });
  const epochs = Math.max(1, ...ordered.map(attempts));
  const metrics = ownMetricsOf(described, ledger);
  const ended = ordered.filter(({ error }) => error === undefined || error === null).length;
  noteRest(head, { described, config, epochs, ended }, ledger);
  const version = asText(asObject(described.packages)?.inspect_ai);
  const task = asText(described.task) ?? 'a task';
  return {
    found: [
      `Inspect log, version ${String(head.version ?? 2)}`,
      `${formatPlural(ordered.length, 'sample')} of ${formatPlural(cases.size, 'case')} × ${formatPlural(epochs, 'epoch')}`,
      ...(head.status === 'success' ? [] : [`the run did not end: ${String(head.status)}`]),
    ].join(', '),
    ...(version !== undefined && { version }),
    description: `${task}, from a log of Inspect${version === undefined ? '' : ` ${version}`}`,
    cases: [...cases.values()],
    answers: {
      rows,
      targets: [target],
      verdicts: survey.names,
      ...(survey.total !== undefined && { total: survey.total }),
      ...(survey.hasLabels && { hasLabels: true }),
      attempts: epochs,
    },
    // Where no metric of ours reads the expected answer, the recorded verdicts did.
    config: jsonObject({ metrics, ...(metrics.length === 0 && { unread: ['answer'] }) }),
  };
}

/** Returns the samples in the order of their dataset, and by epoch: a log has them in the order in which they ended. */
function inOrder(samples: readonly Fields[], ids: readonly unknown[]): Fields[] {
  const places = new Map(ids.map((id, index) => [JSON.stringify(id), index]));
  const placeOf = ({ id }: Fields) => places.get(JSON.stringify(id)) ?? ids.length;
  return samples.toSorted(
    (a, b) => placeOf(a) - placeOf(b) || (asNumber(a.epoch) ?? 1) - (asNumber(b.epoch) ?? 1),
  );
}

/** Returns a function that names the case of a sample. The ids 4 and "4" are two. */
function namesOf(samples: readonly Fields[]): (sample: Fields) => string {
  const kinds = new Map<string, Set<string>>();
  for (const { id } of samples) {
    const known = kinds.get(String(id)) ?? new Set();
    kinds.set(String(id), known.add(JSON.stringify(id)));
  }
  return ({ id }) => ((kinds.get(String(id))?.size ?? 0) > 1 ? JSON.stringify(id) : String(id));
}

/** Returns a function that numbers the epochs of a log from 1, whichever of them it contains. */
function attemptsOf(samples: readonly Fields[]): (sample: Fields) => number {
  const epochs = [...new Set(samples.map(({ epoch }) => asNumber(epoch) ?? 1))].toSorted((a, b) => a - b);
  return ({ epoch }) => epochs.indexOf(asNumber(epoch) ?? 1) + 1;
}

function noteRest(
  head: Fields,
  { described, config, epochs, ended }: { described: Fields; config: Fields; epochs: number; ended: number },
  ledger: Ledger,
): void {
  const reducers = [config.epochs_reducer].flat().filter((each) => each !== undefined && each !== null);
  if (epochs > 1) {
    const named = reducers.length === 0 ? 'mean' : reducers.join(', ');
    ledger.approximate('means over epochs', {
      became: 'means over attempts',
      note: `Inspect reduced the epochs of a sample first (${named}), then took the mean over samples that had a score.`,
    });
  }
  for (const name of ['task_args', 'model_args', 'model_generate_config', 'metadata', 'tags', 'revision']) {
    if (Object.keys(Object(described[name])).length > 0) ledger.keep(`eval.${name}`);
  }
  if (head.plan !== undefined) {
    ledger.leaveOut('plan of solvers', { note: 'Solvers are code; the answers that they led to are here.' });
  }
  if (head.error !== undefined && head.error !== null) {
    const message = asText(asObject(head.error)?.message) ?? 'without a message';
    ledger.approximate('error of the whole run', {
      became: formatPlural(asNumber(asObject(head.results)?.completed_samples) ?? ended, 'completed sample'),
      note: `The run stopped: ${message.slice(0, 200)}`,
    });
  }
}

/** Translates the question of a sample, with its choices as lettered lines, and what was expected. */
function translateCase(sample: Fields, id: string, ledger: Ledger): JsonObject {
  const { input, target, choices, metadata, files, sandbox, setup } = sample;
  ledger.take('sample', 'case');
  const wanted = [target].flat().filter((each) => each !== undefined && each !== null && each !== '');
  if (wanted.length > 0) ledger.take('target', 'expected.answer');
  const options = asArray(choices);
  if (options.length > 0) {
    ledger.approximate('choices', {
      became: 'lines of the question',
      note: 'Inspect may have shown them in another order or form.',
    });
  }
  for (const [name, value] of Object.entries({ files, sandbox, setup })) {
    if (value === undefined || value === null) continue;
    ledger.leaveOut(name, {
      note: 'The environment of a sample is not set up here; it is named in the metadata.',
    });
  }
  const kept = asObject(metadata) ?? {};
  if (Object.keys(kept).length > 0) ledger.take('metadata of a sample', 'metadata');
  return jsonObject({
    id,
    input: withChoices(input, options),
    ...(wanted.length > 0 && {
      expected: { answer: wanted.length === 1 ? String(wanted[0]) : wanted.map(String) },
    }),
    ...(asText(kept.category) !== undefined && { category: kept.category }),
    metadata: {
      ...kept,
      ...(options.length > 0 && { choices: options }),
      ...namesIn({ files, sandbox, setup }),
    },
  });
}

function withChoices(input: unknown, choices: readonly unknown[]): unknown {
  const lines = choices.map((choice, index) => `${String.fromCharCode(65 + index)}) ${String(choice)}`);
  const add = (text: string) => [text, ...(lines.length === 0 ? [] : ['', ...lines])].join('\n');
  if (!Array.isArray(input)) return add(String(input ?? ''));
  const messages = translateMessages(input);
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, index) =>
    index === last && lines.length > 0 ? { ...message, content: add(message.content ?? '') } : message,
  );
}

/** Names what a sample needed, without its content. */
function namesIn(parts: Fields): Record<string, unknown> {
  const found = Object.entries(parts).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    found.map(([name, value]) => [name, asObject(value) === undefined ? true : Object.keys(Object(value))]),
  );
}
