import { type ReplyAliases, replyAliases } from '../reply/reply-aliases.ts';

/** The parts of a recorded answer, each with the columns under which it is looked for, best first. */
export type RecordAliases = ReplyAliases &
  Readonly<Record<'id' | 'question' | 'attempt' | 'latency', readonly string[]>>;

/**
 * The columns of files in which other tools keep answers. Those that can only be a bot's answer come before those
 * that some files also use for the expected one.
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
  toolCalls: ['actual_tools', 'actualTools', ...replyAliases.toolCalls],
  transcript: ['transcript'], // `messages` is the question in most data files.
  id: ['caseId', 'case_id', 'id', 'question_id', 'questionId'],
  question: ['question', 'input', 'prompt', 'user_query', 'user_input', 'query', 'messages'],
  attempt: ['attempt'],
  latency: ['latencyMs', 'latency_ms', 'latency'],
};

/** What a column of the user's own can be said to hold. */
export const recordParts = Object.keys(recordAliases) as [keyof RecordAliases, ...(keyof RecordAliases)[]];

/** The aliases with columns of the user's own before all others. */
export function withColumns(columns: Readonly<Record<string, keyof RecordAliases>>): RecordAliases {
  const aliases: Record<keyof RecordAliases, readonly string[]> = { ...recordAliases };
  for (const [column, part] of Object.entries(columns)) aliases[part] = [column, ...aliases[part]];
  return aliases;
}

/** Every column that can only belong to the recorded answer, and not to the question or its expectations. */
export const recordedColumns: readonly string[] = Object.entries(recordAliases)
  .filter(([part]) => part !== 'id' && part !== 'question')
  .flatMap(([, columns]) => columns);
