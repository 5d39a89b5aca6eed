import { translateChat } from '../chat-messages.ts';
import { collectTrials, type FoundTrial } from '../collect-trials.ts';
import type { ImportContent } from '../content/content.ts';
import { parseIfReadable } from '../content/rows.ts';
import type { JsonObject, Translation } from '../importer.ts';
import { escapePattern } from '../promptfoo/assertions/assertion.ts';
import type { Ledger } from '../ledger.ts';
import { modelsFor } from '../asked-models.ts';
import { asObject, asText, type Fields, jsonObject, objectsIn, textOf } from '../values.ts';
import { type JudgedClass, readJudgedClass } from './judged-class.ts';

type Folder = Extract<ImportContent, { form: 'folder' }>;

/** An eval of a registry with its samples. */
export interface RegisteredEval {
  readonly name: string;
  /** The class that evaluates, such as `evals.elsuite.basic.match:Match`; undefined for samples alone. */
  readonly kind: string | undefined;
  readonly args: Fields;
  readonly samples: readonly Fields[];
  /** The template by which a judge classifies the answers; a text is the reason why there is none of ours. */
  readonly judged?: JudgedClass | string;
}

/** Finds the evals of a registry; undefined for a folder without any. */
export function findEvals(content: Folder): RegisteredEval[] | undefined {
  const entriesIn = (folder: RegExp) =>
    content.names
      .filter((name) => folder.test(name))
      .map((name) => {
        const parsed = parseIfReadable(content.files, name) ?? {};
        return { name, value: asObject('value' in parsed ? parsed.value : undefined) ?? {} };
      });
  const templates = new Map(
    entriesIn(/(?:^|\/)modelgraded\/[^/]+\.ya?ml$/).map(({ name, value }) => [
      name.replace(/^.*\/|\.ya?ml$/g, ''),
      value,
    ]),
  );
  const found = entriesIn(/(?:^|\/)evals\/[^/]+\.ya?ml$/).flatMap(({ value }) => {
    const entries = Object.entries(value);
    return entries.flatMap(([key, given]): RegisteredEval[] => {
      const kind = asText(asObject(given)?.class);
      const args = asObject(asObject(given)?.args) ?? {};
      const path = asText(args.samples_jsonl);
      if (kind === undefined || path === undefined) return [];
      const judged = className(kind) === 'ModelBasedClassify' ? readJudgedClass(args, templates) : undefined;
      return [{ name: key, kind, args, samples: readSamples(content, path), judged }];
    });
  });
  return found.length === 0 ? undefined : found;
}

/** Reads the samples of an eval. Their path starts at the folder `data` of the registry, and never leaves the folder. */
function readSamples({ names, files }: Folder, path: string): Fields[] {
  const name = names.find((each) => each === path || each.endsWith(`data/${path}`));
  const parsed = (name && parseIfReadable(files, name)) || {};
  if ('rows' in parsed) return objectsIn(parsed.rows);
  return 'value' in parsed ? objectsIn([parsed.value].flat()) : [];
}

/** The checks that compute what a class of OpenAI Evals computes. */
const checks: Readonly<Record<string, (ideal: readonly string[], args: Fields) => JsonObject>> = {
  Match: (ideal) => ({ use: 'regex', pattern: `^(?:${ideal.map(escapePattern).join('|')})`, flags: '' }),
  Includes: (ideal, { ignore_case: ignoreCase }) => ({
    use: 'contains',
    mode: 'any',
    value: [...ideal],
    ignoreCase: ignoreCase === true,
  }),
  FuzzyMatch: (ideal) => ({ use: 'contains', mode: 'any', value: [...ideal] }),
};

/** Translates the evals of a registry to cases, with a category for each. */
export function translateEvals(
  evals: readonly RegisteredEval[],
  { found, ledger }: { readonly found: string; readonly ledger: Ledger },
): Translation {
  const trials = evals.flatMap((each) => {
    noteClass(each, ledger);
    if (each.samples.length === 0) {
      const note =
        'Its samples are not in the folder, or cannot be read: files in Git LFS have to be fetched first.';
      ledger.leaveOut('eval without samples', { note, place: each.name });
    }
    return each.samples.map((sample, index) =>
      translateSample(sample, { of: each, index, isOnly: evals.length === 1, ledger }),
    );
  });
  const { cases, answers } = collectTrials(trials, { title: 'OpenAI Evals', ledger });
  const isJudged = cases.some(({ expected }) => JSON.stringify(expected).includes('"use":"judged-label"'));
  const hasChecks = cases.some(({ expected }) => asObject(expected)?.checks !== undefined);
  return {
    found,
    description: `Samples of OpenAI Evals: ${evals
      .map(({ name }) => name)
      .join(', ')
      .slice(0, 200)}`,
    cases,
    answers,
    callsNothing: !isJudged,
    config: jsonObject({
      ...(hasChecks && { metrics: ['case-checks'] }),
      ...(isJudged && modelsFor(new Set(['judge']), {}, ledger)),
      ...(evals.some(({ judged }) => judged !== undefined) && { unread: ['answer'] }),
    }),
  };
}

function className(kind: string): string {
  return kind.split(':').at(-1) ?? kind;
}

function noteClass({ kind, args, name, judged }: RegisteredEval, ledger: Ledger): void {
  if (kind === undefined) return;
  const own = className(kind);
  const part = `class ${own} (${asText(args.modelgraded_spec) ?? 'without a template'})`;
  if (typeof judged === 'string') ledger.leaveOut(part, { note: judged, place: name });
  else if (judged !== undefined) {
    ledger.approximate(part, { became: '`judged-label`', note: judged.note, place: name });
  } else if (checkOf(kind) === undefined) {
    ledger.leaveOut(`class ${own}`, {
      note: 'It is code; no check of ours computes the same. The expected answers are taken over.',
      place: name,
    });
  } else if (own === 'FuzzyMatch') {
    ledger.approximate(`class ${own}`, {
      became: '`contains`',
      note: 'OpenAI Evals also passes an answer that is contained in the expected one, without articles and punctuation.',
      place: name,
    });
  } else ledger.take(`class ${own}`, 'check of the question');
  if (Number(args.num_few_shot ?? 0) > 0)
    ledger.leaveOut('few-shot examples', {
      note: 'They are put into the prompt at random there.',
      place: name,
    });
}

function checkOf(kind: string | undefined): (typeof checks)[string] | undefined {
  const own = kind === undefined ? '' : className(kind);
  return Object.hasOwn(checks, own) ? checks[own] : undefined;
}

function checkFor(
  { kind, args, judged }: RegisteredEval,
  { sample, answers }: { readonly sample: Fields; readonly answers: readonly string[] },
): JsonObject | undefined {
  if (typeof judged === 'object') return judged.make(sample);
  return answers.length === 0 ? undefined : checkOf(kind)?.(answers, args);
}

interface SampleContext {
  readonly of: RegisteredEval;
  readonly index: number;
  readonly isOnly: boolean;
  readonly ledger: Ledger;
}

function translateSample(sample: Fields, { of, index, isOnly, ledger }: SampleContext): FoundTrial {
  const { input, ideal, completion, ...rest } = sample;
  const answers = [ideal].flat().flatMap((each) => (each === undefined || each === null ? [] : textOf(each)));
  const check = checkFor(of, { sample, answers });
  if (answers.length > 0) ledger.take('ideal', 'expected.answer');
  for (const [name, value] of Object.entries(rest)) ledger.keep(`sample ${name}`, value);
  const testCase = jsonObject({
    input: inputOf(input),
    expected: {
      ...(answers.length > 0 && { answer: answers.length === 1 ? answers[0] : answers }),
      ...(check !== undefined && { checks: [check] }),
    },
    ...(!isOnly && { category: of.name }),
    metadata: rest,
  });
  const recorded = asText(completion);
  return {
    caseKey: `${of.name} ${index}`,
    name: `${of.name}.${index}`,
    testCase,
    ...(recorded !== undefined && { row: { answer: recorded } }),
  };
}

/** Returns the question of a sample: a text, or a conversation where it is more than one message of the user. */
function inputOf(input: unknown): unknown {
  if (!Array.isArray(input)) return textOf(input ?? '(empty)');
  const messages = translateChat(input);
  return messages.length === 1 && messages[0]?.role === 'user' ? messages[0].content : messages;
}
