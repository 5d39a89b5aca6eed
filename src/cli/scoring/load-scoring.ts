import path from 'node:path';
import type { Config } from '../../config/config.ts';
import { findConfig } from '../../config/find-config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { type LoadedEvaluation, toEvaluation, withDatasetFlags } from '../../config/load-evaluation.ts';
import { parseFilter } from '../../config/parse-filter.ts';
import type { Dataset } from '../../datasets/dataset.ts';
import type { Evaluation } from '../../run/evaluation.ts';
import { judgeCacheOf, type RunFlags } from '../run.ts';
import { countAttempts, countOwnAttempts } from './count-attempts.ts';
import { type DefaultRules, defaultRules } from './default-rules.ts';
import { type OpenRecording, openRecording } from './open-recording.ts';
import { openRecordedCases } from './recorded-cases.ts';

/** What of the command line says which answers are scored, and how. */
export interface ScoringFlags extends Pick<RunFlags, 'filter' | 'limit' | 'cache' | 'metadata'> {
  /** Files that hold the cases, where that of the answers does not. */
  readonly dataset?: string[];
  readonly config?: string;
}

/** Makes a file of recorded answers an evaluation that calls nobody. Throws `TouchstoneError`. */
export async function loadScoring(named: string, flags: ScoringFlags): Promise<LoadedEvaluation> {
  const file = path.resolve(named);
  const given = flags.config === undefined ? undefined : await loadConfig(await findConfig(flags.config));
  const { written: asWritten = {}, folder = process.cwd(), locate } = given ?? {};
  const written = withDatasetFlags(asWritten, flags, file);
  const recording = await openRecording(file, written);
  const hasOwnCases = flags.dataset === undefined;
  const { notice, ...rules }: DefaultRules =
    given === undefined ? defaultRules(recording.survey, hasOwnCases) : {};
  const choices = {
    overrides: {
      ...judgeCacheOf(flags),
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
