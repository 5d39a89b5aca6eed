import type { JsonObject } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { asArray, asObject, asText, type Fields, jsonObject, objectsIn, textOf, filled } from '../values.ts';

/** The facts that a task is translated with. */
interface TaskContext {
  readonly domain: string | undefined;
  /** True when answers with recorded rewards are there: then nothing is judged again. */
  readonly isJudged: boolean;
  /** The first message of the user in a simulation. */
  readonly firstSaid: string | undefined;
  readonly ledger: Ledger;
}

/** Translates a task to a case without its id: the scenario of the user is a goal, what they know are facts. */
export function translateTask(task: Fields, context: TaskContext): JsonObject {
  const { domain, firstSaid, ledger } = context;
  const scenario = asObject(task.user_scenario) ?? {};
  const { goal, knowledge } = readInstructions(scenario.instructions);
  const persona = asText(scenario.persona);
  const criteria = asObject(task.evaluation_criteria) ?? {};
  ledger.take('user_scenario', 'goal of the user');
  for (const name of ['description', 'ticket', 'initial_state'].filter((each) => hasValue(task[each])))
    ledger.keep(name, task[name]);
  if (hasValue(task.initial_state)) {
    ledger.leaveOut('initial_state of the environment', {
      note: 'The tools and the database of the domain are code of τ²-bench: connect your agent with tools of its own.',
      place: String(task.id),
    });
  }
  return jsonObject({
    input: firstSaid ?? goal,
    category: domain,
    user: {
      goal,
      persona,
      knowledge: filled(knowledge),
      opens: true,
    },
    expected: { ...expectedCalls(criteria, ledger), ...judgedChecks(criteria, context) },
    metadata: {
      description: task.description,
      ticket: task.ticket,
      initial_state: task.initial_state,
      evaluation_criteria: criteria,
    },
  });
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Returns the goal of the user, and the facts that they know, each line one. */
function readInstructions(instructions: unknown): {
  readonly goal: string;
  readonly knowledge: readonly string[];
} {
  const parts = asObject(instructions);
  if (parts === undefined) return { goal: asText(instructions) ?? '(no instructions)', knowledge: [] };
  const { reason_for_call: reason, task_instructions: task, unknown_info: unknown } = parts;
  const hidden = asText(unknown);
  const goal = [asText(reason), asText(task), hidden === undefined ? undefined : `You do not know: ${hidden}`]
    .filter((text) => text !== undefined)
    .join('\n\n');
  const facts = (asText(parts.known_info) ?? '').split('\n').map((line) => line.trim());
  return { goal: goal === '' ? '(no instructions)' : goal, knowledge: facts.filter((fact) => fact !== '') };
}

/**
 * Returns the calls that the reward depends on. Where it depends on the database alone, other calls may lead to the same
 * state: then none is required.
 */
function expectedCalls(criteria: Fields, ledger: Ledger): Fields {
  const actions = objectsIn(criteria.actions);
  const own = actions.filter(({ requestor }) => requestor !== 'user');
  for (let index = own.length; index < actions.length; index += 1) {
    ledger.leaveOut('action of the user', {
      note: 'A simulated user here has no tools of its own; the action is in the metadata of the question.',
    });
  }
  if (!basisOf(criteria).includes('ACTION')) {
    for (const action of own) {
      ledger.keep('action that leads to the expected state (not required itself)', action);
    }
    return {};
  }
  const must = own.map(({ name, arguments: args, compare_args: compared }) => {
    ledger.take('action', 'expected.calls.must');
    const all = asObject(args) ?? {};
    if (!Array.isArray(compared)) return { name, arguments: all };
    const names = compared.map(textOf);
    const kept = Object.fromEntries(Object.entries(all).filter(([key]) => names.includes(key)));
    return { name, ...(names.length > 0 && { arguments: kept, match: 'superset' }) };
  });
  return must.length === 0 ? {} : { calls: { must } };
}

/** Returns what the reward of a task depends on. */
function basisOf({ reward_basis: basis }: Fields): string[] {
  return Array.isArray(basis) ? basis.map(textOf) : ['DB', 'COMMUNICATE'];
}

/**
 * Returns checks by a judge that reads the conversation: of assertions in words, and of what the user is to hear, each where the
 * reward depends on it.
 */
function judgedChecks(criteria: Fields, { isJudged, ledger }: TaskContext): Fields {
  const basis = basisOf(criteria);
  const informed = asArray(criteria.communicate_info).map((info) => ({
    part: 'communicate_info',
    isRewarded: basis.includes('COMMUNICATE'),
    stated: info,
    text: `The assistant gave the user this information: ${textOf(info)}`,
  }));
  const stated = asArray(criteria.nl_assertions).map((assertion) => ({
    part: 'nl_assertion',
    isRewarded: basis.includes('NL_ASSERTION'),
    stated: assertion,
    text: textOf(assertion),
  }));
  const all = [...informed, ...stated];
  if (basis.includes('DB') && !isJudged) {
    ledger.leaveOut('reward by the state of the database', {
      note: 'The database and its tools are code of τ²-bench. Let your agent report its state, and compare it with `expected.state`.',
    });
  }
  for (const _ of asArray(criteria.env_assertions)) {
    ledger.leaveOut('env_assertion', {
      note: 'It is a function of the environment of τ²-bench. The recorded reward stays.',
    });
  }
  if (isJudged) {
    for (const { part, stated: said } of all) ledger.keep(`${part} (the recorded verdicts stay)`, said);
    return {};
  }
  for (const { part, stated: said } of all.filter(({ isRewarded }) => !isRewarded))
    ledger.keep(`${part} on which the reward does not depend`, said);
  const rewarded = all.filter(({ isRewarded }) => isRewarded);
  const checks = rewarded.map(({ part, text }, index) => {
    ledger.approximate(part, {
      became: '`rubric` that reads the conversation',
      note: 'A judge decides in our words.',
    });
    const reads = ['conversation', 'tool results', 'answer'];
    return { use: 'rubric', text, shape: 'verdict', reads, name: `${part} ${index + 1}` };
  });
  return checks.length === 0 ? {} : { checks };
}
