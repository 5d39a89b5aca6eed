import { findLiteralSecret } from '../../../core/lib/literal-secrets.ts';
import { formatPlural } from '../../../look/report/format.ts';
import type { JsonObject, Translation } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { asArray, asNumber, asObject, asText, asTime, type Fields, jsonObject, restOf } from '../values.ts';
import { attemptsOf, inOrder, nameAcrossLogs, namesOf } from './name-samples.ts';
import type { InspectLog } from './read-logs.ts';
import { translateCase } from './translate-case.ts';
import { translateSample } from './translate-sample.ts';
import { findTotal, ownMetricsOf, surveyScores } from './translate-scores.ts';

/** The name of the total where the totals of several tasks have different names. */
const sharedTotal = 'inspect';

/** A log with the names of its parts in the project. */
interface NamedLog {
  readonly log: InspectLog;
  readonly described: Fields;
  readonly task: string;
  /** The model as Inspect names it. */
  readonly model: string;
  /** The model, with a number where a task has several logs of it. */
  readonly target: string;
  readonly samples: readonly Fields[];
  /** The file of the log, where several are imported. */
  readonly place: { readonly place?: string };
}

/**
 * Translates logs of Inspect: samples are cases, their epochs attempts, and their scores recorded verdicts. The models of
 * several logs of a task are targets of the same cases. Cases of several tasks have the name of their task and are grouped by it.
 */
export function translateLogs(foundLogs: readonly InspectLog[], ledger: Ledger): Translation {
  const logs = nameLogs(withoutReplaced(foundLogs, ledger), ledger);
  const tasks = [...new Set(logs.map(({ task }) => task))];
  const samplesOf = (task: string) => logs.flatMap((log) => (log.task === task ? log.samples : []));
  const survey = surveyScores(tasks.flatMap(samplesOf), ledger);
  const totals = new Map(tasks.map((task) => [task, findTotal(samplesOf(task), survey)]));
  const total = totalOf(totals, ledger);
  const nameAcross = nameAcrossLogs();
  const cases = new Map<string, JsonObject>();
  const rows = logs.flatMap(({ described, task, model, target, samples, place }) => {
    const createdAt = asTime(described.created);
    const nameOf = namesOf(samples);
    const attempt = attemptsOf(samples);
    return samples.map((sample) => {
      const name = tasks.length === 1 ? nameOf(sample) : `${task}/${nameOf(sample)}`;
      const id = nameAcross(name, sample);
      if (!cases.has(id)) {
        const translated = translateCase(sample, id, ledger);
        cases.set(id, tasks.length === 1 ? translated : { ...translated, category: task });
      }
      const context = { id, attempt: attempt(sample), target, model, createdAt, survey, ledger };
      const row = translateSample(sample, { ...context, place });
      return total === sharedTotal ? withTotal(row, totals.get(task)) : row;
    });
  });
  for (const log of logs) noteRest(log, ledger);
  const targets = [...new Set(logs.map(({ target }) => target))];
  const attempts = Math.max(1, ...rows.map((row) => Number(row.attempt)));
  noteMissing({ rows, targets, planned: cases.size * attempts }, ledger);
  const metrics = sharedMetrics(logs, ledger);
  const facts = factsOfLogs(logs);
  const version = logs.map(({ described }) => asText(asObject(described.packages)?.inspect_ai)).find(Boolean);
  const verdicts = total === sharedTotal ? [...survey.names, total] : survey.names;
  return {
    found: describeFound(logs, { tasks, cases: cases.size, attempts, targets: targets.length }),
    version,
    description: `${tasks.join(', ')}, from ${logs.length === 1 ? 'a log' : 'logs'} of Inspect${version === undefined ? '' : ` ${version}`}`,
    cases: [...cases.values()],
    metadata: facts,
    answers: {
      rows,
      targets,
      verdicts,
      total,
      ...(survey.hasLabels && { hasLabels: true }),
      attempts,
    },
    // Where no metric of ours reads the expected answer, the recorded verdicts did.
    config: jsonObject({ metrics, ...(metrics.length === 0 && { unread: ['answer'] }) }),
  };
}

/** Leaves out the logs of which the folder has a later try: Inspect gives the retry of a log the same `task_id`. */
function withoutReplaced(logs: readonly InspectLog[], ledger: Ledger): InspectLog[] {
  const tries = logs.map((log) => {
    const { created, task_id: id, model } = asObject(log.head.eval) ?? {};
    const key = asText(id) === undefined ? log : JSON.stringify([id, model]);
    return { log, key, time: Date.parse(String(created)) || 0 };
  });
  const inTime = tries.toSorted((a, b) => a.time - b.time);
  const last = new Map(inTime.map(({ key, log }) => [key, log]));
  return inTime.flatMap(({ key, log }) => {
    const later = last.get(key) ?? log;
    if (later === log) return [log];
    ledger.leaveOut('log that was tried again', {
      note: `A later log of the same task_id has taken its place, with ${formatPlural(later.samples().length, 'sample')}.`,
      place: log.place,
    });
    return [];
  });
}

/** Names the task, the target and the samples of each log, which are in the order of their time. */
function nameLogs(logs: readonly InspectLog[], ledger: Ledger): NamedLog[] {
  const seen = new Map<string, number>();
  return logs.map((log) => {
    const described = asObject(log.head.eval) ?? {};
    const task = asText(described.task) ?? 'a task';
    const model = asText(described.model) ?? 'model';
    const key = JSON.stringify([task, model]);
    const number = (seen.get(key) ?? 0) + 1;
    seen.set(key, number);
    const target = number === 1 ? model : `${model} (${number})`;
    const place = log.place === undefined ? {} : { place: log.place };
    if (log.place !== undefined) ledger.take('log', `target ${target}`, log.place);
    const samples = inOrder(log.samples(), asArray(asObject(described.dataset)?.sample_ids));
    return { log, described, task, model, target, samples, place };
  });
}

/** Returns the name of the total of all tasks; undefined when no task has one. */
function totalOf(totals: ReadonlyMap<string, string | undefined>, ledger: Ledger): string | undefined {
  const names = new Set(totals.values());
  if (names.size <= 1) return [...names][0];
  for (const [task, name] of totals) {
    ledger.approximate(`total of the task ${task}`, {
      became: `recorded verdict ${sharedTotal}`,
      note:
        name === undefined
          ? 'It has no score from 0 to 1: its answers are not in the total.'
          : `The score ${name} decides; each task has a score of its own name, and the total of the run is over all of them.`,
    });
  }
  return sharedTotal;
}

function withTotal(row: JsonObject, total: string | undefined): JsonObject {
  const verdicts = asObject(row.verdicts);
  const found = total === undefined ? undefined : verdicts?.[total];
  return found === undefined ? row : jsonObject({ ...row, verdicts: { ...verdicts, [sharedTotal]: found } });
}

/** Returns our metrics for scorers that every log has: one of a single task would score the cases of the others, too. */
function sharedMetrics(logs: readonly NamedLog[], ledger: Ledger): JsonObject[] {
  const [first = [], ...others] = logs.map(({ described }) => ownMetricsOf(described, ledger));
  return first.filter(({ use }) => others.every((metrics) => metrics.some((metric) => metric.use === use)));
}

interface Recorded {
  readonly rows: readonly JsonObject[];
  readonly targets: readonly string[];
  /** The number of answers of a target that the run will ask for. */
  readonly planned: number;
}

/** Notes the answers that a target lacks: the run asks each target every case, as often as the log with the most epochs did. */
function noteMissing({ rows, targets, planned }: Recorded, ledger: Ledger): void {
  for (const target of targets) {
    const missing = planned - rows.filter(({ recordedTarget }) => recordedTarget === target).length;
    if (missing === 0) continue;
    ledger.approximate(`answers of ${target} that no log has`, {
      became: formatPlural(missing, 'answer that is not measured', 'answers that are not measured'),
      note: 'Other logs, or other epochs, have answers to these questions.',
    });
  }
}

interface Sizes {
  readonly tasks: readonly string[];
  readonly cases: number;
  readonly attempts: number;
  readonly targets: number;
}

function describeFound(logs: readonly NamedLog[], { tasks, cases, attempts, targets }: Sizes): string {
  const samples = logs.reduce((sum, log) => sum + log.samples.length, 0);
  const size = [
    `${formatPlural(samples, 'sample')} of ${formatPlural(cases, 'question')}`,
    formatPlural(attempts, 'epoch'),
    ...(logs.length === 1 ? [] : [formatPlural(targets, 'target')]),
  ].join(' × ');
  const versions = [...new Set(logs.map(({ log }) => String(log.head.version ?? 2)))].join(' and ');
  const unfinished = logs.flatMap(({ log, place }) =>
    log.head.status === 'success'
      ? []
      : [`${place.place ?? 'the run'} did not end: ${String(log.head.status)}`],
  );
  const name = logs.length === 1 ? 'Inspect log' : `${logs.length} Inspect logs`;
  const ofTasks = tasks.length === 1 ? [] : [formatPlural(tasks.length, 'task')];
  return [`${name}, version ${versions}`, ...ofTasks, size, ...unfinished].join(', ');
}

/** The members of the description of an evaluation that have a place of their own. */
const placedFacts = ['task', 'model', 'created', 'dataset'];

/** Returns these facts of an evaluation, but for those in which there seems to be a key or a password. */
function factsOf(described: Fields): Fields {
  const found = Object.entries(restOf(described, placedFacts));
  return Object.fromEntries(found.filter(([name]) => secretIn(described, name) === undefined));
}

function secretIn(described: Fields, name: string): string | undefined {
  return findLiteralSecret(described[name], `eval.${name}`);
}

/** Returns the facts of each log, by its file where there are several; undefined when there are none. */
function factsOfLogs(logs: readonly NamedLog[]): Translation['metadata'] {
  const facts = logs.map(({ log: { head }, described, place }, index) => {
    const dataset = restOf(asObject(described.dataset) ?? {}, ['sample_ids']);
    const facts = restOf(
      { ...factsOf(described), dataset, results: head.results, stats: head.stats, error: head.error },
      [],
    );
    return [place.place ?? String(index + 1), facts] as const;
  });
  const found = facts.filter(([, each]) => Object.keys(each).length > 0);
  if (found.length === 0) return undefined;
  return jsonObject(logs.length === 1 ? (found[0]?.[1] ?? {}) : Object.fromEntries(found));
}

/** Notes what a log has besides its samples. */
function noteRest({ log: { head }, described, samples, place }: NamedLog, ledger: Ledger): void {
  const config = asObject(described.config) ?? {};
  const epochs = Math.max(1, ...samples.map(attemptsOf(samples)));
  const reducers = [config.epochs_reducer].flat().filter((each) => each !== undefined && each !== null);
  if (epochs > 1) {
    const named = reducers.length === 0 ? 'mean' : reducers.join(', ');
    ledger.approximate('means over epochs', {
      ...place,
      became: 'means over attempts',
      note: `Inspect reduced the epochs of a sample first (${named}), then took the mean over samples that had a score.`,
    });
  }
  for (const [name, value] of Object.entries(factsOf(described)))
    ledger.keep(`eval.${name}`, value, place.place);
  for (const name of Object.keys(described)) {
    const secret = secretIn(described, name);
    if (secret !== undefined)
      ledger.leaveOut(`eval.${name}`, { ...place, note: `There seems to be a secret in it: ${secret}.` });
  }
  noteCopies({ ...head, ...samples[0] }, place, ledger);
  if (head.plan !== undefined) {
    const note = 'Solvers are code; the answers that they led to are here.';
    ledger.leaveOut('plan', { ...place, note });
  }
  if (head.error !== undefined && head.error !== null) {
    const message = asText(asObject(head.error)?.message) ?? 'without a message';
    const ended = samples.filter(({ error }) => error === undefined || error === null).length;
    ledger.approximate('error of the whole run', {
      ...place,
      became: formatPlural(asNumber(asObject(head.results)?.completed_samples) ?? ended, 'completed sample'),
      note: `The run stopped: ${message.slice(0, 200)}`,
    });
  }
}

/** Notes what says the same as the messages and the scores of the samples. */
function noteCopies(found: Fields, place: NamedLog['place'], ledger: Ledger): void {
  for (const name of ['events_data', 'reductions']) {
    if (restOf(found, [])[name] === undefined) continue;
    ledger.leaveOut(name, { ...place, note: 'The messages and the scores of each sample are here.' });
  }
}
