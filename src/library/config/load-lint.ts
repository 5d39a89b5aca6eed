import path from 'node:path';
import type { Dataset } from '../../evaluate/datasets/dataset.ts';
import { openDataset, type OpenDatasetOptions } from '../../evaluate/datasets/open-dataset.ts';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import type { NamedUse } from '../../core/lib/define.ts';
import { keywordRules, type TermRules } from '../../core/lib/search/find-terms.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import type { LintNeeds } from '../../cases/lint/lint.ts';
import * as lintExports from '../../cases/lint/registry.ts';
import type { LintSetting } from '../../cases/lint/rule.ts';
import { expectations } from '../../core/schema/expectation.ts';
import { explainProblems } from './config-problem.ts';
import type { CheckedConfig } from './config.ts';
import { findConfig, loadConfig, readers } from './load-config.ts';
import { recognizeFile, recognizeRecorded } from './recognize-file.ts';
import { checkConfig } from './resolve.ts';
import { datasetOptions } from './attacks/attack-set.ts';
import { readOnlyRules, resolveMetrics } from './resolve-metrics.ts';

/** The rules for datasets. */
const rules = Object.values(lintExports);

/** The files to check, and the choices about them. */
export interface LintChoices {
  /** The files; the files of the config's dataset when there are none. */
  readonly files: readonly string[];
  /** The folder that relative paths start from. */
  readonly folder: string;
  readonly against?: readonly string[];
  /** A config, or its folder; by default the one in the folder, if there is one. */
  readonly config?: string;
  readonly skip?: readonly string[];
  /** The columns to read as metadata, even if they look like expectations. */
  readonly metadata?: readonly string[];
  /** The format of the files, if their names do not show it. */
  readonly format?: string;
  /** True for a set that is to be changed: the built-in set of a config is none. */
  readonly isOwn?: boolean;
  readonly onNotice: (message: string) => void;
}

/** Opens the files to check, with the rules and what the config says about them. Throws `TouchstoneError`. */
export async function loadLint(choices: LintChoices): Promise<LintNeeds> {
  const { folder, against = [], skip = [], onNotice } = choices;
  for (const name of skip) refuseUnknown(name);
  const config = await loadConfigOf(choices);
  const { fields, ...chosen } = chooseFiles(choices, config);
  const kept = Object.fromEntries((choices.metadata ?? []).map((name) => [name, null]));
  const open = async (files: ChosenFiles): Promise<Dataset> =>
    await openDataset({
      ...files,
      readers,
      recognize: recognizeFile,
      recognizeRecorded,
      fields: { ...fields, ...kept },
    });
  return {
    dataset: await open(chosen),
    against: against.length === 0 ? undefined : await open({ format: chosen.format, paths: against, folder }),
    rules,
    skip,
    setting: config === undefined ? { caseChecks: readOnlyRules() } : settingOf(config, onNotice),
  };
}

/** A golden set that may not exist yet, with the rules to check it by. */
export interface LoadedGolden extends Omit<LintNeeds, 'against'> {
  /** The name of the set: its file, as it can be typed in the folder. */
  readonly name: string;
}

/**
 * Opens a golden set: the named file, or the file of the config's dataset. A file that does not exist yet is an empty set. Throws
 * `TouchstoneError`.
 */
export async function loadGolden(
  choices: Omit<LintChoices, 'files' | 'against'> & { readonly file?: string },
): Promise<LoadedGolden> {
  const { file, folder } = choices;
  try {
    const needs = await loadLint({ ...choices, isOwn: true, files: file === undefined ? [] : [file] });
    return { ...needs, name: needs.dataset.sources[0] ?? file ?? '' };
  } catch (error) {
    if (error instanceof TouchstoneError && error.code === 'usage-invalid' && file === undefined) {
      throw new TouchstoneError('usage-invalid', 'There is no golden set.', {
        remedy:
          'Name its file, which may be new: `--dataset golden.jsonl`; or name it under `dataset` in a config.',
      });
    }
    const isNew = error instanceof TouchstoneError && error.code === 'dataset-not-found';
    if (!isNew || file === undefined || /[*?{}[\]]/.test(file)) throw error;
    const config = await loadConfigOf(choices);
    const dataset: Dataset = { sources: [file], drafts: async function* () {} };
    const setting = config === undefined ? {} : settingOf(config, choices.onNotice);
    return {
      dataset,
      rules,
      skip: choices.skip ?? [],
      setting,
      name: displayPath(path.resolve(folder, file)),
    };
  }
}

type ChosenFiles = Pick<OpenDatasetOptions, 'paths' | 'folder' | 'format' | 'fields' | 'name' | 'prepare'>;

/** Returns the files that are named, or else the files of the config's dataset. Throws `usage-invalid` when there are none. */
function chooseFiles(
  { files, folder, format, isOwn = false }: LintChoices,
  config: FoundConfig | undefined,
): ChosenFiles {
  const own = datasetOf(config?.checked);
  if (files.length > 0) return { paths: files, folder, format, fields: own.fields };
  const isUsable = own.paths.length > 0 && !(isOwn && own.name !== undefined);
  if (config !== undefined && isUsable) return { ...own, folder: config.folder };
  throw new TouchstoneError('usage-invalid', 'There is no file to check.', {
    remedy: 'Name one: `touchstone lint golden.jsonl`, or a config with a dataset: `--config`.',
  });
}

function refuseUnknown(name: string): void {
  const known = rules.map((rule) => rule.name);
  if (known.includes(name)) return;
  throw new TouchstoneError('usage-invalid', `No rule is named "${name}".${didYouMean(name, known)}`, {
    remedy: `Choose from ${known.join(', ')}.`,
  });
}

interface FoundConfig {
  readonly name: string;
  readonly folder: string;
  readonly checked: CheckedConfig;
}

/** Loads the config that is named, or the one in the folder; one that was not named may be unusable. */
async function loadConfigOf({
  config,
  folder,
  onNotice,
}: Pick<LintChoices, 'config' | 'folder' | 'onNotice'>): Promise<FoundConfig | undefined> {
  const place = config === undefined ? folder : path.resolve(folder, config);
  try {
    const { file, folder: home, written, locate } = await loadConfig(await findConfig(place));
    const checked = await explainProblems(locate, async () => checkConfig(written));
    return { name: path.basename(file), folder: home, checked };
  } catch (error) {
    if (config !== undefined || !(error instanceof TouchstoneError)) throw error;
    if (error.code !== 'config-not-found') {
      onNotice(`The config in the folder was not used: ${error.message}`);
    }
    return undefined;
  }
}

/** Returns the files of a config's dataset, with the meaning of their columns. */
function datasetOf(config: CheckedConfig | undefined): Omit<ChosenFiles, 'folder'> {
  return config === undefined ? { paths: [] } : datasetOptions(config);
}

/** Returns the rules by which metrics look for keywords: the rules of the first one that changes any of them. */
function keywordRulesOf(uses: readonly NamedUse[]): TermRules {
  const names = Object.keys(keywordRules);
  const set = uses
    .map((use) => Object.entries(use).filter(([name]) => use.use === 'keywords' && names.includes(name)))
    .find((options) => options.length > 0);
  return { ...keywordRules, ...Object.fromEntries(set ?? []) };
}

/** Returns what the metrics of a config read. A metric that lacks something, such as a key, is no reason to check nothing. */
function settingOf({ name, folder, checked }: FoundConfig, onNotice: LintChoices['onNotice']): LintSetting {
  try {
    const { metrics, caseChecks } = resolveMetrics(checked, { folder, environment: process.env });
    const read = new Set([...metrics.flatMap(({ reads = [] }) => reads), ...checked.unread]);
    return {
      config: name,
      caseChecks,
      reads: expectations.filter((expectation) => read.has(expectation)),
      keywordRules: keywordRulesOf(metrics.map(({ use }) => use)),
    };
  } catch (error) {
    onNotice(`What the metrics of ${name} read is not known: ${messageOf(error)}`);
    return { caseChecks: readOnlyRules() };
  }
}
