import { isContainer } from '../../core/lib/json/is-container.ts';
import { withoutUndefined } from '../../core/lib/objects.ts';
import type { RateLimiter } from '../../evaluate/models/account/rate-limiter.ts';
import type { Evaluation } from '../../evaluate/run/evaluation.ts';
import type { Case } from '../../core/schema/case.ts';
import { explainProblems } from './config-problem.ts';
import type { CheckedConfig, Config } from './config.ts';
import { readGitState } from './read-git-state.ts';
import { type ConfigSource, readConfig } from './load-config.ts';
import { checkConfig, resolveConfig } from './resolve.ts';
import type { Recording } from './resolve-use.ts';

/** The choices of a command line or a caller on top of a config. Paths are relative to the folder of the config. */
export interface EvaluationChoices {
  /** Settings that replace the config's. The `fields` of its dataset apply to other files too, unless replaced. */
  readonly overrides?: Partial<Config>;
  /** The names of the targets to keep; all by default. */
  readonly targetNames?: readonly string[];
  readonly selects?: (testCase: Case) => boolean;
  readonly limit?: number;
  /**
   * True to record the git commit and branch of the folder with a run. By default that is so for a config from a file, and
   * not for one passed as a value.
   */
  readonly git?: boolean;
  readonly datasetFlags?: DatasetFlags;
  /** Holds the limits of accounts; the one of this process by default. */
  readonly rateLimiter?: RateLimiter;
  /** Questions and answers that are not in files, in place of those that the config names. */
  readonly recording?: Recording;
}

/** An evaluation with its config and folder. */
export interface LoadedEvaluation {
  readonly config: CheckedConfig;
  readonly evaluation: Evaluation;
  /** The folder that relative paths of the config start from. */
  readonly folder: string;
}

/**
 * Resolves a config, which is a value, a file or its folder, to an evaluation. Throws `TouchstoneError` for any problem with it.
 * @param folder - The folder that relative paths of a value start from; the current one by default.
 */
export async function loadEvaluation(
  config: object | string | undefined,
  choices: EvaluationChoices = {},
  folder?: string,
): Promise<LoadedEvaluation> {
  const git = choices.git ?? typeof config !== 'object';
  return await toEvaluation(await readConfig(config, folder), { ...choices, git });
}

/** Resolves a config that was read to an evaluation. Throws `TouchstoneError`. */
export async function toEvaluation(
  { written, folder, locate }: ConfigSource,
  { overrides = {}, git = false, datasetFlags = {}, ...choices }: EvaluationChoices = {},
): Promise<LoadedEvaluation> {
  return await explainProblems(locate, async () => {
    const flagged = withDatasetFlags(written, datasetFlags);
    const config = checkConfig(withOverrides(flagged, overrides));
    const needs = { folder, environment: process.env, ...choices };
    const evaluation = await resolveConfig(config, needs);
    if (!git) return { config, folder, evaluation };
    const readGit = async () => await readGitState(folder, process.env);
    return { config, folder, evaluation: { ...evaluation, readGit } };
  });
}

/** Returns a config with settings that replace its own; what is no config is returned as it is. */
export function withOverrides(written: unknown, overrides: Partial<Config>): unknown {
  if (!isRecord(written)) return written;
  const changed = Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
  const { dataset, tools } = overrides;
  if (tools !== undefined && isRecord(written['tools'])) changed['tools'] = { ...written['tools'], ...tools };
  const own = isRecord(written['dataset']) ? written['dataset'] : {};
  const { fields, duplicates, allowPrivate } = own;
  const kept = withoutUndefined({ fields, duplicates, allowPrivate });
  if (dataset === undefined || Object.keys(kept).length === 0) return { ...written, ...changed };
  return {
    ...written,
    ...changed,
    dataset: { ...kept, ...(isRecord(dataset) ? dataset : { path: dataset }) },
  };
}

/** The options of a command line about the rows of a dataset. */
export interface DatasetFlags {
  /** The columns to read as metadata, even if they look like expectations. */
  readonly metadata?: string[];
  readonly skipDuplicates?: boolean;
  /** True to fetch pictures and other files also from addresses of one's own network. */
  readonly allowPrivate?: boolean;
}

/**
 * Returns a config with flags merged into its dataset setting.
 * @param defaultPath - The dataset for a config that names none.
 */
export function withDatasetFlags(written: unknown, flags: DatasetFlags, defaultPath = ''): unknown {
  const { metadata = [], skipDuplicates, allowPrivate } = flags;
  const isGiven = metadata.length > 0 || skipDuplicates === true || allowPrivate === true;
  if (!isRecord(written) || !isGiven) return written;
  const { dataset = defaultPath } = written;
  const own = isRecord(dataset) ? dataset : { path: dataset };
  const kept = Object.fromEntries(metadata.map((name) => [name, null]));
  const fields = { ...(isRecord(own['fields']) ? own['fields'] : {}), ...kept };
  return {
    ...written,
    dataset: {
      ...own,
      fields,
      ...(skipDuplicates === true && { duplicates: 'skip' }),
      ...(allowPrivate === true && { allowPrivate }),
    },
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isContainer(value) && !Array.isArray(value);
}
