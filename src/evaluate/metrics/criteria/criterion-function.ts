import { z } from 'zod';
import { copyJson } from '../../../core/lib/json/copy-json.ts';
import { describeExpectation } from '../../../core/lib/schema-issues.ts';
import { describeValue, listKeys } from '../../../core/lib/text/describe-value.ts';
import type { Case } from '../../../core/schema/case.ts';
import { type Json, jsonSchema, nonEmpty, share } from '../../../core/schema/json.ts';
import type { Message } from '../../../core/schema/message.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { notApplicable } from '../verdicts.ts';

/**
 * The parts of a trial and its case that a criterion function receives. They are copies: changing them changes no
 * record.
 */
export interface CriterionInput<State = Json | undefined, GroundTruth = Json | undefined> {
  /** The final state; undefined when the target reported none. */
  readonly state: State;
  /** The state that the case expects: its `expected.state`, or the value at the path of the option `groundTruth`. */
  readonly groundTruth: GroundTruth;
  /** The whole conversation, including its tool calls. */
  readonly transcript: Message[];
  /** The last answer; null when there was none. */
  readonly answer: string | null;
  readonly case: Case;
  /** The setting `with` of the metric. */
  readonly options: Record<string, Json>;
}

/**
 * The result of a criterion function: true or false, a value from 0 to 1, an object with one of these and details, or
 * the statement that the criterion does not apply.
 */
export type CriterionAnswer =
  | boolean
  | number
  | {
      readonly passed?: boolean;
      /** From 0 to 1. When absent: 1 if `passed`, else 0. */
      readonly value?: number;
      readonly explanation?: string;
      /** A class besides the value, in kebab-case; reports count it. */
      readonly label?: string;
      readonly evidence?: Json;
    }
  | {
      /** The reason why the criterion does not apply to this trial. */
      readonly notApplicable: string;
    };

/**
 * A criterion as a function of the final state, the ground truth and the conversation. An error that it throws leaves
 * the trial unmeasured. With types: `CriterionFunction<CalendarState, Booking>`.
 */
export type CriterionFunction<State = Json | undefined, GroundTruth = Json | undefined> = (
  input: CriterionInput<State, GroundTruth>,
) => CriterionAnswer | Promise<CriterionAnswer>;

/** A criterion function whose types of state and ground truth only its author knows. */
export type AnyCriterionFunction = (input: CriterionInput<never, never>) => unknown;

const valueSchema = share();

const detailsSchema = z.lazy(() =>
  z
    .strictObject({
      passed: z.boolean().optional(),
      value: valueSchema.optional(),
      explanation: z.string().optional(),
      label: z
        .string()
        .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'a label is kebab-case, such as `gave-up`')
        .optional(),
      evidence: jsonSchema.optional(),
    })
    .refine(({ passed, value }) => passed !== undefined || value !== undefined, 'needs `passed` or `value`'),
);

const inapplicableSchema = z.strictObject({ notApplicable: nonEmpty() });

/** Converts the result of a criterion function to a verdict; `failed` when it cannot be read. */
export function readAnswer(answered: unknown): Verdict {
  if (typeof answered === 'boolean') return { status: 'scored', value: answered ? 1 : 0, passed: answered };
  if (typeof answered === 'number') return readDetails({ value: answered });
  if (typeof answered !== 'object' || answered === null)
    return unreadable(`it returned ${describeValue(answered)}`);
  const inapplicable = inapplicableSchema.safeParse(answered);
  if (inapplicable.success) return notApplicable(inapplicable.data.notApplicable);
  return readDetails(answered);
}

function readDetails(answered: object): Verdict {
  const parsed = detailsSchema.safeParse(answered);
  if (!parsed.success) {
    const faults = parsed.error.issues.slice(0, 1).map((issue) => describeFault(issue, answered));
    return unreadable(`it returned ${describeValue(answered)}: ${faults.join('')}`);
  }
  const { passed, value = Number(passed), explanation, label, evidence } = parsed.data;
  return {
    status: 'scored',
    value,
    passed,
    label,
    explanation,
    ...(evidence !== undefined && { evidence: copyJson(evidence) }),
  };
}

function describeFault(issue: z.core.$ZodIssue, answered: object): string {
  if (issue.code === 'unrecognized_keys') return `"${listKeys(issue.keys)}" has no meaning there`;
  const [key] = issue.path;
  if (key === undefined) return issue.message;
  const expected = describeExpectation(issue);
  const found = describeValue((answered as Readonly<Record<PropertyKey, unknown>>)[key]);
  return `\`${String(key)}\`: ${expected === undefined ? issue.message : `expected ${expected}, found ${found}`}`;
}

function unreadable(what: string): Verdict {
  const reason = `the function must return true or false, a number from 0 to 1, or an object with one of these; ${what}`;
  return { status: 'failed', code: 'criterion-unreadable', reason };
}
