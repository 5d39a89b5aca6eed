import { z } from 'zod';
import { equalTo } from '../../../lib/filter/filter.ts';
import { formatFilter } from '../../../lib/filter/format-filter.ts';
import { quoteForShell } from '../../../lib/text/quote-for-shell.ts';
import { withoutConditions } from '../../condition.ts';
import type { Run } from '../../run.ts';
import { nonEmpty } from '../../json.ts';

/** The most questions that are asked again at once: their ids are part of a command line. */
const mostQuestions = 1000;

/** The longest list of ids, in bytes: an argument of a program has at most 128 KiB. */
const longestIds = 100_000;

/** The questions of a run to ask again. */
export const askAgainSchema = z.lazy(() =>
  z.object({
    /** The ids of the questions. */
    ids: z
      .array(nonEmpty().max(1000))
      .min(1)
      .max(mostQuestions)
      .refine(
        (ids) => new TextEncoder().encode(ids.join('|')).length <= longestIds,
        'too long for one command line: select fewer',
      ),
    /** The names of the targets to ask. */
    targets: z.array(nonEmpty()).min(1),
    /** The limit of the cost in US dollars. */
    maxCost: z.number().positive().optional(),
  }),
);

/** The plan of asking questions again. */
export const askAgainPlanSchema = z.object({
  /** The command line that does the same. */
  command: z.string(),
  /** The questions, targets, calls and costs, in the words of `--dry-run`. */
  text: z.string(),
});
export type AskAgainPlan = z.infer<typeof askAgainPlanSchema>;

/** A run whose questions are asked again, and the folder of its store, as `--store` takes it. */
interface AskedRun {
  readonly run: Pick<Run, 'targets' | 'command'>;
  readonly storeFolder?: string;
}

/** Questions of a run that are asked again: their ids, the names of the targets to ask, and the limit of the cost in US dollars. */
export interface AskedAgain {
  readonly ids: readonly string[];
  readonly targets: readonly string[];
  readonly maxCost?: number;
}

/**
 * Returns the arguments of the command line that asks questions of a run again, in the same way. Nothing that names the run itself
 * or its files is part of them. A target under a condition is asked with the target that it is compared with.
 */
export function askAgainArguments(
  { run, storeFolder }: AskedRun,
  { ids, targets, maxCost }: AskedAgain,
): string[] {
  const plain = withoutConditions(run.targets);
  const asked = plain.filter(({ name }) =>
    run.targets.some(
      (target) => targets.includes(target.name) && (target.condition?.of ?? target.name) === name,
    ),
  );
  return [
    ...(run.command ?? ['run']),
    ...(asked.length < plain.length ? ['--target', ...asked.map(({ name }) => name)] : []),
    '--filter',
    formatFilter([equalTo('id', ids)]),
    ...(maxCost === undefined ? [] : ['--max-cost', String(maxCost)]),
    ...(storeFolder === undefined ? [] : ['--store', storeFolder]),
  ];
}

/** Returns the command line that asks questions of a run again, to be pasted into a shell. */
export function askAgainCommand(input: AskedRun, asked: AskedAgain): string {
  return ['touchstone', ...askAgainArguments(input, asked)].map((word) => quoteForShell(word)).join(' ');
}
