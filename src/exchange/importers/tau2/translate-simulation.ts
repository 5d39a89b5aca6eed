import type { Message } from '../../../core/schema/message.ts';
import { lastAnswer, translateChat } from '../chat-messages.ts';
import type { FoundScore, FoundTrial } from '../collect-trials.ts';
import type { JsonObject } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { sumOf } from '../records/payload.ts';
import { asNumber, asObject, asText, asTime, type Fields, jsonObject, objectsIn } from '../values.ts';

/** The parts that a simulation is joined with. */
interface SimulationContext {
  readonly testCase: JsonObject | undefined;
  readonly target: string;
  readonly ledger: Ledger;
}

/** The ends of a simulation in which nothing was answered: a fault of the machinery, which is no fault of the agent. */
const faults = new Set(['infrastructure_error', 'unexpected_error']);

/** Translates a simulation: a conversation with its reward, which counts from 0 to 1, and 1 passes. */
export function translateSimulation(
  simulation: Fields,
  { testCase, target, ledger }: SimulationContext,
): FoundTrial {
  const id = String(simulation.task_id);
  const reason = asText(simulation.termination_reason) ?? 'unknown';
  const transcript = readMessages(simulation, ledger);
  const isFault = faults.has(reason);
  ledger.take(isFault ? 'simulation that broke down' : 'simulation', isFault ? 'error' : 'answer');
  const order = asNumber(simulation.trial);
  return {
    caseKey: id,
    name: id,
    testCase: testCase ?? { input: firstQuestion(transcript) },
    target,
    order,
    row: jsonObject({
      ...(isFault ? { error: reason } : { answer: lastAnswer(transcript) ?? '' }),
      transcript,
      cost: asNumber(simulation.agent_cost),
      usage: usageOf(simulation),
      startedAt: asTime(simulation.start_time ?? simulation.timestamp),
      source: {
        id: simulation.id,
        trial: simulation.trial,
        seed: simulation.seed,
        endedBy: reason,
        seconds: simulation.duration,
      },
    }),
    ...(!isFault && { scores: scoresOf(asObject(simulation.reward_info)) }),
  };
}

function firstQuestion(transcript: readonly Message[]): string {
  return transcript.find(({ role }) => role === 'user')?.content ?? '(the question was not recorded)';
}

/** Returns the conversation between the user and the agent. The tools of the user are not a part of it. */
function readMessages({ messages }: Fields, ledger: Ledger): Message[] {
  const all = objectsIn(messages).flatMap((message) =>
    Array.isArray(message.tool_messages) ? objectsIn(message.tool_messages) : [message],
  );
  const failed = new Set<string>();
  const given = all.flatMap((message): Fields[] => {
    const isOfUser = message.role === 'tool' ? message.requestor === 'user' : message.role === 'user';
    if (isOfUser && (message.role === 'tool' || hasCalls(message))) {
      ledger.leaveOut('tool of the user', {
        note: 'What the user does with tools of their own is no part of an answer.',
      });
      if (asText(message.content) === undefined || message.role === 'tool') return [];
      return [{ role: message.role, content: message.content }];
    }
    if (message.role !== 'tool') return [message];
    if (message.error === true) failed.add(String(message.id));
    return [{ role: 'tool', content: message.content, tool_call_id: message.id }];
  });
  const transcript = translateChat(given);
  for (const call of transcript.flatMap(({ toolCalls = [] }) => toolCalls)) {
    ledger.take('tool call', 'tool call');
    if (!failed.has(String(call.id)) || typeof call.result !== 'string') continue;
    call.error = call.result;
    delete call.result;
  }
  return transcript;
}

function hasCalls({ tool_calls: calls }: Fields): boolean {
  return Array.isArray(calls) && calls.length > 0;
}

/** Returns the tokens of the agent; the tokens of the user are not counted. */
function usageOf({ messages }: Fields): Fields | undefined {
  const usages = objectsIn(messages)
    .filter(({ role }) => role === 'assistant')
    .map(({ usage }) => asObject(usage) ?? {});
  const usage = jsonObject({
    inputTokens: sumOf(usages.map((each) => asNumber(each.prompt_tokens))),
    outputTokens: sumOf(usages.map((each) => asNumber(each.completion_tokens))),
  });
  return Object.keys(usage).length === 0 ? undefined : usage;
}

/** A reward counts as 1 within this distance, as in τ²-bench. */
const tolerance = 1e-6;

function scoresOf(info: Fields | undefined): FoundScore[] {
  const reward = asNumber(info?.reward);
  if (info === undefined || reward === undefined) {
    const reason = 'the simulation was not evaluated';
    return [{ name: 'reward', failure: { code: 'not-scored', reason } }];
  }
  const breakdown = Object.entries(asObject(info.reward_breakdown) ?? {}).flatMap(
    ([name, value]): FoundScore[] => [
      { name: `reward.${name.toLowerCase()}`, value, passed: Number(value) >= 1 - tolerance },
    ],
  );
  const reasons = [...objectsIn(info.nl_assertions), ...objectsIn(info.communicate_checks)]
    .filter(({ met }) => met === false)
    .map(({ nl_assertion: assertion, info: informed, justification }) =>
      [asText(assertion) ?? asText(informed), asText(justification)]
        .filter((text) => text !== undefined)
        .join(': '),
    );
  const evidence = jsonObject({
    basis: info.reward_basis,
    database: info.db_check,
    actions: info.action_checks,
    environment: info.env_assertions,
  });
  return [
    {
      name: 'reward',
      value: reward,
      passed: reward >= 1 - tolerance,
      ...(reasons.length > 0 && { explanation: reasons.join('; ') }),
      evidence,
    },
    ...breakdown,
    ...shareOf(
      'actions',
      objectsIn(info.action_checks).map(({ action_match: met }) => met),
    ),
    ...shareOf(
      'nl_assertions',
      objectsIn(info.nl_assertions).map(({ met }) => met),
    ),
    ...shareOf(
      'communicate_info',
      objectsIn(info.communicate_checks).map(({ met }) => met),
    ),
  ];
}

/** Returns the share of checks that were met, whether or not the reward depends on them; nothing without checks. */
function shareOf(name: string, met: readonly unknown[]): FoundScore[] {
  if (met.length === 0) return [];
  const value = met.filter((each) => each === true).length / met.length;
  return [{ name, value, passed: value === 1 }];
}
