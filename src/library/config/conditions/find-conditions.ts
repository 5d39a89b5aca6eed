import type { Fault } from '../../../evaluate/conditions/faults/fault.ts';
import * as faultExports from '../../../evaluate/conditions/faults/registry.ts';
import type {
  Perturbation,
  QuestionPerturbation,
} from '../../../evaluate/conditions/perturbations/perturbation.ts';
import * as perturbationExports from '../../../evaluate/conditions/perturbations/registry.ts';
import { createRewriter, type Rewriter } from '../../../evaluate/conditions/rewriter.ts';
import { withPerturbedQuestion } from '../../../evaluate/conditions/with-perturbed-question.ts';
import { withToolFaults } from '../../../evaluate/conditions/with-tool-faults.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { hashContent } from '../../../core/lib/content-hash.ts';
import { didYouMean } from '../../../core/lib/text/nearest-name.ts';
import type { ResolvedTarget } from '../../../evaluate/run/evaluation.ts';
import { type Condition, conditionName } from '../../../core/schema/condition.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { MetricAspect } from '../../../core/schema/metric.ts';
import type { Target } from '../../../evaluate/targets/target.ts';
import { type RequestedCondition, parseCondition } from './condition-setting.ts';
import { ConfigProblem, refuseDuplicates } from '../config-problem.ts';
import type { CheckedConfig } from '../config.ts';
import { modelRegistry } from '../registries.ts';
import { resolveUse, type ResolveNeeds } from '../resolve-use.ts';

/** The targets of a run together with those under conditions, and notices on what was skipped. */
interface ExpandedTargets {
  readonly targets: ResolvedTarget[];
  readonly notices: string[];
}

/**
 * Adds to every target one more under each condition that the config requests: `bot`, `bot + fault timeout`, `bot +
 * typos`. A notice names each target that a condition cannot be applied to. Throws `usage-invalid` for a condition that
 * cannot be applied to any target.
 */
export function expandConditions(
  plain: readonly ResolvedTarget[],
  config: CheckedConfig,
  needs: ResolveNeeds,
): ExpandedTargets {
  const conditions = findConditions(config, needs);
  const notices: string[] = [];
  for (const live of conditions) {
    const reasons = plain.flatMap((target) => explainMismatch(live, target) ?? []);
    if (reasons.length === plain.length) throw notApplicable(live, reasons);
    notices.push(...reasons.map((reason) => `Left out: ${reason}`));
  }
  const targets = plain.flatMap((target) => [
    target,
    ...conditions
      .filter((live) => explainMismatch(live, target) === undefined)
      .map((live) => applyCondition(target, live)),
  ]);
  refuseDuplicates('targets', targets);
  return { targets, notices: [...new Set(notices)] };
}

function applyCondition(
  plain: ResolvedTarget,
  { condition, identity, wrap }: ResolvedCondition,
): ResolvedTarget {
  const { name, use, fingerprint, target } = plain;
  return {
    name: `${name} + ${conditionName(condition)}`,
    use,
    fingerprint: hashContent({ of: fingerprint, condition, identity }),
    condition: { ...condition, of: name },
    target: wrap(target),
  };
}

/** Explains why a condition cannot be applied to a target; returns undefined when it can. */
function explainMismatch(
  { condition, isInTools }: ResolvedCondition,
  { name, use, target }: ResolvedTarget,
): string | undefined {
  const what = conditionName(condition);
  if (target.holdsConversation === true) {
    return `${what} for ${name}: its answers are recorded, so it cannot be asked in another way.`;
  }
  if (target.batch !== undefined) return `${what} for ${name}: its questions are asked in batches.`;
  if (!isInTools || target.hasToolsInReach === true) return undefined;
  return `${what} for ${name}: Touchstone does not run the tools of a \`${use.use}\` target, so it cannot change their results.`;
}

function notApplicable({ condition }: ResolvedCondition, reasons: readonly string[]): TouchstoneError {
  const message = `${conditionName(condition)} cannot be applied to any of the targets:\n  ${reasons.join('\n  ')}`;
  return new TouchstoneError('usage-invalid', message, {
    remedy:
      'Conditions reach the tools of any target whose config has `tools` (docs/tools.md), of a `chat` target, and of a `module` target whose function calls them by `request.useTool`. Choose such a target with `--target`, or leave the condition out.',
  });
}

type RequestedConditions = Pick<CheckedConfig, 'faults' | 'perturb'>;

/** Throws `ConfigProblem` for an unknown fault or perturbation. */
export function checkConditions({ faults, perturb }: RequestedConditions): void {
  findRequested(faults, faultKinds);
  findRequested(perturb, perturbationKinds);
}

/** A metric that the config need not name. */
interface MetricOfCondition {
  readonly use: string;
  readonly aspect: MetricAspect;
}

/** Returns the metrics that measure the effect of the requested conditions, where no other metric has their aspect. */
export function metricsOfConditions({ faults, perturb }: RequestedConditions): MetricOfCondition[] {
  const isInjecting = findRequested(perturb, perturbationKinds).some(
    ({ definition }) => 'corrupt' in definition,
  );
  return [
    ...(faults.length > 0 ? [{ use: 'fault-handling', aspect: 'handled-fault' } as const] : []),
    ...(isInjecting ? [{ use: 'injection-resistance', aspect: 'resisted-injection' } as const] : []),
  ];
}

/** A condition that is ready to be applied to targets. */
interface ResolvedCondition {
  readonly condition: Omit<Condition, 'of'>;
  /** The parts of its identity besides its name: its version, and the model that it calls. */
  readonly identity: Json;
  /** True when the condition changes the tools of a target, false when it changes the question. */
  readonly isInTools: boolean;
  wrap(target: Target): Target;
}

/** Resolves the conditions that a config requests, faults first. Throws `ConfigProblem` for unknown ones. */
function findConditions(config: CheckedConfig, needs: ResolveNeeds): ResolvedCondition[] {
  const rewriter = resolveRewriter(config, needs);
  return [
    ...findRequested(config.faults, faultKinds).map((asked) => toolCondition('fault', asked)),
    ...findRequested(config.perturb, perturbationKinds).map((asked) => {
      const { definition } = asked;
      return 'corrupt' in definition
        ? toolCondition('perturbation', { ...asked, definition })
        : questionCondition({ ...asked, definition }, rewriter);
    }),
  ];
}

function resolveRewriter({ perturbModel }: CheckedConfig, needs: ResolveNeeds): Rewriter | undefined {
  if (perturbModel === undefined) return undefined;
  return createRewriter(resolveUse(perturbModel, ['perturbModel'], modelRegistry, needs).instance);
}

type ToolKind = Fault & Pick<Perturbation, 'rate'>;

function toolCondition(
  type: Condition['type'],
  { definition, variant, rate }: RequestedKind<ToolKind>,
): ResolvedCondition {
  return {
    condition: { type, kind: definition.kind, ...(variant && { variant }), rate },
    identity: { version: definition.version },
    isInTools: true,
    wrap: (target) =>
      withToolFaults(target, { fault: definition, variant, rate: rate ?? definition.rate?.usual }),
  };
}

function questionCondition(
  { definition, variant, rate }: RequestedKind<QuestionPerturbation>,
  configured: Rewriter | undefined,
): ResolvedCondition {
  const { kind, version, model } = definition;
  const rewriter = model === undefined || variant === 'template' ? undefined : configured;
  return {
    condition: {
      type: 'perturbation',
      kind,
      ...(variant && { variant }),
      rate,
    },
    identity: { version, model: rewriter?.fingerprint ?? null },
    isInTools: false,
    wrap: (target) =>
      withPerturbedQuestion(target, {
        perturbation: definition,
        rate: rate ?? definition.rate?.usual ?? 1,
        variant,
        rewriter,
      }),
  };
}

/** The properties that faults and perturbations share. */
interface AnyKind {
  readonly kind: string;
  readonly rate?: { readonly usual: number; readonly of: string };
  readonly variants?: readonly string[] | string;
}

/** The kinds that a setting can name. */
interface Kinds<Kind extends AnyKind> {
  readonly setting: 'faults' | 'perturb';
  /** The noun for one of them in messages. */
  readonly noun: string;
  readonly known: readonly Kind[];
  /** Returns whether `all` includes this kind. */
  readonly isInAll: (kind: Kind) => boolean;
  readonly hasRate: (kind: Kind) => boolean;
}

const faultKinds: Kinds<Fault> = {
  setting: 'faults',
  noun: 'fault',
  known: Object.values(faultExports),
  isInAll: (fault) => !('delaysMs' in fault),
  hasRate: () => true,
};

const perturbationKinds: Kinds<Perturbation> = {
  setting: 'perturb',
  noun: 'perturbation',
  known: Object.values(perturbationExports),
  // A perturbation whose variant the user has to name is not part of `all`.
  isInAll: ({ variants }) => typeof variants !== 'string',
  hasRate: ({ rate }) => rate !== undefined,
};

/** A kind with the requested variant and rate. */
interface RequestedKind<Kind> extends Omit<RequestedCondition, 'kind'> {
  readonly definition: Kind;
}

/** Looks up the requested kinds, without duplicates. Throws `ConfigProblem` for unknown kinds and variants, and rates. */
function findRequested<Kind extends AnyKind>(
  settings: readonly (string | RequestedCondition)[],
  kinds: Kinds<Kind>,
): RequestedKind<Kind>[] {
  const found = settings.flatMap((setting, index) => {
    const fail = (message: string): never => {
      throw new ConfigProblem([{ path: [kinds.setting, index], message }]);
    };
    return findOne(parseCondition(setting), kinds, fail);
  });
  return [...new Map(found.map((asked) => [keyOf(asked), asked])).values()];
}

function findOne<Kind extends AnyKind>(
  { kind, variant, rate }: RequestedCondition,
  kinds: Kinds<Kind>,
  fail: (message: string) => never,
): RequestedKind<Kind>[] {
  if (kind === 'all') {
    if (variant !== undefined) fail('`all` has no variants; name the kind, as in `case:upper`');
    const all = kinds.known.filter(kinds.isInAll);
    return all.map((definition) => ({
      definition,
      ...(rate !== undefined && kinds.hasRate(definition) && { rate }),
    }));
  }
  const definition = kinds.known.find((known) => known.kind === kind) ?? fail(unknownKind(kind, kinds));
  if (rate !== undefined && !kinds.hasRate(definition)) {
    fail(`${kind} takes no rate`);
  }
  const checked = checkVariant(definition, variant, fail);
  return [{ definition, variant: checked, rate }];
}

function checkVariant(
  { kind, variants = [] }: AnyKind,
  variant: string | undefined,
  fail: (message: string) => never,
): string | undefined {
  if (typeof variants === 'string') return variant ?? fail(`${kind} needs ${variants}`);
  if (variant === undefined || variants.includes(variant)) return variant;
  const hint = didYouMean(variant, variants) || ` There are ${variants.join(', ')}.`;
  return fail(
    variants.length === 0 ? `${kind} has no variants` : `${kind} has no variant "${variant}".${hint}`,
  );
}

function unknownKind<Kind extends AnyKind>(kind: string, { known, noun }: Kinds<Kind>): string {
  const names = ['all', ...known.map((each) => each.kind).sort()];
  return `there is no ${noun} "${kind}".${didYouMean(kind, names)} Known are ${names.join(', ')}.`;
}

function keyOf<Kind extends AnyKind>({ definition, variant, rate }: RequestedKind<Kind>): string {
  return JSON.stringify([definition.kind, variant, rate]);
}
