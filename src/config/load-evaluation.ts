import path from 'node:path';
import type { RateLimiter } from '../models/account/rate-limiter.ts';
import type { Evaluation } from '../run/evaluation.ts';
import type { Case } from '../schema/case.ts';
import { explainProblems, type LocateSetting } from './config-problem.ts';
import type { CheckedConfig, Config } from './config.ts';
import { readGitState } from './read-git-state.ts';
import { findConfig, loadConfig } from './load-config.ts';
import { checkConfig, resolveConfig } from './resolve.ts';
import { parseStoreSetting } from './store-setting.ts';

/** What a command line or a caller says on top of a config. Paths are relative to the folder of the config. */
export interface EvaluationChoices {
  /** Settings that replace those of the config; `fields` of its dataset hold for other files, too, unless replaced. */
  readonly overrides?: Partial<Config> | undefined;
  /** Names of the targets to keep; all when left out. */
  readonly targetNames?: readonly string[] | undefined;
  readonly selects?: ((testCase: Case) => boolean) | undefined;
  readonly limit?: number | undefined;
  /**
   * Whether a run records which commit and branch of git its folder is at. When left out, it does for a config from a file
   * and not for one that is given as a value.
   */
  readonly git?: boolean | undefined;
  readonly datasetFlags?: DatasetFlags | undefined;
  /** Holds the limits of accounts; the one of this process when left out. */
  readonly rateLimiter?: RateLimiter | undefined;
}

/** An evaluation with what is needed to keep it. */
export interface LoadedEvaluation {
  readonly config: CheckedConfig;
  readonly evaluation: Evaluation;
  /** The folder that relative paths of the config start from. */
  readonly folder: string;
}

/** Finds and loads a config file and makes it an evaluation. Throws `TouchstoneError` for all that is wrong with it. */
export async function loadEvaluation(
  given: string | undefined,
  choices: EvaluationChoices = {},
): Promise<LoadedEvaluation> {
  const { written, folder, locate } = await loadConfig(await findConfig(given));
  return await toEvaluation(written, folder, { ...choices, git: choices.git ?? true }, locate);
}

/** Makes an evaluation of a config that is at hand as a value. */
export async function toEvaluation(
  written: unknown,
  folder: string,
  { overrides = {}, git = false, datasetFlags = {}, ...choices }: EvaluationChoices = {},
  locate: LocateSetting = () => 'config',
): Promise<LoadedEvaluation> {
  return await explainProblems(locate, async () => {
    const flagged = withDatasetFlags(written, datasetFlags);
    const config = checkConfig(isRecord(flagged) ? withOverrides(flagged, overrides) : flagged);
    const needs = { folder, environment: process.env, ...choices };
    const evaluation = await resolveConfig(config, needs);
    if (!git) return { config, folder, evaluation };
    const readGit = async () => await readGitState(folder, process.env);
    return { config, folder, evaluation: { ...evaluation, readGit } };
  });
}

/** The folder that keeps the runs of a config. */
export function storeFolderOf({ config, folder }: Pick<LoadedEvaluation, 'config' | 'folder'>): string {
  return path.resolve(folder, parseStoreSetting(config.store).path);
}

/** The file that keeps the runs of a config. */
export function storeFileOf({ config, folder }: Pick<LoadedEvaluation, 'config' | 'folder'>): string {
  return storeFileIn(storeFolderOf({ config, folder }));
}

/** The file that keeps the runs in a store's folder. */
export function storeFileIn(folder: string): string {
  return path.join(folder, 'touchstone.db');
}

function withOverrides(written: Readonly<Record<string, unknown>>, overrides: Partial<Config>): object {
  const given = Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
  const { dataset } = overrides;
  const own = isRecord(written['dataset']) ? written['dataset'] : {};
  const { fields, duplicates } = own;
  if (dataset === undefined || (fields === undefined && duplicates === undefined))
    return { ...written, ...given };
  const kept = { ...(fields !== undefined && { fields }), ...(duplicates !== undefined && { duplicates }) };
  return { ...written, ...given, dataset: { ...kept, ...(isRecord(dataset) ? dataset : { path: dataset }) } };
}

/** What a command line says of the rows of a dataset. */
export interface DatasetFlags {
  /** Columns that are kept as metadata, whatever they look like. */
  readonly metadata?: string[];
  readonly skipDuplicates?: boolean;
}

/**
 * Returns a config as it would be written with some flags.
 * @param usualPath - Where the dataset is, for a config that does not say.
 */
export function withDatasetFlags(written: unknown, flags: DatasetFlags, usualPath = ''): unknown {
  const { metadata = [], skipDuplicates } = flags;
  if (!isRecord(written) || (metadata.length === 0 && skipDuplicates !== true)) return written;
  const { dataset = usualPath } = written;
  const own = isRecord(dataset) ? dataset : { path: dataset };
  const kept = Object.fromEntries(metadata.map((name) => [name, null]));
  const fields = { ...(isRecord(own['fields']) ? own['fields'] : {}), ...kept };
  return {
    ...written,
    dataset: { ...own, fields, ...(skipDuplicates === true && { duplicates: 'skip' }) },
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
