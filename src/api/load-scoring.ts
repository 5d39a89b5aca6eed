import path from 'node:path';
import { type Config, configSchema } from '../config/config.ts';
import { findConfig, loadConfig, readers } from '../config/load-config.ts';
import { type LoadedEvaluation, toEvaluation, withDatasetFlags } from '../config/load-evaluation.ts';
import { parseFilter } from '../config/parse-filter.ts';
import type { Dataset } from '../datasets/dataset.ts';
import {
  createFieldMapping,
  type FieldMapping,
  type FieldOverrides,
  isRecorded,
} from '../datasets/field-mapping.ts';
import { readAllRows } from '../datasets/open-dataset.ts';
import type { Evaluation } from '../run/evaluation.ts';
import { loadCases } from '../run/prepare/load.ts';
import { questionOf } from '../schema/case.ts';
import { expectations } from '../schema/expectation.ts';
import { type RecordAliases, recordParts, withColumns } from '../targets/replay/record-aliases.ts';
import type { RecordingIndex } from '../targets/replay/recording-index.ts';
import { openRecordedCases, type Survey, surveyRecording } from './recorded-cases.ts';

/** Which recorded answers are scored, and by which rules. */
export interface ScoringFlags {
  /** Files that hold the cases, where that of the answers does not. */
  readonly dataset?: readonly string[];
  /** A config file or its folder, whose metrics, scorecard and gate score the answers; the usual rules when left out. */
  readonly config?: string;
  /** Only some cases: `category=hybrid`, `id=tax-*`, `tag!=slow`. */
  readonly filter?: string[];
  /** Only the first cases. */
  readonly limit?: number;
  /** Whether judges are not asked again what they have answered before; as the config says when left out. */
  readonly cache?: boolean;
  /** Columns that are kept as metadata, whatever they look like. */
  readonly metadata?: string[];
}

/**
 * Makes a file of recorded answers an evaluation that calls no target. Throws `TouchstoneError`.
 * @param here - The folder that keeps the run where no config is named.
 */
export async function loadScoring(
  named: string,
  flags: ScoringFlags,
  here = process.cwd(),
): Promise<LoadedEvaluation> {
  const file = path.resolve(named);
  const given = flags.config === undefined ? undefined : await loadConfig(await findConfig(flags.config));
  const { written: asWritten = {}, folder = here, locate } = given ?? {};
  const written = withDatasetFlags(asWritten, flags, file);
  const recording = await openRecording(file, written);
  const hasOwnCases = flags.dataset === undefined;
  const { notice, ...rules }: DefaultRules =
    given === undefined ? defaultRules(recording.survey, hasOwnCases) : {};
  const choices = {
    overrides: {
      ...(flags.cache === false && { judgeCache: false }),
      ...rules,
      // What was answered before cannot be asked under other conditions.
      faults: [],
      perturb: [],
      dataset: flags.dataset?.map((each) => path.resolve(each)) ?? { path: file },
      targets: targetsOf(file, recording),
    },
    selects: flags.filter === undefined ? undefined : parseFilter(flags.filter),
    limit: flags.limit,
    git: true,
  };
  const loaded = await toEvaluation(written, folder, choices, locate);
  return await withRecording(loaded, { file, recording, hasOwnCases, notice });
}

/** A file of ours may hold the answers of several targets. */
function targetsOf(file: string, { survey, fields }: OpenRecording): Config['targets'] {
  const name = path.basename(file, path.extname(file));
  const targets = survey.indexes.size === 0 ? [''] : [...survey.indexes.keys()];
  return targets.map((target) => ({
    use: 'replay',
    name: target || name,
    path: file,
    fields: fields.answers,
    recorded: survey.recorded,
    ...(target !== '' && { target }),
  }));
}

interface Scoring {
  readonly file: string;
  readonly recording: OpenRecording;
  /** The cases stand in the same file as the answers. */
  readonly hasOwnCases: boolean;
  /** What is worth saying of the rules. */
  readonly notice: string | undefined;
}

/** An evaluation of the cases that are in the file, if they are, with as many attempts as are recorded. */
async function withRecording(
  loaded: LoadedEvaluation,
  { file, recording, hasOwnCases, notice }: Scoring,
): Promise<LoadedEvaluation> {
  const { survey, fields, aliases, mapping } = recording;
  const options = { aliases, mapping, recorded: survey.recorded, fields: fields.cases };
  const evaluation = hasOwnCases
    ? { ...loaded.evaluation, dataset: withTrust(await openRecordedCases(file, options), survey) }
    : loaded.evaluation;
  const indexes = [...survey.indexes.values()];
  const counted = hasOwnCases ? countOwnAttempts(indexes) : await countAttempts(evaluation, indexes);
  const told = [...(evaluation.notices ?? []), ...survey.notices, counted.notice, notice];
  const notices = told.filter((text) => text !== undefined);
  const { attempts } = counted;
  return { ...loaded, evaluation: { ...evaluation, attempts, ...ruleOf(evaluation, attempts), notices } };
}

/** Who recorded a verdict has looked at what was expected, under whatever name it stands. */
function withTrust(dataset: Dataset, { verdict }: OpenRecording['survey']): Dataset {
  if (verdict === undefined) return dataset;
  return {
    ...dataset,
    drafts: async function* drafts() {
      for await (const { suspicious: _trusted, ...draft } of dataset.drafts()) yield draft;
    },
  };
}

/** What is recorded is there: no attempt is left out. */
function ruleOf({ caseRule }: Evaluation, attempts: number): Pick<Evaluation, 'caseRule'> {
  if (caseRule === undefined || caseRule.passes > attempts) return { caseRule: undefined };
  return { caseRule: { ...caseRule, isCurtailed: false } };
}

/** How many attempts at a case a run over recorded answers has, and what is worth saying of it. */
interface RecordedAttempts {
  readonly attempts: number;
  readonly notice: string | undefined;
}

/** The most attempts that are recorded at a case of the file itself. */
function countOwnAttempts(indexes: readonly RecordingIndex[]): RecordedAttempts {
  const attempts = Math.max(1, ...indexes.map(({ mostAttempts }) => mostAttempts));
  if (attempts === 1) return { attempts, notice: undefined };
  const gaps = indexes.map((index) => index.gaps).filter(({ cases }) => cases > 0);
  const missing = gaps.reduce((sum, gap) => sum + gap.attempts, 0);
  const many = `${attempts} attempts at a case are recorded`;
  const lack = missing === 1 ? '1 is missing and counts' : `${missing} are missing and count`;
  const few = `Up to ${many}; ${lack} as not measured.`;
  return { attempts, notice: missing === 0 ? `${many}.` : few };
}

/** The most attempts that are recorded at a case of another file. */
async function countAttempts(
  { dataset, selects }: Pick<Evaluation, 'dataset' | 'selects'>,
  indexes: readonly RecordingIndex[],
): Promise<RecordedAttempts> {
  let attempts = 1;
  for await (const { case: testCase } of loadCases(dataset, { onNotice: () => {} })) {
    if (!selects(testCase)) continue;
    const wanted = { caseId: testCase.id, input: questionOf(testCase) };
    attempts = Math.max(attempts, ...indexes.map((index) => index.attemptsAt(wanted)));
  }
  const notice = `Up to ${attempts} attempts at a case are recorded; those that are missing count as not measured.`;
  return { attempts, notice: attempts === 1 ? undefined : notice };
}

/** The rules by which recorded answers are scored where no config names any. */
interface DefaultRules extends Pick<Config, 'scorecard' | 'metrics' | 'unread'> {
  /** What is worth saying of them. */
  readonly notice?: string;
}

/**
 * A verdict that was recorded decides alone; without one, and without anything expected, there is nothing to pass, and the
 * metrics are those that need no expectations. Else the rules are the usual ones.
 * @param hasOwnCases - The cases stand in the same file as the answers.
 */
function defaultRules({ verdict, hasExpectations }: Survey, hasOwnCases: boolean): DefaultRules {
  if (verdict !== undefined) return byVerdict(verdict);
  if (!hasOwnCases || hasExpectations) return {};
  return {
    scorecard: null,
    metrics: ['error-handling', 'tool-failures', 'supported-facts', 'latency', 'first-token'],
    notice:
      'Nothing is expected of the answers: only metrics that need no expectations apply. `--dataset` names a file that has some.',
  };
}

function byVerdict(column: string): DefaultRules {
  const metric = { use: 'recorded-score', name: column, field: column };
  return {
    scorecard: { use: 'weighted', name: 'recorded', criteria: [{ metric, weight: 1, required: true }] },
    metrics: ['tool-calls', 'latency'],
    // Who recorded the verdict has looked at what was expected.
    unread: [...expectations],
    notice: `The recorded \`${column}\` decides what passed; a config named with \`--config\` has other rules.`,
  };
}

/** A file of recorded answers that was looked at, with the meaning of its columns. */
interface OpenRecording {
  readonly survey: Survey;
  readonly fields: RecordedFields;
  readonly aliases: RecordAliases;
  readonly mapping: FieldMapping;
}

/** Looks at a file of recorded answers, with what a config says of its columns. Throws `TouchstoneError`. */
async function openRecording(file: string, written: unknown): Promise<OpenRecording> {
  const fields = splitFields(fieldsOf(written));
  const aliases = withColumns(fields.answers);
  const mapping = createFieldMapping(fields.cases);
  const rows = readAllRows({ path: file, folder: process.cwd(), readers });
  const survey = await surveyRecording(rows, { aliases, mapping, kept: fields.kept });
  return { survey, fields, aliases, mapping };
}

type RecordPart = (typeof recordParts)[number];

/** What a config says of the columns of its files, by whom it is for. */
interface RecordedFields {
  /** For the cases. */
  readonly cases: FieldOverrides;
  /** For the recorded answers: what their columns hold. */
  readonly answers: Readonly<Record<string, RecordPart>>;
  /** Columns that are kept beside the answers. */
  readonly kept: readonly string[];
}

/** The meanings that a config gives to columns; none where they are not what they should be: its check says so. */
export function fieldsOf(written: unknown): FieldOverrides {
  const { dataset } = configSchema.shape;
  const parsed = dataset.safeParse((written as { dataset?: unknown } | null)?.dataset);
  const settings = parsed.success ? parsed.data : undefined;
  return typeof settings === 'object' && !Array.isArray(settings) ? (settings.fields ?? {}) : {};
}

/** Tells the parts of cases from the parts of recorded answers; how a case is found is part of both. */
export function splitFields(fields: FieldOverrides = {}): RecordedFields {
  const answers: Record<string, RecordPart> = {};
  const kept: string[] = [];
  for (const [column, meaning] of Object.entries(fields)) {
    if (meaning === 'recorded') kept.push(column);
    else if (meaning === 'id') answers[column] = 'id';
    else if (meaning === 'question' || meaning === 'input') answers[column] = 'question';
    else if (isRecorded(meaning)) answers[column] = partOf(meaning);
  }
  return { cases: fields, answers, kept };
}

function partOf(meaning: string): RecordPart {
  const part = recordParts.find((known) => `recorded.${known}` === meaning);
  if (part === undefined) throw new TypeError(`${meaning} is no part of a recorded answer.`);
  return part;
}
