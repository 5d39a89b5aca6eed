import { didYouMean } from '../lib/nearest-name.ts';
import { type AskedCondition, parseCondition } from './condition-setting.ts';
import { ConfigProblem } from './config-problem.ts';

/** What faults and perturbations say of themselves. */
interface AnyKind {
  readonly kind: string;
  readonly rate?: { readonly usual: number; readonly of: string };
  readonly variants?: readonly string[] | string;
}

/** The kinds that a setting can name. */
export interface Kinds<Kind extends AnyKind> {
  readonly setting: 'faults' | 'perturb';
  /** What one of them is called in messages. */
  readonly noun: string;
  readonly known: readonly Kind[];
  /** Whether `all` means this one too. */
  readonly isInAll: (kind: Kind) => boolean;
  readonly hasRate: (kind: Kind) => boolean;
}

/** A kind with what was asked of it. */
export interface AskedKind<Kind> extends Omit<AskedCondition, 'kind'> {
  readonly definition: Kind;
}

/** Looks up what a setting asks for, each once. Throws `ConfigProblem` for kinds, sorts and rates that there are not. */
export function findAsked<Kind extends AnyKind>(
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
