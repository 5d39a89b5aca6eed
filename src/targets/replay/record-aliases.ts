import { type ReplyAliases, replyAliases } from '../reply/reply-aliases.ts';

/** The parts of a recorded answer, each with the columns under which it is looked for, best first. */
export type RecordAliases = ReplyAliases &
  Readonly<
    Record<'id' | 'question' | 'attempt' | 'latency' | 'logs' | 'target' | 'traces', readonly string[]>
  >;

/**
 * The columns of files in which other tools keep answers. Columns that can only be a bot's answer precede those that
 * some files also use for the expected one.
 */
const recordAliases: RecordAliases = {
  ...replyAliases,
  answer: [
    'actual_output',
    'actualOutput',
    'generated_answer',
    'generatedAnswer',
    'prediction',
    'bot_answer',
    'botAnswer',
    ...replyAliases.answer,
  ],
  toolCalls: [
    'actual_tools',
    'actualTools',
    ...replyAliases.toolCalls,
    'used_tools',
    'usedTools',
    'function_calls',
    'functionCalls',
    'function_call',
    'intermediate_steps',
    'intermediateSteps',
    'tool_invocations',
    'toolInvocations',
    'agent_thoughts',
    'agentThoughts',
  ],
  transcript: ['transcript'], // `conversation-row.ts` finds other names: `messages` is the question in most data files.
  id: ['caseId', 'case_id', 'id', 'question_id', 'questionId'],
  question: ['question', 'input', 'prompt', 'user_query', 'user_input', 'query', 'messages'],
  attempt: ['attempt', 'trial', 'epoch', 'repeat', 'repetition'],
  latency: ['latencyMs', 'latency_ms', 'latency'],
  logs: ['logs'],
  target: ['recordedTarget'],
  traces: ['traceIds'],
};

/** The columns that name the task, in files whose rows have names of their own because a task has several rows. */
export const taskColumns: readonly string[] = ['task_id', 'taskId', 'sample_id', 'sampleId'];

/** The columns in which files keep a score that another tool gave an answer. */
export const verdictColumns: readonly string[] = ['reward', 'evaluations'];

/** The parts that a user's own column can be mapped to. */
export const recordParts = Object.keys(recordAliases) as [keyof RecordAliases, ...(keyof RecordAliases)[]];

/** Returns the aliases with the user's own columns before all others. */
export function withColumns(columns: Readonly<Record<string, keyof RecordAliases>>): RecordAliases {
  const aliases: Record<keyof RecordAliases, readonly string[]> = { ...recordAliases };
  for (const [column, part] of Object.entries(columns)) aliases[part] = [column, ...aliases[part]];
  return aliases;
}

/** Returns the columns that can only belong to the recorded answer, and not to the question or its expectations. */
export function answerColumns(aliases: RecordAliases): readonly string[] {
  return Object.entries(aliases)
    .filter(([part]) => part !== 'id' && part !== 'question')
    .flatMap(([, columns]) => columns);
}
