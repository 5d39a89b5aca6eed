import type { Condition } from '../schema/condition.ts';
import type { Json } from '../schema/json.ts';
import type { Fault } from '../conditions/faults/fault.ts';
import * as faultExports from '../conditions/faults/registry.ts';
import type { Perturbation, QuestionPerturbation } from '../conditions/perturbations/perturbation.ts';
import * as perturbationExports from '../conditions/perturbations/registry.ts';
import { createRewriter, type Rewriter } from '../conditions/rewriter.ts';
import { withPerturbedQuestion } from '../conditions/with-perturbed-question.ts';
import { withTamperedTools } from '../conditions/with-tampered-tools.ts';
import type { Target } from '../targets/target.ts';
import { type AskedKind, findAsked, type Kinds } from './asked-conditions.ts';
import type { CheckedConfig } from './config.ts';
import { modelRegistry } from './model-registry.ts';
import type { ResolveNeeds } from './resolve-needs.ts';
import { resolveUse } from './resolve-use.ts';

/** A condition ready to be put on targets. */
export interface LiveCondition {
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
export function findConditions(config: CheckedConfig, needs: ResolveNeeds): LiveCondition[] {
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

function resolveRewriter(
  { perturbModel }: CheckedConfig,
  { folder, environment }: ResolveNeeds,
): Rewriter | undefined {
  if (perturbModel === undefined) return undefined;
  const needs = { folder, environment };
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
