import { TouchstoneError } from '../../core/errors.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import {
  type Definition,
  isReservedName,
  type NamedUse,
  rememberedDefinition,
} from '../../core/lib/define.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { checkOnce } from '../../core/lib/schema-issues.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import type { RateLimiter } from '../../evaluate/models/account/rate-limiter.ts';
import type { Case } from '../../core/schema/case.ts';
import type { Dataset } from '../../evaluate/datasets/dataset.ts';
import type { TargetNeeds } from '../../evaluate/targets/target.ts';
import { ConfigProblem, describeIssues, describeUnknown, knownSettings } from './config-problem.ts';

// Every extension has its own type of options. Its schema checks them before `create` gets them.
type AnyDefinition<Kind extends string, Instance, Needs> = Definition<Kind, never, Instance, Needs>;

/** The extensions of one kind that a config can name. */
export interface Registry<Kind extends string, Instance, Needs> {
  readonly kind: Kind;
  readonly definitions: readonly AnyDefinition<Kind, Instance, Needs>[];
  /** The names of models, where a model may stand in place of the kind. */
  readonly models?: readonly string[];
}

/**
 * Creates a registry from the exports of a registry file.
 * @param models - The names of models, where a model may stand in place of the kind.
 */
export function createRegistry<Kind extends string, Instance, Needs>(
  kind: Kind,
  exports: Readonly<Record<string, { readonly definition: unknown }>>,
  models?: readonly string[],
): Registry<Kind, Instance, Needs> {
  const definitions = Object.values(exports).map(({ definition }) => definition);
  return { kind, definitions: definitions as AnyDefinition<Kind, Instance, Needs>[], models };
}

/** An extension that was looked up, checked and created. */
export interface ResolvedUse<Instance> {
  readonly name: string;
  readonly use: NamedUse;
  readonly version: number;
  /** A hash of the extension's name, its version and its options. */
  readonly fingerprint: string;
  readonly definition: object;
  /** The options as parsed by the schema of the extension. */
  readonly options: unknown;
  readonly instance: Instance;
}

/** An extension that was looked up and whose options were checked. */
interface ParsedUse<Kind extends string, Instance, Needs> {
  readonly name: string;
  readonly use: NamedUse;
  readonly definition: AnyDefinition<Kind, Instance, Needs>;
  /** The options as parsed by the schema of the extension, which only its `create` knows. */
  readonly options: never;
}

/** Looks up the extension that a `use` names and checks its options. Throws `ConfigProblem`. */
export function parseUse<Kind extends string, Instance, Needs>(
  written: NamedUse | string,
  path: readonly PropertyKey[],
  registry: Registry<Kind, Instance, Needs>,
): ParsedUse<Kind, Instance, Needs> {
  const use: NamedUse = typeof written === 'string' ? { use: written } : written;
  const definition = findDefinition(use, path, registry);
  const { use: _use, name = definition.name, ...options } = use;
  if (isReservedName(name)) {
    const message = `"${name}" cannot be used as a name: every JavaScript object has a property of that name`;
    throw new ConfigProblem([{ path: [...path, 'name'], message }]);
  }
  const parsed = definition.options.safeParse(options, checkOnce);
  if (parsed.success) return { name, use, definition, options: parsed.data };
  const issues = describeIssues(parsed.error, options, definition.options).map((issue) => {
    // Beside its options, a use may have a name of its own.
    const known =
      issue.isName === true && issue.path.length === 1 ? knownSettings(definition.options, []) : [];
    const message =
      known.length === 0 ? issue.message : describeUnknown(String(issue.path[0]), ['name', ...known]);
    return { ...issue, message, path: [...path, ...issue.path] };
  });
  throw new ConfigProblem(issues);
}

/** Looks up the extension that a `use` names, checks its options and creates it. Throws `ConfigProblem`. */
export function resolveUse<Kind extends string, Instance, Needs>(
  written: NamedUse | string,
  path: readonly PropertyKey[],
  registry: Registry<Kind, Instance, Needs>,
  needs: Needs,
): ResolvedUse<Instance> {
  const { name, use, definition, options } = parseUse(written, path, registry);
  const identity = {
    use: definition.name,
    version: definition.version,
    options: parseJson(JSON.stringify(options)),
  };
  return {
    name,
    use: parseJson(JSON.stringify(use)),
    version: definition.version,
    fingerprint: hashContent(identity),
    definition,
    options,
    instance: atSetting(path, () => definition.create(options, needs)),
  };
}

/** The most names that an error lists; where there are more, a command finds one. */
const mostListed = 20;

/** Returns the definition that a `use` names. Throws `ConfigProblem` when there is none of this kind. */
export function findDefinition<Kind extends string, Instance, Needs>(
  use: NamedUse,
  path: readonly PropertyKey[],
  { kind, definitions, models = [] }: Registry<Kind, Instance, Needs>,
): AnyDefinition<Kind, Instance, Needs> {
  const remembered = rememberedDefinition(use) as AnyDefinition<Kind, Instance, Needs> | undefined;
  if (remembered?.kind === kind) return remembered;
  if (remembered !== undefined) {
    throw new ConfigProblem([{ path, message: `"${use.use}" is a ${remembered.kind}, not a ${kind}` }]);
  }
  const found = definitions.find((definition) => definition.name === use.use);
  if (found !== undefined) return found;
  const names = definitions.map((definition) => definition.name).sort();
  const list =
    names.length > mostListed
      ? `Find one by what it is for: \`touchstone ${kind}s WORD\`.`
      : `Known are ${names.join(', ')}${models.length === 0 ? '' : `; and models: ${models.join(', ')}`}.`;
  const hint = models.includes(use.use)
    ? ` It is a model, written as \`{ use: ${use.use}, model: … }\`.`
    : didYouMean(use.use, [...names, ...models]) || ` ${list}`;
  const message = `there is no ${kind} "${use.use}".${hint}`;
  const remedy = listed.has(kind)
    ? `Find one by what it is for, \`touchstone ${kind}s WORD\`, or import your own into a TypeScript or JavaScript config.`
    : undefined;
  throw new ConfigProblem([{ path, message }], { code: 'extension-unknown', remedy });
}

/** The kinds that a command lists: `touchstone metrics`. */
const listed: ReadonlySet<string> = new Set(['metric', 'target', 'model', 'judge', 'scorecard', 'user']);

function atSetting<Result>(path: readonly PropertyKey[], work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw withSetting(error, path);
  }
}

/** Adds the path of the setting to an error that an extension threw. Returns other errors unchanged. */
export function withSetting(error: unknown, path: readonly PropertyKey[]): unknown {
  if (!(error instanceof TouchstoneError)) return error;
  const { code, message, remedy } = error;
  return new ConfigProblem([{ path, message }], { code, remedy, cause: error });
}

/** The context in which a config is resolved: its folder, the environment, and the choices of the caller. */
export interface ResolveNeeds {
  /** The folder of the config file, from which relative paths start. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The names of the targets to keep; all by default. */
  readonly targetNames?: readonly string[];
  readonly selects?: (testCase: Case) => boolean;
  readonly limit?: number;
  /** Holds the limits of accounts; the one of this process by default. */
  readonly rateLimiter?: RateLimiter;
  /** Questions and answers that are not in files, in place of those that the config names. */
  readonly recording?: Recording;
}

/** Recorded answers that are not in a file, with their questions. */
export interface Recording {
  readonly dataset: Dataset;
  /** Yields the rows that `replay` targets read. */
  readRows(): ReturnType<TargetNeeds['readRows']>;
}
