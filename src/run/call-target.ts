import { questionOf } from '../schema/case.ts';
import type { CasedTrial } from '../schema/scored-trial.ts';
import { exchange, inputMessages, type Trial } from '../schema/trial.ts';
import type { TrialSpec } from '../schema/trial-spec.ts';
import type { Target, TargetFailure } from '../targets/target.ts';
import type { Asked } from './ask-target.ts';
import { recordedConversation } from './converse/recorded-conversation.ts';
import { openSession } from './open-session.ts';
import { failureParts, joinLogs, plannedParts, untouchedPart } from './trial-parts.ts';
import type { CallLimits } from './within-limits.ts';

/**
 * Makes one trial of a single call: asks the target, again after a passing fault, within the time limit. Never throws:
 * whatever happens becomes a record.
 */
export async function callTarget(spec: TrialSpec, target: Target, limits: CallLimits): Promise<CasedTrial> {
  const session = openSession(spec, target, limits);
  const asked = await session.ask(questionOf(spec.case), inputMessages(spec.case.input));
  const note = await session.end();
  const { startedAt, latency, retries } = asked;
  const outcome = outcomeParts(asked, spec);
  return {
    case: spec.case,
    trial: {
      ...plannedParts(spec),
      ...outcome,
      ...untouchedPart([asked]),
      startedAt,
      latency,
      retries,
      logs: joinLogs([outcome.logs, note]),
    },
  };
}

type OutcomeParts = Pick<
  Trial,
  | 'status'
  | 'error'
  | 'transcript'
  | 'answer'
  | 'documents'
  | 'state'
  | 'usage'
  | 'cost'
  | 'conversation'
  | 'recorded'
  | 'logs'
>;

function outcomeParts({ reply, failure }: Asked, { case: testCase }: TrialSpec): OutcomeParts {
  if (reply === undefined) return failedParts(failure, testCase);
  const { answer, toolCalls, documents, state, usage, cost, recorded, logs } = reply;
  const { transcript = exchange(testCase.input, answer, toolCalls) } = reply;
  const known = { transcript, answer, documents, state, usage, cost, recorded, logs };
  if (testCase.user === undefined) return { status: 'completed', ...known };
  return { status: 'completed', ...known, conversation: recordedConversation(transcript, testCase) };
}

/** A failed trial keeps what its conversation had come to: that was paid for. */
function failedParts(failure: TargetFailure, { input }: TrialSpec['case']): OutcomeParts {
  const { logs, partial: { transcript = inputMessages(input), usage, cost, recorded } = {} } = failure;
  return { ...failureParts(failure), transcript, answer: null, usage, cost, recorded, logs };
}
