import { hashText } from '../../../lib/content-hash.ts';
import type { Case } from '../../../schema/case.ts';
import type { Json } from '../../../schema/json.ts';
import type { Message } from '../../../schema/message.ts';

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
