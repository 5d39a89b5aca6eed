import { setMember } from '../../../core/lib/objects.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import type { JsonObject } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { asArray, asNumber, asObject, asText, type Fields, jsonObject, restOf, filled } from '../values.ts';

/** The facts about the scores of a log before they are translated one by one. */
export interface ScoreSurvey {
  /** The names of the recorded verdicts, in the order in which they are first seen. */
  readonly names: readonly string[];
  /** The names of those whose numbers are quantities: some are outside of 0 to 1. */
  readonly quantities: ReadonlySet<string>;
  /** True when some scores are words or lists, which have no number. */
  readonly hasLabels: boolean;
}

/** The letters of Inspect: correct, incorrect, partially correct, no answer. */
const letters: Readonly<Record<string, number>> = { C: 1, I: 0, P: 0.5, N: 0 };

/** The words that Inspect reads as numbers, in any case. */
const words: Readonly<Record<string, number>> = { yes: 1, true: 1, no: 0, false: 0 };

/** Looks through all scores, since one number of 47 says that the others are no shares, either. */
export function surveyScores(samples: readonly Fields[], ledger: Ledger): ScoreSurvey {
  const names = new Set<string>();
  const quantities = new Set<string>();
  let hasLabels = false;
  for (const { name, value } of samples.flatMap(scoresOf)) {
    if (isLabel(value)) {
      hasLabels = true;
      continue;
    }
    names.add(name);
    const number = numberOf(value);
    if (number !== undefined && (number < 0 || number > 1)) quantities.add(name);
  }
  for (const name of quantities) {
    ledger.approximate(`score ${name}`, {
      became: `recorded verdict ${name}`,
      note: 'Its numbers are not from 0 to 1: it is shown as a quantity and is not part of any total.',
    });
  }
  return { names: [...names], quantities, hasLabels };
}

/** Returns the score of a task that decides whether an answer passed: the first that is a share. */
export function findTotal(
  samples: readonly Fields[],
  { names, quantities }: ScoreSurvey,
): string | undefined {
  const scores = samples.flatMap(scoresOf).filter(({ value }) => numberOf(value) !== undefined);
  const shares = new Set(scores.map(({ name }) => name));
  return names.find((name) => shares.has(name) && !quantities.has(name));
}

/** The scores of a sample: those with a number, and the words or lists with them. */
interface TranslatedScores {
  readonly verdicts?: Readonly<Record<string, Verdict>>;
  readonly labels?: Readonly<Record<string, unknown>>;
}

/** Translates the scores of a sample; to nothing when it was never scored. */
export function translateScores(sample: Fields, survey: ScoreSurvey, ledger: Ledger): TranslatedScores {
  if (asObject(sample.scores) === undefined) return {};
  const verdicts: Record<string, Verdict> = {};
  const labels: Record<string, unknown> = {};
  for (const { name, value, score } of scoresOf(sample)) {
    noteHistory(name, score, ledger);
    if (isLabel(value)) {
      ledger.approximate(`score ${name} that is no number`, {
        became: `recorded value labels.${name}`,
        note: 'Inspect counts 0 for it. It is stored with the answer, where `check` can read it, but is not a verdict.',
      });
      setMember(labels, name, value);
      continue;
    }
    if (numberOf(value) === undefined) {
      ledger.approximate(`score ${name} that Inspect could not give`, {
        became: 'not measured',
        note: 'It is counted as missing, and is in no mean.',
      });
    } else if (!survey.quantities.has(name)) ledger.take(`score ${name}`, `recorded verdict ${name}`);
    setMember(verdicts, name, verdictOf(value, score, survey.quantities.has(name)));
  }
  return { verdicts, labels: filled(labels) };
}

interface NamedValue {
  readonly name: string;
  readonly value: unknown;
  readonly score: Fields;
}

/** Returns the scores of a sample, one for each number: a score that is an object has several. */
function scoresOf({ scores }: Fields): NamedValue[] {
  return Object.entries(asObject(scores) ?? {}).flatMap(([name, given]): NamedValue[] => {
    const score = asObject(given) ?? {};
    const parts = asObject(score.value);
    if (parts === undefined) return [{ name, value: score.value, score }];
    return Object.entries(parts).map(([key, value]) => ({ name: `${name}.${key}`, value, score }));
  });
}

/** Returns the number of a score as the metrics of Inspect read it: letters, yes and no, numbers written as texts. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') return asNumber(value);
  const word = value.toLowerCase();
  if (Object.hasOwn(letters, value)) return letters[value];
  if (Object.hasOwn(words, word)) return words[word];
  const number = Number(word);
  return word.trim() !== '' && Number.isFinite(number) ? number : undefined;
}

/** Returns whether a score is a word or a list: it was given, and has no number. */
function isLabel(value: unknown): boolean {
  const isWord = typeof value === 'string' && !/^(?:NaN|-?Infinity)?$/.test(value);
  return (isWord || Array.isArray(value)) && numberOf(value) === undefined;
}

function verdictOf(value: unknown, score: Fields, isQuantity: boolean): Verdict {
  const explanation = asText(score.explanation);
  const number = numberOf(value);
  const evidence = jsonObject({ recorded: value, ...restOf(score, ['value', 'explanation', 'history']) });
  if (number === undefined) return withoutValue(explanation, evidence);
  const said = { explanation, evidence };
  const own = ownPartsOf(score);
  if (isQuantity) return { status: 'scored', value: number, unit: own.unit ?? 'score', ...said };
  const passed = own.passed === undefined ? number === 1 : own.passed;
  return { status: 'scored', value: number, ...(passed !== null && { passed }), ...said };
}

/** Returns the parts of a verdict that Inspect has no place for, from a log that Touchstone wrote. */
function ownPartsOf({ metadata }: Fields): { readonly passed?: boolean | null; readonly unit?: string } {
  const { passed, unit } = asObject(asObject(metadata)?.touchstone) ?? {};
  return {
    ...((typeof passed === 'boolean' || passed === null) && { passed }),
    ...(typeof unit === 'string' && { unit }),
  };
}

/** A score of NaN could not be computed, often because the judge's reply could not be read. */
function withoutValue(explanation: string | undefined, evidence: ReturnType<typeof jsonObject>): Verdict {
  const reason = 'Inspect recorded no value';
  return {
    status: 'failed',
    code: 'not-scored',
    reason: explanation === undefined ? reason : `${reason}: ${explanation}`,
    evidence,
  };
}

function noteHistory(name: string, { history }: Fields, ledger: Ledger): void {
  const edits = asArray(history).filter((each) => asObject(asObject(each)?.provenance) !== undefined);
  for (const each of edits) {
    const author = asText(asObject(asObject(each)?.provenance)?.author) ?? 'a person';
    ledger.approximate(`edit of the score ${name}`, {
      became: `recorded verdict ${name}`,
      note: `It was changed by ${author}; the value after the change is stored.`,
    });
  }
}

/** The metrics of ours that compute what a scorer of Inspect computes, by its name. */
const ownMetrics: Readonly<Record<string, JsonObject>> = {
  includes: { use: 'contains', mode: 'any' },
  exact: { use: 'squad-exact-match' },
  f1: { use: 'squad-f1' },
};

/** Returns our metrics for the scorers of a log that compute the same, so that both verdicts stand side by side. */
export function ownMetricsOf(described: Fields, ledger: Ledger): JsonObject[] {
  const scorers = asArray(described.scorers).flatMap((each) => asText(asObject(each)?.name) ?? []);
  return [...new Set(scorers)].flatMap((scorer) => {
    const own = Object.hasOwn(ownMetrics, scorer) ? ownMetrics[scorer] : undefined;
    if (own === undefined) {
      ledger.leaveOut(`scorer ${scorer}`, {
        note: 'No metric of ours computes the same; its verdicts stay as they were recorded.',
      });
      return [];
    }
    ledger.take(`scorer ${scorer}`, `metric ${String(own.use)}`);
    return [own];
  });
}
