import type { Config } from './config.ts';
import type { LocateSetting } from './explain-problems.ts';
import { findConfig } from './find-config.ts';
import { joinArms, type LoadedArms } from './join-arms.ts';
import { loadConfig } from './load-config.ts';
import { type EvaluationChoices, type LoadedEvaluation, toEvaluation } from './load-evaluation.ts';
import { overrideSettings, settingPath } from './override-settings.ts';
import type { SettingOverride } from './parse-override.ts';

/** One side of an A/B test: a config, and which target of it. */
export interface ArmSource {
  readonly written: unknown;
  /** The folder that relative paths of the config start from. */
  readonly folder: string;
  readonly locate?: LocateSetting;
  /** The only one of the config, or the only one that differs from the other side, when left out. */
  readonly target?: string | undefined;
}

/** What the two sides of an A/B test have in common. Which targets they have, they say themselves. */
export type ArmChoices = Omit<EvaluationChoices, 'targetNames'>;

/** How a command line names the two sides. */
export interface NamedArms {
  /** None, one for both sides, or one for each: files, or folders with one. */
  readonly configs: readonly string[];
  readonly a?: string | undefined;
  readonly b?: string | undefined;
  /** What is another on the side of B. */
  readonly overrides: readonly SettingOverride[];
}

/** Finds and loads the config files of both sides. Throws `TouchstoneError` for what cannot be read or set. */
export async function findArms({ configs, a, b, overrides }: NamedArms): Promise<[ArmSource, ArmSource]> {
  const [first, second] = configs;
  const sourceA = await loadConfig(await findConfig(first));
  const sourceB = second === undefined ? sourceA : await loadConfig(await findConfig(second));
  return [
    { ...sourceA, target: a },
    { ...withOverrides(sourceB, overrides), target: b },
  ];
}

function withOverrides<Source extends ArmSource & { readonly locate: LocateSetting }>(
  source: Source,
  overrides: readonly SettingOverride[],
): Source {
  const written = overrideSettings(source.written, overrides);
  const flags = overrides.map(({ given }) => ({ given, path: settingPath(written, given) }));
  const locate: LocateSetting = (issue) => {
    const flag = flags.find(({ path }) => {
      const isInside = path.length <= issue.path.length;
      // A name that is not known may stand half way.
      const shared = isInside || issue.isName !== true ? path : path.slice(0, issue.path.length);
      return shared.every((step, place) => step === issue.path[place]);
    });
    return flag === undefined ? source.locate(issue) : `--set ${flag.given}`;
  };
  return { ...source, written, locate };
}

/**
 * Makes an A/B test of two sides: both evaluations, joined to one over both targets, without conditions and without gate.
 * Throws `usage-invalid` where they are the same target or do not ask and score the same, and for all that is wrong
 * with either config.
 */
export async function loadArms(
  [a, b]: readonly [ArmSource, ArmSource],
  choices: ArmChoices = {},
): Promise<LoadedArms> {
  const [loadedA, loadedB] = [await loadArm(a, choices), await loadArm(b, choices)];
  const joined = await joinArms(loadedA, loadedB);
  if (![a, b].some(asksForConditions)) return joined;
  const { evaluation } = joined.loaded;
  const notices = [...(evaluation.notices ?? []), 'Left out: the faults and perturbations of the config.'];
  return { ...joined, loaded: { ...joined.loaded, evaluation: { ...evaluation, notices } } };
}

function asksForConditions({ written }: ArmSource): boolean {
  const { faults = [], perturb = [] } = written as Partial<Config>;
  return faults.length + perturb.length > 0;
}

async function loadArm(
  { written, folder, locate, target }: ArmSource,
  { overrides, ...choices }: ArmChoices,
): Promise<LoadedEvaluation> {
  const plain: Partial<Config> = { ...overrides, faults: [], perturb: [] };
  const targetNames = target === undefined ? undefined : [target];
  return await toEvaluation(written, folder, { ...choices, overrides: plain, targetNames }, locate);
}
