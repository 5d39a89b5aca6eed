import type { z } from 'zod';
import { TouchstoneError } from '../errors.ts';
import { hashContent } from '../lib/content-hash.ts';
import { type Definition, type NamedUse, rememberedDefinition } from '../lib/define.ts';
import { nearestName } from '../lib/nearest-name.ts';
import { type ConfigIssue, describeIssues } from './describe-issues.ts';

// Options differ from extension to extension; the schema of each checks them before `create` sees them.
type AnyDefinition<Kind extends string, Instance, Needs> = Definition<Kind, never, Instance, Needs>;

/** The extensions of one kind that a config can name. */
export interface Registry<Kind extends string, Instance, Needs> {
  readonly kind: Kind;
  readonly definitions: readonly AnyDefinition<Kind, Instance, Needs>[];
}

/** Makes a registry of a registry file's exports. */
export function createRegistry<Kind extends string, Instance, Needs>(
  kind: Kind,
  exports: Readonly<Record<string, { readonly definition: unknown }>>,
): Registry<Kind, Instance, Needs> {
  const definitions = Object.values(exports).map(({ definition }) => definition);
  return { kind, definitions: definitions as AnyDefinition<Kind, Instance, Needs>[] };
}

/** An extension that was found, checked and built. */
export interface ResolvedUse<Instance> {
  readonly name: string;
  readonly use: NamedUse;
  readonly version: number;
  /** Changes with the extension's name, its version and any of its options. */
  readonly fingerprint: string;
  readonly instance: Instance;
}

/** A problem at a place in the config, to be shown with the file's line where the format allows. */
export class ConfigProblem extends Error {
  readonly issues: readonly ConfigIssue[];

  constructor(issues: readonly ConfigIssue[]) {
    super('the configuration cannot be used');
    this.issues = issues;
  }
}

/** Finds what a `use` names, checks its options and builds it. Throws `ConfigProblem` or `extension-unknown`. */
export function resolveUse<Kind extends string, Instance, Needs>(
  written: NamedUse | string,
  path: readonly PropertyKey[],
  registry: Registry<Kind, Instance, Needs>,
  needs: Needs,
): ResolvedUse<Instance> {
  const use: NamedUse = typeof written === 'string' ? { use: written } : written;
  const definition = findDefinition(use, path, registry);
  const { use: _use, name = definition.name, ...given } = use;
  const parsed = definition.options.safeParse(given);
  if (!parsed.success) throw new ConfigProblem(describeOptionIssues(parsed.error, path, definition.options));
  const options = parsed.data;
  const identity = {
    use: definition.name,
    version: definition.version,
    options: JSON.parse(JSON.stringify(options)),
  };
  return {
    name,
    use: JSON.parse(JSON.stringify(use)),
    version: definition.version,
    fingerprint: hashContent(identity),
    instance: definition.create(options, needs),
  };
}

function findDefinition<Kind extends string, Instance, Needs>(
  use: NamedUse,
  path: readonly PropertyKey[],
  { kind, definitions }: Registry<Kind, Instance, Needs>,
): AnyDefinition<Kind, Instance, Needs> {
  const remembered = rememberedDefinition(use) as AnyDefinition<Kind, Instance, Needs> | undefined;
  if (remembered?.kind === kind) return remembered;
  if (remembered !== undefined) {
    throw new ConfigProblem([{ path, message: `"${use.use}" is a ${remembered.kind}, not a ${kind}` }]);
  }
  const found = definitions.find((definition) => definition.name === use.use);
  if (found !== undefined) return found;
  const names = definitions.map((definition) => definition.name).sort();
  const nearest = nearestName(use.use, names);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  throw new TouchstoneError(
    'extension-unknown',
    `There is no ${kind} "${use.use}".${hint} Known are ${names.join(', ')}.`,
  );
}

function describeOptionIssues(
  error: z.ZodError,
  path: readonly PropertyKey[],
  options: z.ZodType,
): ConfigIssue[] {
  const issues = describeIssues(error, optionNames(options));
  return issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
}

function optionNames(options: z.ZodType): string[] {
  const { shape } = options as { shape?: Record<string, unknown> };
  return shape === undefined ? [] : Object.keys(shape);
}
