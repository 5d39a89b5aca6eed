import { findTranslation } from '../../evaluate/conditions/perturbations/language.ts';
import type { Dataset } from '../../evaluate/datasets/dataset.ts';
import { openDataset } from '../../evaluate/datasets/open-dataset.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import { findReservedMember, isReservedName, type NamedUse } from '../../core/lib/define.ts';
import { checkOnce } from '../../core/lib/schema-issues.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import { processRateLimiter, refusalsOf } from '../../evaluate/models/account/rate-limiter.ts';
import type { ModelNeeds } from '../../evaluate/models/model.ts';
import type { Evaluation, ResolvedTarget, ResolvedUser, Users } from '../../evaluate/run/evaluation.ts';
import { withDatasetProblems } from '../../evaluate/run/prepare/load.ts';
import type { Json } from '../../core/schema/json.ts';
import * as targetExports from '../../evaluate/targets/registry.ts';
import type { Target, TargetNeeds } from '../../evaluate/targets/target.ts';
import * as userExports from '../../evaluate/users/registry.ts';
import type { User, UserNeeds } from '../../evaluate/users/user.ts';
import { datasetOptions, withAttackDefaults } from './attacks/attack-set.ts';
import { parseCondition } from './conditions/condition-setting.ts';
import { ConfigProblem, describeIssues, refuseDuplicates } from './config-problem.ts';
import { type CheckedConfig, configSchema, hidesFilesIn } from './config.ts';
import { expandConditions } from './conditions/find-conditions.ts';
import { readDeterministic } from './grid/read-deterministic.ts';
import { expandGrid, refuseRecordedGrid } from './grid/expand-grid.ts';
import { refuseLargeGrids } from './grid/refuse-large-grids.ts';
import { createKnownSecrets } from './known-secrets.ts';
import { readDataFile, readers } from './load-config.ts';
import { isModel, modelNames, modelRegistry } from './registries.ts';
import { checkStoreSetting } from './open-store-of.ts';
import { checkGateTargets, resolveAttempts, resolveGate } from './resolve-gate.ts';
import { resolveMetrics } from './resolve-metrics.ts';
import { recognizeFile, recognizeRecorded } from './recognize-file.ts';
import { resolveTools } from './tools/resolve-tools.ts';
import { runToolsOf } from './tools/run-tools-of.ts';
import { createRegistry, resolveUse, withSetting, type ResolveNeeds } from './resolve-use.ts';

/**
 * Resolves a config to an evaluation: looks up every name, checks every option and finds every file. This is the only
 * place that knows all extensions. Throws `TouchstoneError` or `ConfigProblem`.
 */
export async function resolveConfig(config: CheckedConfig, needs: ResolveNeeds): Promise<Evaluation> {
  const opened = await openQuestions(config, needs);
  if (!(opened instanceof TouchstoneError))
    await refuseLargeGrids(config, {
      dataset: opened,
      limit: needs.limit ?? Number.POSITIVE_INFINITY,
      folder: needs.folder,
    });
  const resolved = await resolveTargets(config, needs).catch(async (error: unknown) => {
    throw await withDatasetProblems(error, opened);
  });
  if (opened instanceof TouchstoneError) throw opened;
  const tools = resolveTools(config, needs);
  const behindProxy = tools === undefined ? resolved : resolved.map(tools.wrap);
  const { targets, notices } = expandConditions(behindProxy, config, needs);
  const dataset = opened;
  await refuseUntranslated(config, dataset);
  const { metrics, scorecard, caseChecks } = resolveMetrics(config, needs);
  const { rateLimiter = processRateLimiter } = needs;
  return {
    description: config.description,
    dataset,
    selects: needs.selects ?? (() => true),
    limit: needs.limit ?? Number.POSITIVE_INFINITY,
    targets,
    tools: tools && runToolsOf(tools),
    notices,
    users: await resolveUsers(config, needs),
    metrics,
    scorecard,
    caseChecks,
    reusesJudgements: config.judgeCache,
    hidesFiles: hidesFilesIn(config),
    ...resolveAttempts(config),
    seed: config.seed,
    settings: {
      concurrency: config.concurrency,
      timeLimitMs: config.timeLimitMs,
      maxRetries: config.maxRetries,
      ...limitsOf(config),
    },
    watchAccounts: rateLimiter.watchAccounts,
    readRefused: () => refusalsOf(rateLimiter.readBusyAccounts()),
    unread: config.unread,
    weights: config.weights,
    skipsDuplicates: isSkipping(config.dataset),
    gate: resolveGate(config, needs.folder, { metrics, scorecard }),
    secrets: createKnownSecrets(config, needs.environment),
  };
}

/** Opens the questions of a config, or returns why they cannot be opened. */
async function openQuestions(
  config: CheckedConfig,
  { folder, recording }: ResolveNeeds,
): Promise<Dataset | TouchstoneError> {
  if (recording !== undefined) return recording.dataset;
  return await openDataset({
    ...datasetOptions(config),
    folder,
    readers,
    recognize: recognizeFile,
    recognizeRecorded,
  }).catch((error: unknown) => {
    if (error instanceof TouchstoneError) return error;
    throw error;
  });
}

/** Returns the optional limits of a run that the config sets. */
function limitsOf({
  trialTimeLimitMs,
  maxDurationMs,
  maxRunRetries,
  maxCost,
  stopAfterFailures,
}: CheckedConfig): Partial<Evaluation['settings']> {
  const limits = { trialTimeLimitMs, maxDurationMs, maxRunRetries, maxCost, stopAfterFailures };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

function isSkipping(dataset: CheckedConfig['dataset']): boolean {
  return typeof dataset === 'object' && 'duplicates' in dataset && dataset.duplicates === 'skip';
}

/** Checks the shape of a config and fills in its defaults. Throws `ConfigProblem`. */
export function checkConfig(written: unknown): CheckedConfig {
  const parsed = configSchema.safeParse(withAttackDefaults(written), checkOnce);
  if (parsed.success) {
    refuseReservedNames(written, parsed.data);
    refuseShare(parsed.data);
    checkStoreSetting(parsed.data.store);
    return parsed.data;
  }
  const issues = describeIssues(parsed.error, written, configSchema);
  const name = issues.length === 1 && issues[0]?.path.length === 1 ? String(issues[0].path[0]) : '';
  const value: unknown = Object(written)[name];
  const isGiven = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  const remedy = isGiven ? undefined : remediesOfMissing.get(name);
  throw new ConfigProblem(issues, remedy === undefined ? {} : { remedy });
}

/** The remedies for the settings without which there is no run. */
const remediesOfMissing: ReadonlyMap<string, string> = new Map([
  [
    'targets',
    'Name your bot there: `targets: [{ use: http, url: http://localhost:3000/chat }]`, `module` for a function, `command` for a program (docs/connect-your-bot.md).',
  ],
  ['dataset', 'Name the file with your questions there, `dataset: golden.jsonl` (docs/datasets.md).'],
]);

/** Throws `ConfigProblem` for a share where per cent are meant: nearly every score is at least 0.85 %. */
function refuseShare({ gate: { failUnder = 0 } }: CheckedConfig): void {
  if (failUnder <= 0 || failUnder >= 1) return;
  const percent = Math.round(failUnder * 100);
  const message = `expected per cent from 0 to 100, found ${failUnder}: for ${percent} % write ${percent}`;
  throw new ConfigProblem([{ path: ['gate', 'failUnder'], message }]);
}

/** Throws `ConfigProblem` for reserved names. A gate rule called `__proto__` would be lost, and so never fail. */
function refuseReservedNames(written: unknown, { gate }: CheckedConfig): void {
  const rule = Object.keys(gate.rules ?? {}).find(isReservedName);
  const path = rule === undefined ? findReservedMember(written) : ['gate', 'rules', rule];
  if (path === undefined) return;
  const message = `"${String(path.at(-1))}" cannot be used as a name: every JavaScript object has a property of that name`;
  throw new ConfigProblem([{ path, message, isName: true }]);
}

const targetRegistry = createRegistry<'target', Target, TargetNeeds>('target', targetExports, modelNames);

/** Resolves the targets of a config that are requested by name, or all. Throws `ConfigProblem` or `usage-invalid`. */
async function resolveTargets(config: CheckedConfig, needs: ResolveNeeds): Promise<ResolvedTarget[]> {
  const targets = config.targets.flatMap((written, index) => {
    const path = ['targets', index];
    const { own, isDeterministic } = readDeterministic(written, path);
    const cells = expandGrid(own, path, targetRegistry);
    return cells.map(({ use, grid }) => ({ ...resolveTarget(use, path, needs), grid, isDeterministic }));
  });
  refuseRecordedGrid(targets);
  refuseDuplicates('targets', targets);
  checkGateTargets(config, targets);
  return await identifyTargets(keepNamed(targets, needs.targetNames));
}

/** A target that is created but whose identity is not yet part of its fingerprint. */
interface CreatedTarget extends ResolvedTarget {
  readonly version: number;
  readonly path: readonly PropertyKey[];
}

function resolveTarget(
  written: CheckedConfig['targets'][number],
  path: readonly PropertyKey[],
  { folder, environment, rateLimiter, recording }: ResolveNeeds,
): CreatedTarget {
  const needs = { folder, environment, rateLimiter };
  const targetNeeds: TargetNeeds = {
    ...needs,
    readRows: (file) => recording?.readRows() ?? readDataFile(file, folder),
    resolveModel: (model) => resolveUse(model, [...path, 'model'], modelRegistry, needs).instance,
  };
  const use = isModel(written)
    ? { use: 'chat', name: nameOfModel(written, path, needs), model: written }
    : written;
  const { instance, ...rest } = resolveUse(use, path, targetRegistry, targetNeeds);
  return { ...rest, path, target: instance };
}

/** Returns the name of the target that asks a model: as it is written, else the provider's name. */
function nameOfModel(model: NamedUse, path: readonly PropertyKey[], needs: ModelNeeds): string {
  return model.name ?? resolveUse(model, path, modelRegistry, needs).instance.name;
}

/**
 * Makes the identity of targets part of their fingerprints. Answers depend on more than the options: another prompt or
 * another model makes another target.
 */
async function identifyTargets(targets: readonly CreatedTarget[]): Promise<ResolvedTarget[]> {
  return await Promise.all(
    targets.map(async ({ name, use, version, fingerprint, path, grid, isDeterministic, target }) => {
      try {
        const identity = await target.identity?.();
        const isRecorded = target.holdsConversation === true ? true : undefined;
        const identified =
          identity === undefined ? fingerprint : hashContent({ use: use.use, version, identity });
        return { name, use, fingerprint: identified, grid, isRecorded, isDeterministic, target };
      } catch (error) {
        throw withSetting(error, path);
      }
    }),
  );
}

function keepNamed(targets: CreatedTarget[], names: readonly string[] | undefined): readonly CreatedTarget[] {
  if (names === undefined || names.length === 0) return targets;
  const known = targets.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const message = `No target is named "${unknown}".${didYouMean(unknown, known)}`;
    throw new TouchstoneError('usage-invalid', message, { remedy: `Choose from ${known.join(', ')}.` });
  }
  return targets.filter(({ name }) => names.includes(name));
}

/**
 * Throws `usage-invalid` for questions in another language when there is neither a model to translate them nor any case
 * with a translation. Standard input is not checked, since it can be read only once.
 */
async function refuseUntranslated(
  { perturb, perturbModel }: Pick<CheckedConfig, 'perturb' | 'perturbModel'>,
  dataset: Dataset,
): Promise<void> {
  if (perturbModel !== undefined || dataset.isReadOnce === true) return;
  for (const { kind, variant } of perturb.map(parseCondition)) {
    if (kind !== 'language' || (await hasTranslation(dataset, variant))) continue;
    const message = `language:${variant} needs a model that translates, but the config has none.`;
    throw new TouchstoneError('usage-invalid', message, {
      remedy: `Set \`perturbModel\` in the config, or give questions a \`metadata.translations.${variant}\`.`,
    });
  }
}

async function hasTranslation(dataset: Dataset, variant: string | undefined): Promise<boolean> {
  for await (const { value } of dataset.drafts()) {
    const metadata = (value['metadata'] ?? {}) as Record<string, Json>;
    if (findTranslation({ metadata, variant }) !== undefined) return true;
  }
  return false;
}

const userRegistry = createRegistry<'user', User, UserNeeds>('user', userExports, modelNames);

const userPath = ['user'];

/** Resolves the users that talk to the targets: the simulated one of the config, and the scripted one. Throws `ConfigProblem`. */
export async function resolveUsers({ user }: CheckedConfig, modelNeeds: ModelNeeds): Promise<Users> {
  const { folder, environment } = modelNeeds;
  const needs: UserNeeds = {
    folder,
    environment,
    resolveModel: (model) => resolveUse(model, [...userPath, 'model'], modelRegistry, modelNeeds).instance,
  };
  const { instance: scripted } = resolveUse('scripted-user', userPath, userRegistry, needs);
  return user === undefined ? { scripted } : { scripted, simulated: await resolveSimulated(user, needs) };
}

async function resolveSimulated(written: NamedUse | string, needs: UserNeeds): Promise<ResolvedUser> {
  const simulated = isModel(written) ? { use: 'simulated-user', model: written } : written;
  const { name, use, version, fingerprint, instance } = resolveUse(simulated, userPath, userRegistry, needs);
  try {
    const identity = await instance.identity?.();
    if (identity === undefined) return { name, use, fingerprint, user: instance };
    return { name, use, fingerprint: hashContent({ use: use.use, version, identity }), user: instance };
  } catch (error) {
    throw withSetting(error, userPath);
  }
}
