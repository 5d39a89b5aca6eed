import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type RequestStateCodec,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { hashContent } from '../../core/lib/content-hash.ts';
import { randomId } from '../../core/lib/random-id.ts';
import { formatMoney } from '../../look/report/format.ts';
import { OwnError } from './errors.ts';
import type { ToolCall } from './tool.ts';

/** The state of a question to a person, which the client brings back with the answer: the call that it is about, and its own id. */
const askedSchema = z.object({ call: z.string(), question: z.string() });
type Asked = z.infer<typeof askedSchema>;

/** The time within which a person has to answer, in seconds. */
const answerWithinSeconds = 600;

/** Creates the codec that signs the state of a question, so that an answer counts for the call that it was asked for and no other. */
export function createStateCodec(key: Uint8Array): RequestStateCodec<Asked> {
  return createRequestStateCodec<Asked>({ key, ttlSeconds: answerWithinSeconds });
}

/** The spending that needs a person. */
export interface Spending {
  /** The input of the call that wants to spend. */
  readonly input: unknown;
  /** The question to the person, without the price. */
  readonly question: string;
  /** The command by which a person does the same. */
  readonly byHand: string;
  /** The most that is spent, in US dollars. */
  readonly maxCost: number;
  /** The most that an agent may spend on a run without asking. */
  readonly allowed: number;
  /** The planned price in US dollars; null where no price is known. */
  readonly planned: number | null;
  /** True when a part of the price is not known. */
  readonly isUnpriced: boolean;
}

const answerSchema = z.object({ confirm: z.boolean() });

/**
 * Has a person agree to the spending: returns the question for the client, or undefined once they have agreed to this very call. Throws
 * `cost-over-limit` where the client cannot ask, and where they do not agree.
 */
export async function askPrice(
  spending: Spending,
  { project, context, capabilities }: ToolCall,
): Promise<InputRequiredResult | undefined> {
  if (capabilities()?.elicitation === undefined) throw overLimit(spending);
  const call = hashContent(spending.input);
  const state = askedSchema.safeParse(context.mcpReq.requestState());
  const { inputResponses } = context.mcpReq;
  if (state.success && state.data.call === call && !project.answered.has(state.data.question)) {
    // An answer is good for one start.
    project.answered.add(state.data.question);
    if (acceptedContent(inputResponses, 'spend', answerSchema)?.confirm === true) return undefined;
    if (inputResponse(inputResponses, 'spend').kind !== 'missing')
      throw new OwnError(
        'cost-over-limit',
        'The person has not agreed to this spending.',
        'Plan a smaller run, or ask them what to do.',
      );
  }
  const codec = createStateCodec(project.stateKey);
  return inputRequired({
    inputRequests: {
      spend: inputRequired.elicit({ message: questionOf(spending), requestedSchema: answerSchema }),
    },
    requestState: await codec.mint({ call, question: randomId() }, context),
  });
}

function questionOf({ question, planned, isUnpriced }: Spending): string {
  const price = isUnpriced
    ? ' Not all prices are known.'
    : planned === null
      ? ''
      : ` About ${formatMoney(planned)} is planned.`;
  return `${question}${price}`;
}

function overLimit({ maxCost, allowed, planned, isUnpriced, byHand }: Spending): OwnError {
  const price =
    isUnpriced || planned === null ? 'The price is not known' : `Planned are ${formatMoney(planned)}`;
  return new OwnError(
    'cost-over-limit',
    `${price}, up to ${formatMoney(maxCost)} are asked for, and an agent may spend ${formatMoney(allowed)} on a run without asking.`,
    `A person can run it: \`${byHand}\`; or set agents.maxCost${isUnpriced ? ', and agents.unpriced: allow for what costs nothing,' : ''} in the config.`,
  );
}
