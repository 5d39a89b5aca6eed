import path from 'node:path';
import { type Config, configSchema } from '../../config/config.ts';
import { readConfig, readers } from '../../config/load-config.ts';
import { type LoadedEvaluation, toEvaluation, withDatasetFlags } from '../../config/load-evaluation.ts';
import { noticeRecorded, recognizeFile } from '../../config/recognize-file.ts';
import { parseCaseFilter } from '../../../look/queries/filters.ts';
import type { Dataset } from '../../../evaluate/datasets/dataset.ts';
import {
  createFieldMapping,
  type FieldMapping,
  type FieldOverrides,
  isRecorded,
} from '../../../evaluate/datasets/field-mapping.ts';
import { explainForeign } from '../../../evaluate/datasets/dataset.ts';
import { readAllRows, readHead } from '../../../evaluate/datasets/open-dataset.ts';
import type { Evaluation } from '../../../evaluate/run/evaluation.ts';
import { loadCases } from '../../../evaluate/run/prepare/load.ts';
import { questionOf } from '../../../core/schema/case.ts';
import { expectations } from '../../../core/schema/expectation.ts';
import {
  type RecordAliases,
  recordParts,
  withColumns,
} from '../../../evaluate/targets/replay/record-aliases.ts';
import type { RecordingIndex } from '../../../evaluate/targets/replay/recording-index.ts';
import { openRecordedCases, type Survey, surveyRecording } from './recorded-cases.ts';

/** The options that select the answers to score, and the rules. */
export interface ScoringFlags {
  /** Files with the cases, when the file of answers has none. */
  readonly dataset?: readonly string[];
  /** A config file or its folder, whose metrics, scorecard and gate are used; the default rules without it. */
  readonly config?: string;
  /** The filter of the cases, such as `category=hybrid`, `id=tax-*` or `tag!=slow`. */
  readonly filter?: string[];
  /** The most cases, from the first on. */
  readonly limit?: number;
  /** False to ask judges again instead of reusing stored judgements; by default the config decides. */
  readonly cache?: boolean;
  /** The columns to read as metadata, even if they look like expectations. */
  readonly metadata?: string[];
}

/** Loads a file of recorded answers as an evaluation that calls no target. Throws `TouchstoneError`. */
export async function loadScoring(
  named: string,
  flags: ScoringFlags,
  here = process.cwd(),
): Promise<LoadedEvaluation> {
  const file = path.resolve(named);
  const { written: asWritten, folder, locate } = await readConfig(flags.config ?? {}, here);
  const written = withDatasetFlags(asWritten, flags, file);
  const recording = await openRecording(file, written);
  const hasOwnCases = flags.dataset === undefined;
  const { notice, ...rules }: DefaultRules =
    flags.config === undefined ? defaultRules(recording.survey, hasOwnCases) : {};
  const choices = {
    overrides: {
      ...(flags.cache === false && { judgeCache: false }),
      ...rules,
      // Recorded answers cannot be asked again under conditions.
      faults: [],
      perturb: [],
      dataset: flags.dataset?.map((each) => path.resolve(each)) ?? { path: file },
      targets: targetsOf(file, recording),
    },
    selects: flags.filter === undefined ? undefined : parseCaseFilter(flags.filter),
    limit: flags.limit,
    git: true,
  };
  const loaded = await toEvaluation({ written, folder, locate }, choices);
  const foreign = await noticeRecorded(await readHead({ path: file, folder: process.cwd(), readers }));
  return await withRecording(loaded, { file, recording, hasOwnCases, notices: [notice, foreign] });
}

/** Returns a replay target for each target in the file. A file that Touchstone wrote may have several. */
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
  /** True when the cases are in the same file as the answers. */
  readonly hasOwnCases: boolean;
  /** Notes on the rules and on the file. */
  readonly notices: readonly (string | undefined)[];
}

/** Returns the evaluation with the cases of the file, if it has any, and with as many attempts as are recorded. */
async function withRecording(
  loaded: LoadedEvaluation,
  { file, recording, hasOwnCases, notices: given }: Scoring,
): Promise<LoadedEvaluation> {
  const { survey, fields, aliases, mapping } = recording;
  const options = { aliases, mapping, recorded: survey.recorded, fields: fields.cases };
  const evaluation = hasOwnCases
    ? { ...loaded.evaluation, dataset: withTrust(await openRecordedCases(file, options), survey) }
    : loaded.evaluation;
  const indexes = [...survey.indexes.values()];
  const counted = hasOwnCases ? countOwnAttempts(indexes) : await countAttempts(evaluation, indexes);
  const notices = [...(evaluation.notices ?? []), ...survey.notices, counted.notice, ...given].filter(
    (text) => text !== undefined,
  );
  const { attempts } = counted;
  // Recorded answers cost nothing, so all of them are scored; and no call is made of which a span could be sent.
  const gate = { ...evaluation.gate, sequential: false };
  const scored = { ...evaluation, attempts, ...ruleOf(evaluation, attempts), notices, gate };
  return { ...loaded, config: { ...loaded.config, telemetry: undefined }, evaluation: scored };
}

/**
 * Returns the dataset without its warnings of suspicious columns when verdicts are recorded: whatever recorded a verdict
 * has already read the expectations, under whatever names.
 */
function withTrust(dataset: Dataset, { verdict }: OpenRecording['survey']): Dataset {
  if (verdict === undefined) return dataset;
  return {
    ...dataset,
    drafts: async function* drafts() {
      for await (const { suspicious: _trusted, ...draft } of dataset.drafts()) yield draft;
    },
  };
}

/** Returns the rule on attempts without stopping early: all recorded attempts count. */
function ruleOf({ caseRule }: Evaluation, attempts: number): Pick<Evaluation, 'caseRule'> {
  if (caseRule === undefined || caseRule.passes > attempts) return { caseRule: undefined };
  return { caseRule: { ...caseRule, isCurtailed: false } };
}

/** The number of attempts at a case in a run over recorded answers, and a note on it. */
interface RecordedAttempts {
  readonly attempts: number;
  readonly notice: string | undefined;
}

/** Counts the most attempts recorded at one case of the file itself. */
function countOwnAttempts(indexes: readonly RecordingIndex[]): RecordedAttempts {
  const attempts = Math.max(1, ...indexes.map(({ mostAttempts }) => mostAttempts));
  if (attempts === 1) return { attempts, notice: undefined };
  const gaps = indexes.map((index) => index.gaps).filter(({ cases }) => cases > 0);
  const missing = gaps.reduce((sum, gap) => sum + gap.attempts, 0);
  const many = `${attempts} attempts at a question are recorded`;
  const lack = missing === 1 ? '1 is missing and counts' : `${missing} are missing and count`;
  const few = `Up to ${many}; ${lack} as not measured.`;
  return { attempts, notice: missing === 0 ? `${many}.` : few };
}

/** Counts the most attempts recorded at one case of another file. */
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
  const notice = `Up to ${attempts} attempts at a question are recorded; those that are missing count as not measured.`;
  return { attempts, notice: attempts === 1 ? undefined : notice };
}

/** The rules by which recorded answers are scored without a config. */
interface DefaultRules extends Pick<Config, 'scorecard' | 'metrics' | 'unread'> {
  /** A note on the rules. */
  readonly notice?: string;
}

/**
 * Returns the rules for answers scored without a config. A recorded verdict decides alone. Without a verdict and without
 * expectations nothing can pass, and only metrics that need no expectations apply. Else the defaults of the config apply.
 * @param hasOwnCases - True when the cases are in the same file as the answers.
 */
function defaultRules({ verdict, hasExpectations }: Survey, hasOwnCases: boolean): DefaultRules {
  if (verdict !== undefined) return byVerdict(verdict);
  if (!hasOwnCases || hasExpectations) return {};
  return {
    scorecard: null,
    metrics: ['error-handling', 'tool-failures', 'supported-facts', 'latency', 'first-token'],
    notice:
      'The file has no expectations: only metrics that need no expectations apply. `--dataset` names a file that has some.',
  };
}

function byVerdict(column: string): DefaultRules {
  const metric = { use: 'recorded-score', name: column, field: column };
  return {
    scorecard: { use: 'weighted', name: 'recorded', criteria: [{ metric, weight: 1, required: true }] },
    metrics: ['tool-calls', 'latency'],
    // Whatever recorded the verdict has already read the expectations.
    unread: [...expectations],
    notice: `The recorded \`${column}\` decides what passed; use \`--config\` for other rules.`,
  };
}

/** A surveyed file of recorded answers, with the meaning of its columns. */
interface OpenRecording {
  readonly survey: Survey;
  readonly fields: RecordedFields;
  readonly aliases: RecordAliases;
  readonly mapping: FieldMapping;
}

/** Surveys a file of recorded answers, with the meaning that a config gives to its columns. Throws `TouchstoneError`. */
async function openRecording(file: string, written: unknown): Promise<OpenRecording> {
  const fields = splitFields(fieldsOf(written));
  const aliases = withColumns(fields.answers);
  const mapping = createFieldMapping(fields.cases);
  const rows = readAllRows({ path: file, folder: process.cwd(), readers });
  const survey = await surveyRecording(rows, { aliases, mapping, kept: fields.kept }).catch(
    async (error: unknown) => {
      throw await explainForeign(error, () => recognizeFile([file], process.cwd()));
    },
  );
  return { survey, fields, aliases, mapping };
}

type RecordPart = (typeof recordParts)[number];

/** The meaning of columns as set in a config, separated into cases and recorded answers. */
interface RecordedFields {
  /** The meaning of the columns of cases. */
  readonly cases: FieldOverrides;
  /** The part of a recorded answer in each column. */
  readonly answers: Readonly<Record<string, RecordPart>>;
  /** The columns that are stored with the answers. */
  readonly kept: readonly string[];
}

/** Returns the meanings that a config gives to columns; none when they are invalid, which the config check reports. */
export function fieldsOf(written: unknown): FieldOverrides {
  const { dataset } = configSchema.shape;
  const parsed = dataset.safeParse((written as { dataset?: unknown } | null)?.dataset);
  const settings = parsed.success ? parsed.data : undefined;
  return typeof settings === 'object' && 'fields' in settings ? (settings.fields ?? {}) : {};
}

/** Separates the columns of cases from the columns of recorded answers. Columns that identify a case belong to both. */
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
  if (part === undefined) throw new TypeError(`${meaning} is not a part of a recorded answer.`);
  return part;
}
