import type { CallMode } from '../../src/core/schema/expected-calls.ts';
import type { Expected } from '../../src/core/schema/expected.ts';
import type { Json } from '../../src/core/schema/json.ts';
import { valueAtPath } from '../../src/core/lib/objects.ts';

/** A message of a trajectory, in OpenAI's form. */
export interface TrajectoryMessage {
  readonly role: string;
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** A trajectory that agentevals compares with a reference. */
export interface TrajectoryCase {
  readonly mode: Exclude<CallMode, 'in-order'>;
  readonly tool_args_match_mode: ArgumentMode;
  readonly tool_args_match_overrides: Readonly<Record<string, Override>> | null;
  readonly reference_outputs: readonly TrajectoryMessage[];
}

type ArgumentMode = 'exact' | 'ignore' | 'subset' | 'superset';

/** The comparison of one tool's arguments: another mode, the paths to compare, or the source of a function. */
type Override = ArgumentMode | readonly string[] | { readonly callable_source: string };

type Arguments = Readonly<Record<string, Json>>;

/** Converts a trajectory case to Touchstone's expected calls. */
export function trajectoryCalls({ mode, reference_outputs, ...rest }: TrajectoryCase): Expected['calls'] {
  const messages = reference_outputs.map(({ tool_calls = [] }) =>
    tool_calls.map(({ function: { name, arguments: text } }) => ({
      name,
      ...expectArguments(
        JSON.parse(text) as Arguments,
        rest.tool_args_match_overrides?.[name] ?? rest.tool_args_match_mode,
      ),
    })),
  );
  const asked = messages.filter((calls) => calls.length > 0);
  // The strict mode of agentevals compares message by message, the calls of a message in any order.
  return { mode, expect: mode === 'strict' ? asked.map((together) => ({ together })) : asked.flat() };
}

function expectArguments(reference: Arguments, override: Override) {
  if (override === 'ignore') return {};
  if (override === 'exact') return { arguments: reference };
  if (typeof override === 'string') return { arguments: exactMembers(reference), match: override };
  if (!('callable_source' in override)) {
    return { arguments: membersAt(reference, override), match: 'superset' as const };
  }
  const members = membersFor(override.callable_source, reference);
  return members === undefined ? {} : { arguments: members, match: 'superset' as const };
}

/**
 * Requires the exact members: subset and superset in agentevals compare the arguments themselves, not their contents.
 */
function exactMembers(reference: Arguments): Arguments {
  return Object.fromEntries(Object.entries(reference).map(([key, value]) => [key, { $exact: value }]));
}

/** Returns the values at paths such as `time.start`; in agentevals null and a missing value are the same. */
function membersAt(reference: Arguments, paths: readonly string[]): Arguments {
  const members: Record<string, Json> = {};
  for (const path of paths) {
    const steps = path.split('.');
    const value = (valueAtPath(reference, path) ?? null) as Json;
    let parent = members;
    for (const step of steps.slice(0, -1)) parent = (parent[step] ??= {}) as Record<string, Json>;
    parent[steps.at(-1) ?? ''] = value === null ? { $oneOf: [null, { $absent: true }] } : { $exact: value };
  }
  return members;
}

/** Returns the members that the two functions in the tests of agentevals compare. */
function membersFor(source: string, reference: Arguments): Arguments | undefined {
  if (source.includes('"San Francisco"')) return { city: { $oneOf: ['SF', 'San Francisco'] } };
  const query = reference['query'];
  return typeof query === 'string' && query.includes('upgrade')
    ? { query: { $regex: 'upgrade' } }
    : undefined;
}
