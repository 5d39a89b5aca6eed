import { pathSteps, stepInto } from '../../lib/value-at-path.ts';
import { describeValue } from '../../lib/describe-value.ts';
import { replyAliases } from '../reply/reply-aliases.ts';
import { TargetFailure } from '../target.ts';

/** The parts of a reply that a path may point at. */
export const pickedParts = ['answer', 'toolCalls', 'documents', 'usage'] as const;

/** A part of a reply with its path, such as `choices[0].message.content` or `steps[*].tool`. */
export interface PartPath {
  readonly part: (typeof pickedParts)[number];
  readonly path: string;
}

/** The parts that paths point at, and the other parts of a reply by their known names. */
export interface PickedParts {
  readonly value: object;
  /** The paths at which there was nothing. */
  readonly missing: readonly PartPath[];
}

/** Takes a reply apart. Throws `invalid-reply` when there is nothing at the path of the answer. */
export function pickParts(value: unknown, paths: readonly PartPath[]): PickedParts {
  const picked = paths.map((at) => ({ ...at, found: follow(value, pathSteps(at.path)) }));
  const missing = picked.filter(({ found }) => found === undefined);
  const answer = missing.find(({ part }) => part === 'answer');
  if (answer !== undefined) throw nothingAt(answer.path, value);
  const replaced = new Set<string>(paths.flatMap(({ part }) => replyAliases[part]));
  const rest = Object.entries(typeof value === 'object' && value !== null ? value : {});
  const kept = rest.filter(([key]) => !replaced.has(key));
  const named = picked.map(({ part, found }): [string, unknown] => [part, found]);
  return { value: Object.fromEntries([...kept, ...named]), missing };
}

/** What the steps lead to. `*` goes into every item of a list: what is found there is one list, without the items that lack it. */
function follow(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  if (step !== '*' || !Array.isArray(value)) return follow(stepInto(value, step), rest);
  return value.flatMap((item) => follow(item, rest) ?? []);
}

/** Says how far into the reply a path leads. */
function nothingAt(path: string, value: unknown): TargetFailure {
  let reached = value;
  let steps = '';
  for (const step of pathSteps(path)) {
    const next = stepInto(reached, step);
    if (next === undefined) break;
    reached = next;
    steps += steps === '' ? step : `.${step}`;
  }
  const where = steps === '' ? 'the reply' : `\`${steps}\``;
  return new TargetFailure(
    'invalid-reply',
    `The reply has nothing at \`${path}\`, the path of the answer: ${where} is ${describeValue(reached)}.`,
  );
}
