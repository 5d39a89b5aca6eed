import { displayPath } from '../../../core/lib/text/display-path.ts';
import type { Gate } from '../../../core/schema/gate.ts';
import { selectCases } from '../../../evaluate/run/prepare/select-cases.ts';
import type { AgentLimits } from '../../config/config.ts';
import { toEvaluation } from '../../config/load-evaluation.ts';
import { findConfig, loadConfig } from '../../config/load-config.ts';
import { defaultStoreIn, findStoreSetting, type PlacedStore } from '../../config/open-store-of.ts';

/** A project as its config describes it, without a secret and without the options of what it uses. */
export interface ProjectDescription {
  /** The config file, as it can be typed in the current folder. */
  readonly config: string;
  readonly description?: string;
  /** The files of the dataset. */
  readonly sources: readonly string[];
  readonly cases: number;
  readonly targets: readonly DescribedTarget[];
  /** The metrics, each with the judge that it asks. */
  readonly metrics: readonly { readonly name: string; readonly judge?: string }[];
  readonly scorecard: string | null;
  readonly gate: Gate;
  readonly attempts: number;
  /** The cost limit of a run in US dollars; absent where the config sets none. */
  readonly maxCost?: number;
  readonly agents: AgentLimits;
  /** Messages that the user should see before anything is called. */
  readonly notices: readonly string[];
}

/** A target of a config: what it uses, and the version that its owner has given it. */
export interface DescribedTarget {
  readonly name: string;
  readonly use: string;
  readonly version?: string;
}

/** Reads a config and counts its questions; nothing is asked. Throws `TouchstoneError` for any problem with it. */
export async function describeProject(config?: string): Promise<ProjectDescription> {
  const file = await findConfig(config);
  const { evaluation, config: checked } = await toEvaluation(await loadConfig(file));
  let cases = 0;
  for await (const _each of selectCases(evaluation, () => {})) cases += 1;
  const { description, targets, metrics, scorecard, gate, attempts, settings, notices = [] } = evaluation;
  return {
    config: displayPath(file),
    description,
    sources: evaluation.dataset.sources,
    cases,
    targets: targets.map(({ name, use }) => ({ name, use: use.use, ...versionOf(use) })),
    metrics: metrics.map(({ name, judge }) => ({ name, judge: judge?.name })),
    scorecard: scorecard?.name ?? null,
    gate,
    attempts,
    maxCost: settings.maxCost,
    agents: checked.agents,
    notices,
  };
}

function versionOf(use: object): Pick<DescribedTarget, 'version'> {
  const { version } = use as { readonly version?: unknown };
  return typeof version === 'string' || typeof version === 'number' ? { version: String(version) } : {};
}

/** Finds the store that the runs of a config are stored in. The rest of the config may be invalid. */
export async function findProjectStore(config?: string): Promise<PlacedStore> {
  const loaded = await loadConfig(await findConfig(config));
  return (await findStoreSetting(loaded)) ?? defaultStoreIn(loaded.folder);
}
