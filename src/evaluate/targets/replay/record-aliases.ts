import { type ReplyAliases, replyAliases } from '../reply/reply-aliases.ts';

/** The parts of a recorded answer, each with the columns under which it is looked for, best first. */
export type RecordAliases = ReplyAliases &
  Readonly<
    Record<
      'id' | 'question' | 'attempt' | 'latency' | 'startedAt' | 'logs' | 'target' | 'traces',
      readonly string[]
    >
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
  startedAt: ['startedAt', 'started_at', 'answeredAt', 'answered_at'],
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

/** A name without what letter case, `_`, `-` and spaces say. */
const plain = (name: string) => name.replace(/[\s_-]/g, '').toLowerCase();

/**
 * Returns a function that gives the columns of a row the names of the table: `Answer`, `Actual Output` and `Tool_Calls` are
 * `answer`, `actual_output` and `tool_calls`. A name of the table stays as it is, and is never replaced by another spelling.
 */
export function createColumnNamer(
  aliases: RecordAliases,
): (row: Readonly<Record<string, unknown>>) => Record<string, unknown> {
  const known = new Set(Object.values(aliases).flat());
  const byPlain = new Map<string, string>();
  for (const name of known) if (!byPlain.has(plain(name))) byPlain.set(plain(name), name);
  const renames = new Map<string, string | undefined>();
  const renameOf = (name: string) => {
    if (!renames.has(name) && renames.size < mostRemembered) {
      renames.set(name, known.has(name) ? undefined : byPlain.get(plain(name)));
    }
    return renames.get(name);
  };
  return (row) => {
    const isKnown = Object.keys(row).every((name) => renameOf(name) === undefined);
    if (isKnown) return row;
    const entries = Object.entries(row).map(([name, value]) => {
      const usual = renameOf(name);
      return [usual === undefined || Object.hasOwn(row, usual) ? name : usual, value] as const;
    });
    return Object.fromEntries(entries);
  };
}

/** The most names whose spelling is remembered; a file that uses data as names must not fill the memory. */
const mostRemembered = 1000;
