import { z } from 'zod';

/** The properties that every check has besides what it checks. */
interface CheckTraits {
  /** The name under which reports count it; checks of several cases may share one. */
  readonly name?: string;
  /** Its share of the value of the group that it is in, relative to the others; 1 by default. */
  readonly weight?: number;
  /** True when the group that it is in cannot pass unless this check passes. */
  readonly required?: boolean;
  /** The least value that passes. */
  readonly threshold?: number;
}

/** A check by one metric, with the options of the metric besides its own properties. */
export interface MetricCheck extends CheckTraits {
  readonly use: string;
  readonly [option: string]: unknown;
}

/** Checks that must all pass, or with `threshold` reach a weighted mean. */
export interface AllCheck extends CheckTraits {
  readonly all: readonly ExpectedCheck[];
}

/** Checks of which one must pass. */
export interface AnyCheck extends CheckTraits {
  readonly any: readonly ExpectedCheck[];
}

/** The opposite of a check. */
export interface NotCheck extends CheckTraits {
  readonly not: ExpectedCheck;
}

/** A check that a case makes of its answer: a metric, a group, or the opposite of a check. */
export type ExpectedCheck = MetricCheck | AllCheck | AnyCheck | NotCheck;

/** The keys of which each names a kind of check. */
const kinds = ['use', 'all', 'any', 'not'] as const;
const traits: readonly string[] = ['name', 'weight', 'required', 'threshold'];
/** The deepest nesting, so that no file can exhaust the stack. */
const deepest = 10;

/** Returns the kind of a check. */
export function kindOfCheck(check: ExpectedCheck): (typeof kinds)[number] {
  return kinds.find((kind) => Object.hasOwn(check, kind)) ?? 'use';
}

/** Returns the checks inside a check with their paths: none in a check by a metric. */
export function checksInside(
  check: ExpectedCheck,
): readonly { readonly check: ExpectedCheck; readonly path: readonly PropertyKey[] }[] {
  const kind = kindOfCheck(check);
  if (kind === 'use') return [];
  const inside = (check as unknown as Readonly<Record<string, ExpectedCheck | ExpectedCheck[]>>)[kind];
  if (Array.isArray(inside)) return inside.map((each, index) => ({ check: each, path: [kind, index] }));
  return inside === undefined ? [] : [{ check: inside, path: [kind] }];
}

/** A check by a metric, with its path in the list. */
export interface LocatedCheck {
  readonly check: MetricCheck;
  readonly path: readonly PropertyKey[];
  /** True when the check counts by its opposite. */
  readonly isNegated: boolean;
  /** True when the answer can pass without it: it is one of several, or does not count. */
  readonly isAlternative: boolean;
}

/** Yields all checks by metrics in a list, those in groups too. */
export function* metricChecks(
  checks: readonly ExpectedCheck[] = [],
  path: readonly PropertyKey[] = [],
): Generator<LocatedCheck> {
  for (const [index, check] of checks.entries()) {
    yield* within(check, [...path, index], { isNegated: false, isAlternative: false });
  }
}

function* within(
  check: ExpectedCheck,
  path: readonly PropertyKey[],
  around: Pick<LocatedCheck, 'isNegated' | 'isAlternative'>,
): Generator<LocatedCheck> {
  const kind = kindOfCheck(check);
  const isNegated = around.isNegated !== (kind === 'not');
  const isGroupOfSome = kind === 'any' || (kind === 'all' && check.threshold !== undefined);
  const isAlternative = around.isAlternative || check.weight === 0 || isGroupOfSome;
  if (kind === 'use') yield { check: check as MetricCheck, path, isNegated, isAlternative };
  for (const inside of checksInside(check)) {
    yield* within(inside.check, [...path, ...inside.path], { isNegated, isAlternative });
  }
}

/** A function that reports a fault at a path inside a check. */
type Refuse = (path: readonly PropertyKey[], message: string) => void;

function examine(value: unknown, path: readonly PropertyKey[], refuse: Refuse): void {
  if (path.length > 2 * deepest) return refuse(path, `checks that are nested at most ${deepest} deep`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(path, 'a check, such as { "use": "contains", "value": "49" }');
  }
  const check = value as Readonly<Record<string, unknown>>;
  const [kind, other] = kinds.filter((each) => Object.hasOwn(check, each));
  if (kind === undefined || other !== undefined) {
    return refuse(path, 'a check with one of `use`, `all`, `any` and `not`');
  }
  examineTraits(check, path, refuse);
  if (kind === 'use') {
    if (typeof check['use'] !== 'string' || check['use'] === '') {
      refuse([...path, 'use'], 'the name of a metric');
    }
    return;
  }
  const unknown = Object.keys(check).find((key) => key !== kind && !traits.includes(key));
  if (unknown !== undefined) refuse([...path, unknown], `no other keys than ${[kind, ...traits].join(', ')}`);
  examineInside(check, { kind, path, refuse });
}

function examineInside(
  check: Readonly<Record<string, unknown>>,
  {
    kind,
    path,
    refuse,
  }: {
    readonly kind: 'all' | 'any' | 'not';
    readonly path: readonly PropertyKey[];
    readonly refuse: Refuse;
  },
): void {
  const inside = check[kind];
  if (kind === 'not') {
    const own = inside as CheckTraits | null | undefined;
    if (own?.weight !== undefined)
      refuse([...path, 'not', 'weight'], 'the weight next to `not`, not inside it');
    if (own?.required !== undefined)
      refuse([...path, 'not', 'required'], '`required` next to `not`, not inside it');
    return examine(inside, [...path, 'not'], refuse);
  }
  if (!Array.isArray(inside) || inside.length === 0) {
    return refuse([...path, kind], 'a list of checks that is not empty');
  }
  for (const [index, each] of inside.entries()) examine(each, [...path, kind, index], refuse);
  if (kind !== 'any') return;
  if (check['threshold'] !== undefined) {
    refuse([...path, 'threshold'], 'no threshold with `any`, of which one check must pass; use `all`');
  }
  const required = inside.findIndex((each) => (each as CheckTraits | null)?.required === true);
  if (required !== -1) {
    refuse([...path, 'any', required, 'required'], 'no required check inside `any`, of which one must pass');
  }
}

function examineTraits(
  { name, weight, required, threshold }: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
  refuse: Refuse,
): void {
  if (name !== undefined && (typeof name !== 'string' || name.trim() === '')) {
    refuse([...path, 'name'], 'a text that is not empty');
  }
  if (weight !== undefined && !(typeof weight === 'number' && Number.isFinite(weight) && weight >= 0)) {
    refuse([...path, 'weight'], 'a number of at least 0');
  }
  if (required !== undefined && typeof required !== 'boolean') refuse([...path, 'required'], 'true or false');
  if (required === true && weight === 0) {
    refuse([...path, 'required'], 'no required check of weight 0, which counts for nothing');
  }
  const isNumber = typeof threshold === 'number' && Number.isFinite(threshold);
  if (threshold !== undefined && !isNumber) refuse([...path, 'threshold'], 'a number');
}

/** The checks of a case: a list that is not empty. The options of each metric are checked where metrics are known. */
export const expectedChecksSchema: z.ZodType<readonly ExpectedCheck[]> = z
  .any()
  .superRefine((value: unknown, context) => {
    const refuse: Refuse = (path, message) =>
      context.addIssue({ code: 'custom', path: [...path], message, continue: false });
    if (!Array.isArray(value) || value.length === 0) return refuse([], 'a list of checks that is not empty');
    for (const [index, check] of value.entries()) examine(check, [index], refuse);
  })
  .meta({
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      properties: {
        use: { type: 'string', description: 'The metric; its options go next to it.' },
        all: { type: 'array', items: { type: 'object' }, description: 'Checks that must all pass.' },
        any: { type: 'array', items: { type: 'object' }, description: 'Checks of which one must pass.' },
        not: { type: 'object', description: 'A check that must not pass.' },
        name: {
          type: 'string',
          description: 'Its name in reports; checks of several questions may share one.',
        },
        weight: { type: 'number', minimum: 0, description: 'Its share of the value; 1 by default.' },
        required: { type: 'boolean', description: 'True when the answer cannot pass without this check.' },
        threshold: { type: 'number', description: 'The least value that passes.' },
      },
      oneOf: kinds.map((kind) => ({ required: [kind] })),
    },
  });
