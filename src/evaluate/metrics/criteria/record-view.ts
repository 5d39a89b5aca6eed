import { z } from 'zod';
import { didYouMean } from '../../../core/lib/text/nearest-name.ts';
import { pathSteps, stepInto } from '../../../core/lib/objects.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { MetricInput } from '../metric.ts';

/** The first steps that a path can have, and where each leads in a trial or its case. */
const roots = {
  state: ({ trial }) => trial.state,
  answer: ({ trial }) => trial.answer,
  transcript: ({ trial }) => trial.transcript,
  documents: ({ trial }) => trial.documents,
  expected: ({ case: testCase }) => testCase.expected,
  metadata: ({ case: testCase }) => testCase.metadata,
  input: ({ case: testCase }) => testCase.input,
  category: ({ case: testCase }) => testCase.category,
  tags: ({ case: testCase }) => testCase.tags,
  context: ({ case: testCase }) => testCase.context,
  case: ({ case: testCase }) => testCase,
  trial: ({ trial }) => trial,
} satisfies Record<string, (input: MetricInput) => unknown>;

type Root = keyof typeof roots;

/** Returns the value at a path such as `state.booking.time` or `expected.state`; undefined when there is none. */
export function readPath(input: MetricInput, path: string): Json | undefined {
  const [root = '', ...steps] = pathSteps(path);
  if (!isRoot(root)) return undefined;
  return steps.reduce<unknown>(stepInto, roots[root](input)) as Json | undefined;
}

/** Returns whether a path leads into the final state, which a target may not have reported. */
export function isInState(path: string): boolean {
  return pathSteps(path)[0] === 'state';
}

/** A path into a trial and its case, as an option. */
export const recordPathSchema = z
  .string()
  .min(1)
  .superRefine((path, context) => {
    const fault = findPathFault(path);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  });

function findPathFault(path: string): string | undefined {
  const [root = ''] = pathSteps(path);
  if (isRoot(root)) return undefined;
  const known = Object.keys(roots);
  return `a path begins with one of ${known.join(', ')}, not with "${root}".${didYouMean(root, known)}`;
}

function isRoot(name: string): name is Root {
  return Object.hasOwn(roots, name);
}

/** The verdict on a trial whose target reported no final state, which says nothing about what the target did. */
export const stateMissing = {
  status: 'failed',
  code: 'state-missing',
  reason: 'the target reported no final state',
} as const;
