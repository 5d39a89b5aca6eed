import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import { hashContent } from '../../../core/lib/content-hash.ts';
import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import type { RefereeSetting, TargetVersion } from '../../../core/schema/referee/referee.ts';
import type { Evaluation, ResolvedTarget } from '../../../evaluate/run/evaluation.ts';
import type { Config, CheckedConfig } from '../../config/config.ts';
import { loadEvaluation } from '../../config/load-evaluation.ts';
import { isElsewhere, locateHeldOut } from './held-out-folder.ts';

/** A config with a referee, its file or its folder; the config of the current folder by default. */
export interface RefereeChoice {
  readonly config?: Config | string;
  /** The folder that a config value starts from; the current one by default. */
  readonly folder?: string;
  /** The folder of the held-out set, in place of the config's: on the machine of a job, where the config names a server. */
  readonly heldOut?: string;
}

/** A project with a referee. */
export interface RefereeProject {
  readonly config: CheckedConfig;
  readonly setting: RefereeSetting;
  readonly evaluation: Evaluation;
  /** The folder of the config, which keeps what it saw of the ledger. */
  readonly workspace: string;
  /** The folder of the held-out set, the address of a server, or `unix:` and a socket. */
  readonly heldOut: string;
}

/** Loads the config of a project with a referee. Throws `config-invalid` when it has none. */
export async function openRefereeProject({
  config = '.',
  folder = process.cwd(),
  heldOut: elsewhere,
}: RefereeChoice): Promise<RefereeProject> {
  // A fault or a changed form of a question is no version of its own, and what could end a run early ends no look.
  const overrides = { faults: [], perturb: [], curtail: false } satisfies Partial<Config>;
  const named = typeof config === 'string' ? path.resolve(folder, config) : config;
  const loaded = await loadEvaluation(named, { overrides, git: false }, folder);
  const setting = loaded.config.referee;
  if (setting === undefined)
    throw new TouchstoneError('config-invalid', 'The config has no referee.', {
      remedy:
        'Name the folder of its held-out set: `referee: { heldOut: ../acme-heldout }` (docs/referee.md).',
    });
  if (setting.surprises > setting.looks)
    throw new TouchstoneError(
      'config-invalid',
      `\`referee\` has ${setting.surprises} surprises, but only ${setting.looks} looks.`,
    );
  if (loaded.evaluation.scorecard === null)
    throw new TouchstoneError(
      'config-invalid',
      'A referee needs a scorecard: without one no question passes.',
    );
  const { evaluation, folder: workspace } = loaded;
  const place = elsewhere === undefined ? setting.heldOut : path.resolve(folder, elsewhere);
  const heldOut = isElsewhere(place) ? place : locateHeldOut(place, workspace);
  return { config: loaded.config, setting, evaluation, workspace, heldOut };
}

/** The kinds of targets whose answers the config alone does not determine: what they are now has to be said. */
const unknownInside: ReadonlySet<string> = new Set(['http', 'command', 'webhook']);

/** Returns the version of a target. Throws `look-refused` when the config does not say which one it is. */
export function versionOf({ name, use, fingerprint }: ResolvedTarget): TargetVersion {
  const stated = (use as { readonly version?: unknown }).version;
  if (stated === undefined && unknownInside.has(use.use))
    throw new TouchstoneError(
      'look-refused',
      `A look needs to know which version it asks: set \`version\` of target \`${toTerminalText(name)}\`.`,
      { remedy: 'Set it to what changes with the bot, such as a commit: `version: v13`.' },
    );
  const label = typeof stated === 'string' || typeof stated === 'number' ? String(stated) : name;
  return {
    target: name,
    label: stated === undefined ? `${name} (${fingerprint.slice(0, 6)})` : label,
    fingerprint,
  };
}

/** Finds the target that is to be looked at: the named one, else the only one that is not the incumbent. */
export function pickCandidate(
  { targets }: Evaluation,
  named: string | undefined,
  incumbent: TargetVersion | undefined,
): ResolvedTarget {
  const names = targets.map(({ name }) => name);
  const others = targets.filter(({ fingerprint }) => fingerprint !== incumbent?.fingerprint);
  const found =
    named === undefined
      ? others.length === 0
        ? targets
        : others
      : targets.filter(({ name }) => name === named);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new TouchstoneError(
    'usage-invalid',
    named === undefined ? 'There are several targets to look at.' : `No target is named "${named}".`,
    { remedy: `Name one with \`--candidate\`: ${names.join(', ')}.` },
  );
}

/** Names the parts of the rules that differ; undefined when none does. */
export function findOtherRules(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string | undefined {
  if (hashContent(before) === hashContent(now)) return undefined;
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.filter((name) => before[name] !== now[name]).join(', ');
}
