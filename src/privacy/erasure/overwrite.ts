import { isContainer } from '../../core/lib/json/is-container.ts';
import type { BatchRequest } from '../../core/schema/batches/batch.ts';
import type { Case } from '../../core/schema/case.ts';
import { erasureMark, isErasureMark } from '../../core/schema/erasure/erasure.ts';
import type { Feedback } from '../../core/schema/feedback/feedback.ts';
import type { Judgement } from '../../core/schema/judgement.ts';
import type { Message, ToolCall } from '../../core/schema/message.ts';
import type { ProposalDecision } from '../../core/schema/proposal/decision.ts';
import type { Proposal } from '../../core/schema/proposal/proposal.ts';
import type { Result } from '../../core/schema/result.ts';
import type { Grouping } from '../../core/schema/modes/grouping.ts';
import type { Mark } from '../../core/schema/modes/mark.ts';
import type { Label } from '../../core/schema/review/label.ts';
import type { Trial } from '../../core/schema/trial.ts';
import type { Verdict } from '../../core/schema/verdict.ts';

/** Returns the mark in place of a text or another value. One that was erased before keeps its day. */
function overwrite(value: unknown, day: string): string {
  return typeof value === 'string' && isErasureMark(value) ? value : erasureMark(day);
}

/** Returns an object with marks in place of the values of the named members that it has. */
function without<Each extends object>(record: Each, names: readonly (keyof Each)[], day: string): Each {
  const marks = names
    .filter((name) => record[name] !== undefined && record[name] !== null)
    .map((name) => [name, overwrite(record[name], day)]);
  return { ...record, ...Object.fromEntries(marks) };
}

/** Overwrites all texts of a case. Its names stay (id, category, tags, cluster), and so does its pass mark. */
export function overwriteCase(testCase: Case, day: string): Case {
  const { input, expected, user, context } = testCase;
  const { passMark } = expected;
  return {
    ...testCase,
    input:
      typeof input === 'string'
        ? overwrite(input, day)
        : input.map((message) => overwriteMessage(message, day)),
    expected: passMark === undefined ? {} : { passMark },
    ...(user !== undefined && { user: overwriteUser(user, day) }),
    ...(context !== undefined && { context: overwrite(context, day) }),
    metadata: {},
  };
}

function overwriteUser(user: NonNullable<Case['user']>, day: string): NonNullable<Case['user']> {
  const { script, turnLimit, opens } = user;
  // A turn of a script stays, since conversations name it by its number.
  if (script !== undefined) return { script: script.map(({ say }) => ({ say: overwrite(say, day) })) };
  return {
    goal: overwrite(user.goal, day),
    turnLimit,
    opens,
  };
}

/** Overwrites the texts of a message, and the arguments and results of its tool calls. The names of tools stay. */
function overwriteMessage(message: Message, day: string): Message {
  // What a picture shows cannot be searched: it goes with the texts.
  const { toolCalls, attachments: _files, ...texts } = message;
  return {
    ...without(texts, ['content', 'reasoning', 'name'], day),
    ...(toolCalls !== undefined && { toolCalls: toolCalls.map((call) => overwriteCall(call, day)) }),
  };
}

function overwriteCall(call: ToolCall, day: string): ToolCall {
  return without(call, ['arguments', 'result', 'error', 'withheld'], day);
}

/** A trial as a store keeps it: a transcript that follows from its case is not stored, except for the tool calls in it. */
type KeptTrial = Omit<Trial, 'transcript'> & {
  readonly transcript?: Message[];
  readonly toolCalls?: ToolCall[];
};

/** Overwrites everything that was said in a trial, and marks it as erased. Its numbers stay. */
export function overwriteTrial(trial: KeptTrial, day: string): KeptTrial {
  const { transcript, toolCalls, documents, error, conversation, recorded, spoilt, ...rest } = trial;
  return {
    ...without(rest, ['answer', 'state', 'logs'], day),
    ...(transcript !== undefined && {
      transcript: transcript.map((message) => overwriteMessage(message, day)),
    }),
    ...(toolCalls !== undefined && { toolCalls: toolCalls.map((call) => overwriteCall(call, day)) }),
    ...(documents !== undefined && { documents: documents.map((found) => without(found, ['text'], day)) }),
    ...(error !== undefined && { error: without(error, ['message'], day) }),
    ...(conversation !== undefined && { conversation: overwriteConversation(conversation, day) }),
    ...(recorded !== undefined && { recorded: {} }),
    ...(spoilt !== undefined && { spoilt: without(spoilt, ['reason'], day) }),
    erased: trial.erased ?? day,
  };
}

type Conversation = NonNullable<Trial['conversation']>;

function overwriteConversation(conversation: Conversation, day: string): Conversation {
  const { turns, user } = conversation;
  return {
    ...conversation,
    turns: turns.map((turn) => without(turn, ['state'], day)),
    ...(user !== undefined && {
      user: {
        ...without(user, ['system'], day),
        calls: user.calls.map(({ error, ...call }) => ({
          ...without(call, ['reply', 'reasoning'], day),
          ...(error !== undefined && { error: without(error, ['message'], day) }),
        })),
      },
    }),
  };
}

/** Overwrites the reasons of verdicts. Values, marks and the names of labels stay. */
export function overwriteScores(
  { verdicts, scorecard }: Pick<Result, 'verdicts' | 'scorecard'>,
  day: string,
): Pick<Result, 'verdicts' | 'scorecard'> {
  const entries = Object.entries(verdicts).map(([name, verdict]) => [name, overwriteVerdict(verdict, day)]);
  return {
    verdicts: Object.fromEntries(entries),
    scorecard: scorecard === null ? null : without(scorecard, ['explanation'], day),
  };
}

function overwriteVerdict(verdict: Verdict, day: string): Verdict {
  if (verdict.status === 'scored') return without(verdict, ['explanation', 'evidence'], day);
  if (verdict.status === 'failed') return without(verdict, ['reason', 'evidence'], day);
  return without(verdict, ['reason'], day);
}

/** Overwrites the prompts, replies and reasons of a judgement. What was decided stays. */
export function overwriteJudgement(judgement: Judgement, day: string): Judgement {
  const { outcome, calls } = judgement;
  return {
    ...judgement,
    outcome:
      outcome.status === 'answered'
        ? { ...outcome, answer: overwriteAnswer(outcome.answer, day) as typeof outcome.answer }
        : without(outcome, ['reason'], day),
    calls: calls.map(({ prompt, attempts, error, ...call }) => ({
      ...without(call, ['reply', 'reasoning'], day),
      prompt: prompt.map(({ attachments: _files, ...message }) => without(message, ['content'], day)),
      attempts: attempts.map(({ error: fault, ...attempt }) => ({
        ...attempt,
        ...(fault !== undefined && { error: without(fault, ['message'], day) }),
      })),
      ...(error !== undefined && { error: without(error, ['message'], day) }),
    })),
  };
}

/** Overwrites the prompt of a question that waits for a batch, and its reply. It goes into no batch any more. */
export function overwriteRequest(
  { result: _gone, prompt, ...request }: BatchRequest,
  day: string,
): BatchRequest {
  if (prompt === undefined) return request;
  const { messages, ...sent } = prompt.request;
  const overwritten = messages.map((message) => overwriteMessage(message, day));
  return { ...request, state: 'ask', prompt: { ...prompt, request: { ...sent, messages: overwritten } } };
}

/** The members of the answers of judges that are decisions, not texts. */
const decided: ReadonlySet<string> = new Set(['verdict', 'label', 'better']);

function overwriteAnswer(answer: unknown, day: string, name = ''): unknown {
  if (typeof answer === 'string') return decided.has(name) ? answer : overwrite(answer, day);
  if (Array.isArray(answer)) return answer.map((each) => overwriteAnswer(each, day));
  if (!isContainer(answer)) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [key, overwriteAnswer(value, day, key)]),
  );
}

/** Overwrites what a person wrote next to a label, and the quoted parts of the answer. */
export function overwriteLabel(label: Label, day: string, isFreeText: boolean): Label {
  const { outcome, spans } = label;
  return {
    ...without(label, ['note'], day),
    ...(spans !== undefined && { spans: spans.map((span) => without(span, ['text'], day)) }),
    outcome:
      isFreeText && outcome.status === 'answered'
        ? { ...outcome, value: overwrite(outcome.value, day) }
        : outcome,
  };
}

/** Overwrites the words of an answer that a mark quotes. */
export function overwriteMark(mark: Mark, day: string): Mark {
  const { spans } = mark;
  return spans === undefined ? mark : { ...mark, spans: spans.map((span) => without(span, ['text'], day)) };
}

/** Overwrites the names and definitions of suggested groups, which are made of the words of notes. The groups stay. */
export function overwriteGrouping(grouping: Grouping, day: string): Grouping {
  return {
    ...grouping,
    groups: grouping.groups.map((group) => without(group, ['name', 'definition'], day)),
  };
}

/** Overwrites the text of a feedback, and takes its user away. */
export function overwriteFeedback({ user: _who, ...feedback }: Feedback, day: string): Feedback {
  return without(feedback, ['text'], day);
}

/** Overwrites the case of a proposal, what it expects and why. */
export function overwriteProposal(proposal: Proposal, day: string): Proposal {
  return {
    ...proposal,
    case: overwriteProposed(proposal.case, day),
    expectations: [],
    picked: proposal.picked.map((pick) => without(pick, ['why'], day)),
    checks: proposal.checks.map((check) => without(check, ['reason'], day)),
  };
}

/** Overwrites the case of a decision and its note. */
export function overwriteDecision(decision: ProposalDecision, day: string): ProposalDecision {
  const { outcome } = decision;
  return {
    ...without(decision, ['note'], day),
    outcome:
      outcome.status === 'approved'
        ? { ...outcome, case: overwriteProposed(outcome.case, day), expectations: [] }
        : outcome,
  };
}

function overwriteProposed(proposed: Proposal['case'], day: string): Proposal['case'] {
  const {
    expected: _none,
    id: _any,
    ...overwritten
  } = overwriteCase({ id: '', ...proposed, expected: {} }, day);
  return { id: proposed.id, ...overwritten };
}
