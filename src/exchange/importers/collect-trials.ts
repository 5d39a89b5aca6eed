import type { Verdict } from '../../core/schema/verdict.ts';
import type { JsonObject, RecordedAnswers } from './importer.ts';
import type { Ledger } from './ledger.ts';
import { ownId, restoreOwnParts } from './own-parts.ts';
import { asNumber, asText, type Fields, jsonObject, withoutTerminalCodes, filled } from './values.ts';

/** A score that another tool gave an answer, in its own form. */
export interface FoundScore {
  readonly name: string;
  /** A number, a truth value, or a word. */
  readonly value?: unknown;
  /** True when it passed there, where the tool says so. */
  readonly passed?: boolean;
  /** The class that the tool gave besides the number. */
  readonly label?: string;
  readonly explanation?: string;
  /** The reason why the tool has no score; `code` says what kind of fault that was. */
  readonly failure?: { readonly code: string; readonly reason: string };
  /** True when its numbers are on a scale other than 0 to 1, whatever this one is. */
  readonly isQuantity?: boolean;
  /** True when its word is a class, also where it is a yes or no: nothing says which classes are good. */
  readonly isClass?: boolean;
  readonly evidence?: Fields;
}

/** An answer as an importer finds it: its case has no name yet, and its attempt no number. */
export interface FoundTrial {
  /** Equal for the attempts at one case, and for the answers of several targets to it. */
  readonly caseKey: string;
  /** The case without its id. The first trial's case counts. */
  readonly testCase: JsonObject;
  /** The name of the case in the file. */
  readonly name?: string;
  /** The target that answered; undefined for a case that was not asked. */
  readonly target?: string;
  /** The recorded answer or error, with all that is known of it. */
  readonly row?: Fields;
  /** The recorded scores; undefined for an answer that was never scored. */
  readonly scores?: readonly FoundScore[];
  /** The order among the attempts at the case, where the file numbers them. */
  readonly order?: number;
}

/** The words of the tool that the trials come from. */
interface CollectOptions {
  readonly title: string;
  /** The name of the score that says whether an answer passed as a whole. */
  readonly total?: string;
  readonly ledger: Ledger;
}

/** The parts of a project that trials become. */
export interface CollectedTrials {
  readonly cases: JsonObject[];
  readonly answers?: RecordedAnswers;
}

/** Names the cases of trials, numbers the attempts at each, and makes verdicts of the recorded scores. */
export function collectTrials(trials: readonly FoundTrial[], options: CollectOptions): CollectedTrials {
  const groups = [...Map.groupBy(trials, ({ caseKey }) => caseKey)];
  const names = nameCases(
    groups.map(
      ([, group]) => group.find(({ name }) => name !== undefined)?.name ?? ownId(group[0]?.testCase),
    ),
  );
  const ids = new Map(groups.map(([key], index) => [key, names[index] ?? key]));
  const cases = groups.map(([key, [first]]) =>
    restoreOwnParts({ id: ids.get(key) ?? key, ...first?.testCase }),
  );
  for (const _ of cases) options.ledger.take('question', 'question');
  const answered = trials.filter(({ row }) => row !== undefined);
  if (answered.length === 0) return { cases };
  const attemptOf = numberAttempts(answered);
  const quantities = findQuantities(answered, options);
  const rows = answered.map((trial) =>
    jsonObject({
      caseId: ids.get(trial.caseKey),
      attempt: attemptOf.get(trial),
      recordedTarget: targetOf(trial),
      ...trial.row,
      ...(trial.scores !== undefined && recordScores(trial.scores, quantities, options)),
    }),
  );
  const scores = answered.flatMap((trial) => trial.scores ?? []);
  const verdicts = [...new Set(scores.filter((score) => !isLabel(score)).map(({ name }) => name))];
  const total = options.total !== undefined && verdicts.includes(options.total) ? options.total : undefined;
  return {
    cases,
    answers: {
      rows,
      targets: [...new Set(answered.map(targetOf))],
      verdicts,
      total,
      ...(scores.some(isLabel) && { hasLabels: true }),
      attempts: [...attemptOf.values()].reduce((most, attempt) => Math.max(most, attempt), 1),
    },
  };
}

/**
 * Returns the score on a whole answer. Where a part of it could not be measured it is not measured either, unless another
 * part failed: then the answer cannot pass.
 */
export function totalScore(
  name: string,
  parts: readonly FoundScore[],
  isPassed: boolean | undefined,
): FoundScore {
  const missing = parts.filter(({ failure }) => failure !== undefined);
  const hasFailed = parts.some(({ passed, failure }) => failure === undefined && passed === false);
  if (missing.length > 0 && !hasFailed) {
    const reason = `these could not be measured: ${missing.map((part) => part.name).join(', ')}`;
    return { name, failure: { code: 'grader-error', reason } };
  }
  const passed = isPassed ?? !hasFailed;
  return { name, value: passed, passed };
}

/** Returns names for cases: the names in the file where no other case has the same, else numbers. */
export function nameCases(names: readonly (string | undefined)[], kind = 'case'): string[] {
  const counts = Map.groupBy(names, (name) => name);
  const isName = (name: string | undefined) =>
    name !== undefined && name.length <= 100 && counts.get(name)?.length === 1;
  const taken = new Set(names.filter(isName));
  return names.map((name, index) => {
    if (name !== undefined && isName(name)) return name;
    const numbered = `${kind}-${index + 1}`;
    return taken.has(numbered) ? `${numbered} (unnamed)` : numbered;
  });
}

function targetOf({ target }: FoundTrial): string {
  return target ?? 'recorded';
}

/** Numbers the answers of one target to one case from 1. */
function numberAttempts(trials: readonly FoundTrial[]): Map<FoundTrial, number> {
  const groups = Map.groupBy(trials, (trial) => JSON.stringify([trial.caseKey, targetOf(trial)]));
  const numbered = [...groups.values()].flatMap((group) =>
    group
      .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
      .map((trial, index) => [trial, index + 1] as const),
  );
  return new Map(numbered);
}

/** Returns the verdicts of an answer, and the labels with them. */
function recordScores(
  scores: readonly FoundScore[],
  quantities: ReadonlySet<string>,
  options: CollectOptions,
): Fields {
  const labels = scores.filter(isLabel);
  for (const { name } of labels) {
    options.ledger.approximate(`label ${name}`, {
      became: `recorded value labels.${name}`,
      note: 'It is a word without a number: it is stored with the answer, where `check` can read it, but is not a verdict.',
    });
  }
  const verdicts = scores
    .filter((score) => !isLabel(score))
    .map((score) => [score.name, verdictOf(score, quantities, options)]);
  return {
    verdicts: Object.fromEntries(verdicts),
    ...(labels.length > 0 && { labels: Object.fromEntries(labels.map(({ name, value }) => [name, value])) }),
  };
}

/** Returns whether a score is a word that is no yes or no: it has no number. */
function isLabel(score: FoundScore): boolean {
  const { value, failure } = score;
  if (score.isClass === true) return true;
  const isWord = asText(value) !== undefined && value !== 'NaN';
  return failure === undefined && isWord && measure(score) === undefined;
}

/** One number of 47 says that the others of its name are no shares, either. */
function findQuantities(trials: readonly FoundTrial[], { ledger }: CollectOptions): ReadonlySet<string> {
  const quantities = new Set<string>();
  for (const { name, value, isQuantity } of trials.flatMap(({ scores = [] }) => scores)) {
    const number = asNumber(value);
    if (isQuantity === true || (number !== undefined && (number < 0 || number > 1))) quantities.add(name);
  }
  for (const name of quantities) {
    ledger.approximate(`score ${name}`, {
      became: `recorded verdict ${name}`,
      note: 'Its numbers are not from 0 to 1: it is shown as a quantity and is not part of any total.',
    });
  }
  return quantities;
}

/** Words with which tools say that something holds, or does not. */
const words: Readonly<Record<string, number>> = {
  pass: 1,
  passed: 1,
  yes: 1,
  true: 1,
  correct: 1,
  fail: 0,
  failed: 0,
  no: 0,
  false: 0,
  incorrect: 0,
};

function verdictOf(score: FoundScore, quantities: ReadonlySet<string>, options: CollectOptions): Verdict {
  const { name, value, explanation, failure, evidence = {} } = score;
  if (failure !== undefined) return notMeasured(score, failure, options);
  const measured = measure(score);
  if (measured === undefined) {
    return notMeasured(score, { code: 'not-scored', reason: `${options.title} recorded no value` }, options);
  }
  if (!quantities.has(name)) options.ledger.take(`score ${name}`, `recorded verdict ${name}`);
  const { number, passed } = measured;
  return {
    status: 'scored',
    value: number,
    ...(quantities.has(name) && { unit: 'score' }),
    passed,
    label: score.label,
    ...(explanation !== undefined && { explanation: withoutTerminalCodes(explanation) }),
    evidence: jsonObject({ recorded: value, ...evidence }),
  };
}

/** Returns the number of a score, and whether it passed; undefined for a word that is no yes or no. */
function measure({ value, passed }: FoundScore): { number: number; passed?: boolean } | undefined {
  const number = asNumber(value);
  if (number !== undefined) return { number, passed };
  if (typeof value === 'boolean') return { number: Number(value), passed: passed ?? value };
  const word = asText(value)?.trim().toLowerCase();
  const known = word !== undefined && Object.hasOwn(words, word) ? words[word] : undefined;
  if (known !== undefined) return { number: known, passed: passed ?? known === 1 };
  return word === undefined || passed === undefined ? undefined : { number: Number(passed), passed };
}

function notMeasured(
  { name, explanation, evidence = {} }: FoundScore,
  { code, reason }: { readonly code: string; readonly reason: string },
  { title, ledger }: CollectOptions,
): Verdict {
  ledger.approximate(`score ${name} that ${title} could not give`, {
    became: 'not measured',
    note: 'It is counted as missing, and is in no mean.',
  });
  const text = withoutTerminalCodes(explanation === undefined ? reason : `${reason}: ${explanation}`);
  const known = jsonObject(evidence);
  return { status: 'failed', code, reason: text, evidence: filled(known) };
}
