import { z } from 'zod';
import { hashText } from '../../lib/content-hash.ts';
import { expectationOf } from '../../lib/schema-issues.ts';
import { describeValue, listKeys } from '../../lib/text/describe-value.ts';
import type { Case } from '../../schema/case.ts';
import { type Json, jsonSchema } from '../../schema/json.ts';
import type { Message } from '../../schema/message.ts';
import type { Verdict } from '../../schema/verdict.ts';

/** What a criterion function is told of a trial. Its parts are copies: changing them changes no record. */
export interface CriterionInput<State = Json | undefined, GroundTruth = Json | undefined> {
  /** The final state; undefined when the target reported none. */
  readonly state: State;
  /** What the case expects the state to be: its `expected.state`, or what stands at the path of the option. */
  readonly groundTruth: GroundTruth;
  /** The whole conversation, with the tool calls in it. */
  readonly transcript: Message[];
  /** The last answer; null when there was none. */
  readonly answer: string | null;
  readonly case: Case;
  /** The metric's `with` setting. */
  readonly options: Record<string, Json>;
}

/** What a criterion function says: true or false, a value from 0 to 1, one of these with more, or that it does not apply. */
export type CriterionAnswer =
  | boolean
  | number
  | {
      readonly passed?: boolean;
      /** From 0 to 1; 1 or 0 as it passed, when left out. */
      readonly value?: number;
      readonly explanation?: string;
      /** Kebab-case: a class beside the value, counted in reports. */
      readonly label?: string;
      readonly evidence?: Json;
    }
  | {
      /** Why there is nothing to say of this trial. */
      readonly notApplicable: string;
    };

/**
 * A criterion as a function of the final state, the ground truth and the conversation. What it throws leaves the trial
 * unmeasured. With types: `CriterionFunction<CalendarState, Booking>`.
 */
export type CriterionFunction<State = Json | undefined, GroundTruth = Json | undefined> = (
  input: CriterionInput<State, GroundTruth>,
) => CriterionAnswer | Promise<CriterionAnswer>;

/** A function whose types of state and ground truth only its author knows. */
export type AnyCriterionFunction = (input: CriterionInput<never, never>) => unknown;

/**
 * The same function, but in JSON it is a text with its name and a hash of its source instead of nothing: another function
 * makes another metric.
 */
export function withJsonForm(given: AnyCriterionFunction): AnyCriterionFunction {
  if ('toJSON' in given) return given;
  const source = hashText(Function.prototype.toString.call(given)).slice(0, 12);
  const text = `[function ${given.name || 'without a name'}, source ${source}]`;
  const same: AnyCriterionFunction = (input) => given(input);
  return Object.assign(same, { toJSON: () => text });
}

const valueSchema = z.number().min(0).max(1);

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

const inapplicableSchema = z.strictObject({ notApplicable: z.string().min(1) });

/** The verdict of what a criterion function returned; `failed` for what is no answer. */
export function readAnswer(answered: unknown): Verdict {
  if (typeof answered === 'boolean') return { status: 'scored', value: answered ? 1 : 0, passed: answered };
  if (typeof answered === 'number') return readDetails({ value: answered });
  if (typeof answered !== 'object' || answered === null)
    return unreadable(`it returned ${describeValue(answered)}`);
  const inapplicable = inapplicableSchema.safeParse(answered);
  if (inapplicable.success) return { status: 'not-applicable', reason: inapplicable.data.notApplicable };
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
    ...(passed !== undefined && { passed }),
    ...(label !== undefined && { label }),
    ...(explanation !== undefined && { explanation }),
    ...(evidence !== undefined && { evidence: structuredClone(evidence) }),
  };
}

function describeFault(issue: z.core.$ZodIssue, answered: object): string {
  if (issue.code === 'unrecognized_keys') return `"${listKeys(issue.keys)}" has no meaning there`;
  const [key] = issue.path;
  if (key === undefined) return issue.message;
  const expected = expectationOf(issue);
  const found = describeValue((answered as Readonly<Record<PropertyKey, unknown>>)[key]);
  return `\`${String(key)}\`: ${expected === undefined ? issue.message : `expected ${expected}, found ${found}`}`;
}

function unreadable(what: string): Verdict {
  const reason = `the function is to return true or false, a number from 0 to 1, or an object with these; ${what}`;
  return { status: 'failed', code: 'criterion-unreadable', reason };
}
