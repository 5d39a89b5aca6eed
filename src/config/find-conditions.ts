import type { Fault } from '../conditions/faults/fault.ts';
import * as faultExports from '../conditions/faults/registry.ts';
import type { Perturbation, QuestionPerturbation } from '../conditions/perturbations/perturbation.ts';
import * as perturbationExports from '../conditions/perturbations/registry.ts';
import { createRewriter, type Rewriter } from '../conditions/rewriter.ts';
import { withPerturbedQuestion } from '../conditions/with-perturbed-question.ts';
import { withTamperedTools } from '../conditions/with-tampered-tools.ts';
import { TouchstoneError } from '../errors.ts';
import { hashContent } from '../lib/content-hash.ts';
import { didYouMean } from '../lib/text/nearest-name.ts';
import type { LiveTarget } from '../run/evaluation.ts';
import { type Condition, conditionName } from '../schema/condition.ts';
import type { Json } from '../schema/json.ts';
import type { Target } from '../targets/target.ts';
import { type AskedCondition, parseCondition } from './condition-setting.ts';
import { ConfigProblem, refuseDuplicates } from './config-problem.ts';
import type { CheckedConfig } from './config.ts';
import { modelRegistry } from './registries.ts';
import type { ResolveNeeds } from './resolve-needs.ts';
import { resolveUse } from './resolve-use.ts';

/** A condition ready to be put on targets. */
interface LiveCondition {
  readonly condition: Omit<Condition, 'of'>;
  /** What tells it from others beside its name: its version, the model that it asks. */
  readonly identity: Json;
  /** Whether it comes with the tools of a target, and not with the question. */
  readonly isInTools: boolean;
  wrap(target: Target): Target;
}

const faultKinds: Kinds<Fault> = {
  setting: 'faults',
  noun: 'fault',
  known: Object.values(faultExports),
  isInAll: () => true,
  hasRate: () => true,
};

const perturbationKinds: Kinds<Perturbation> = {
  setting: 'perturb',
  noun: 'perturbation',
  known: Object.values(perturbationExports),
  // What needs a word of the user's is only made when it is asked for.
  isInAll: ({ variants }) => typeof variants !== 'string',
  hasRate: ({ rate }) => rate !== undefined,
};

/** The conditions that a config asks for, faults first. Throws `ConfigProblem` for what there is not. */
function findConditions(config: CheckedConfig, needs: ResolveNeeds): LiveCondition[] {
  const rewriter = resolveRewriter(config, needs);
  return [
    ...findAsked(config.faults, faultKinds).map((asked) => inTools('fault', asked)),
    ...findAsked(config.perturb, perturbationKinds).map((asked) => {
      const { definition } = asked;
      return 'corrupt' in definition
        ? inTools('perturbation', { ...asked, definition })
        : inQuestion({ ...asked, definition }, rewriter);
    }),
  ];
}

/** Throws `ConfigProblem` for what a config asks for and there is not. */
export function checkConditions({ faults, perturb }: AskedConditions): void {
  findAsked(faults, faultKinds);
  findAsked(perturb, perturbationKinds);
}

type AskedConditions = Pick<CheckedConfig, 'faults' | 'perturb'>;

/** The metrics without which nobody would see what came of the conditions, by name. */
export function metricsOfConditions({ faults, perturb }: AskedConditions): string[] {
  const isInjecting = findAsked(perturb, perturbationKinds).some(({ definition }) => 'corrupt' in definition);
  return [...(faults.length > 0 ? ['fault-handling'] : []), ...(isInjecting ? ['injection-resistance'] : [])];
}

function resolveRewriter({ perturbModel }: CheckedConfig, needs: ResolveNeeds): Rewriter | undefined {
  if (perturbModel === undefined) return undefined;
  return createRewriter(resolveUse(perturbModel, ['perturbModel'], modelRegistry, needs).instance);
}

type InTools = Fault & Pick<Perturbation, 'rate'>;

function inTools(type: Condition['type'], { definition, rate }: AskedKind<InTools>): LiveCondition {
  return {
    condition: { type, kind: definition.kind, ...(rate !== undefined && { rate }) },
    identity: { version: definition.version },
    isInTools: true,
    wrap: (target) => withTamperedTools(target, { fault: definition, rate: rate ?? definition.rate?.usual }),
  };
}

function inQuestion(
  { definition, variant, rate }: AskedKind<QuestionPerturbation>,
  configured: Rewriter | undefined,
): LiveCondition {
  const { kind, version, model } = definition;
  const rewriter = model === undefined || variant === 'template' ? undefined : configured;
  return {
    condition: {
      type: 'perturbation',
      kind,
      ...(variant && { variant }),
      ...(rate !== undefined && { rate }),
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

/** What faults and perturbations say of themselves. */
interface AnyKind {
  readonly kind: string;
  readonly rate?: { readonly usual: number; readonly of: string };
  readonly variants?: readonly string[] | string;
}

/** The kinds that a setting can name. */
interface Kinds<Kind extends AnyKind> {
  readonly setting: 'faults' | 'perturb';
  /** What one of them is called in messages. */
  readonly noun: string;
  readonly known: readonly Kind[];
  /** Whether `all` means this one too. */
  readonly isInAll: (kind: Kind) => boolean;
  readonly hasRate: (kind: Kind) => boolean;
}

/** A kind with what was asked of it. */
interface AskedKind<Kind> extends Omit<AskedCondition, 'kind'> {
  readonly definition: Kind;
}

/** Looks up what a setting asks for, each once. Throws `ConfigProblem` for kinds, sorts and rates that there are not. */
function findAsked<Kind extends AnyKind>(
  settings: readonly (string | AskedCondition)[],
  kinds: Kinds<Kind>,
): AskedKind<Kind>[] {
  const found = settings.flatMap((setting, index) => {
    const fail = (message: string): never => {
      throw new ConfigProblem([{ path: [kinds.setting, index], message }]);
    };
    return findOne(parseCondition(setting), kinds, fail);
  });
  return [...new Map(found.map((asked) => [keyOf(asked), asked])).values()];
}

function findOne<Kind extends AnyKind>(
  { kind, variant, rate }: AskedCondition,
  kinds: Kinds<Kind>,
  fail: (message: string) => never,
): AskedKind<Kind>[] {
  if (kind === 'all') {
    if (variant !== undefined) fail('`all` has no sorts; name the kind, as in `case:upper`');
    const all = kinds.known.filter(kinds.isInAll);
    return all.map((definition) => ({
      definition,
      ...(rate !== undefined && kinds.hasRate(definition) && { rate }),
    }));
  }
  const definition = kinds.known.find((known) => known.kind === kind) ?? fail(unknownKind(kind, kinds));
  if (rate !== undefined && !kinds.hasRate(definition)) {
    fail(`${kind} takes no rate: there is no more or less of it`);
  }
  const checked = checkVariant(definition, variant, fail);
  return [
    { definition, ...(checked !== undefined && { variant: checked }), ...(rate !== undefined && { rate }) },
  ];
}

function checkVariant(
  { kind, variants = [] }: AnyKind,
  variant: string | undefined,
  fail: (message: string) => never,
): string | undefined {
  if (typeof variants === 'string') return variant ?? fail(`${kind} needs ${variants}`);
  if (variant === undefined || variants.includes(variant)) return variant;
  const hint = didYouMean(variant, variants) || ` There are ${variants.join(', ')}.`;
  return fail(variants.length === 0 ? `${kind} has no sorts` : `${kind} has no sort "${variant}".${hint}`);
}

function unknownKind<Kind extends AnyKind>(kind: string, { known, noun }: Kinds<Kind>): string {
  const names = ['all', ...known.map((each) => each.kind).sort()];
  return `there is no ${noun} "${kind}".${didYouMean(kind, names)} Known are ${names.join(', ')}.`;
}

function keyOf<Kind extends AnyKind>({ definition, variant, rate }: AskedKind<Kind>): string {
  return JSON.stringify([definition.kind, variant, rate]);
}

/** The targets of a run with those that are put under conditions, and what has to be said of the others. */
interface ExpandedTargets {
  readonly targets: LiveTarget[];
  readonly notices: string[];
}

/**
 * Adds to every target the same one under each condition that the config asks for: `bot`, `bot + fault timeout`, `bot +
 * typos`. Where a condition has no hold on a target, a notice says so. Throws `usage-invalid` when one has on none.
 */
export function expandConditions(
  plain: readonly LiveTarget[],
  config: CheckedConfig,
  needs: ResolveNeeds,
): ExpandedTargets {
  const conditions = findConditions(config, needs);
  const notices: string[] = [];
  for (const live of conditions) {
    const reasons = plain.flatMap((target) => whyNot(live, target) ?? []);
    if (reasons.length === plain.length) throw outOfReach(live, reasons);
    notices.push(...reasons.map((reason) => `Left out: ${reason}`));
  }
  const targets = plain.flatMap((target) => [
    target,
    ...conditions
      .filter((live) => whyNot(live, target) === undefined)
      .map((live) => underCondition(target, live)),
  ]);
  refuseDuplicates('targets', targets);
  return { targets, notices: [...new Set(notices)] };
}

function underCondition(plain: LiveTarget, { condition, identity, wrap }: LiveCondition): LiveTarget {
  const { name, use, fingerprint, target } = plain;
  return {
    name: `${name} + ${conditionName(condition)}`,
    use,
    fingerprint: hashContent({ of: fingerprint, condition, identity }),
    condition: { ...condition, of: name },
    target: wrap(target),
  };
}

/** Why a condition has no hold on a target; undefined when it has. */
function whyNot(
  { condition, isInTools }: LiveCondition,
  { name, use, target }: LiveTarget,
): string | undefined {
  const what = conditionName(condition);
  if (target.holdsConversation === true) {
    return `${what} for ${name}: its answers were recorded before, whatever it is asked.`;
  }
  if (!isInTools || target.hasToolsInReach === true) return undefined;
  return `${what} for ${name}: Touchstone does not run the tools of a \`${use.use}\` target, so it cannot put anything into them.`;
}

function outOfReach({ condition }: LiveCondition, reasons: readonly string[]): TouchstoneError {
  const message = `${conditionName(condition)} can be put on none of the targets:\n  ${reasons.join('\n  ')}`;
  return new TouchstoneError('usage-invalid', message, {
    remedy:
      'Tools are in reach in a `chat` target, and in a `module` target whose function uses them by `request.useTool`. Choose such a target with `--target`, or leave the condition out.',
  });
}
