import type { CallMode, ExpectedCalls } from '../../src/schema/expected-calls.ts';
import type { Json } from '../../src/schema/json.ts';
import { valueAtPath } from '../../src/lib/objects.ts';

/** A message of a trajectory, as OpenAI writes it. */
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

/** For one tool: another mode, the paths to compare, or a function, of which we have the source. */
type Override = ArgumentMode | readonly string[] | { readonly callable_source: string };

type Arguments = Readonly<Record<string, Json>>;

/** The same expectation in our language. */
export function trajectoryCalls({ mode, reference_outputs, ...rest }: TrajectoryCase): ExpectedCalls {
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
  // Its strict mode compares message by message, the calls of a message in any order.
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

/** Its subset and superset look at the arguments themselves, not into them. */
function exactMembers(reference: Arguments): Arguments {
  return Object.fromEntries(Object.entries(reference).map(([key, value]) => [key, { $exact: value }]));
}

/** The values at paths such as `time.start`; for it, null and nothing are the same. */
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

/** What the two functions in its tests ask for. */
function membersFor(source: string, reference: Arguments): Arguments | undefined {
  if (source.includes('"San Francisco"')) return { city: { $oneOf: ['SF', 'San Francisco'] } };
  const query = reference['query'];
  return typeof query === 'string' && query.includes('upgrade')
    ? { query: { $regex: 'upgrade' } }
    : undefined;
}
