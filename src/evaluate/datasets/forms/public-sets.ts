import { type Fields, isFields } from '../fields.ts';

/** The names of a conversation in files for fine-tuning. */
const conversationNames = ['conversations', 'conversation', 'dialogue', 'dialog', 'chat', 'contents'];

/**
 * Reads the columns of a row that sets for training, frameworks and well-known public sets write in a form of their own: conversations of
 * ShareGPT, cases of Google's ADK, Alpaca's instruction with its input, the question of ARC with its choices
 * inside, the worked solution of GSM8K with the answer behind `####`, the passages of HotpotQA, the further answers of CRAG, the
 * spans of DROP. Any other row is returned as it is.
 */
export function readPublicSet(row: Fields): Fields {
  return readPassages(
    readSpans(readOtherAnswers(readWorkedAnswer(readStem(readFineTuning(readAdkCase(row)))))),
  );
}

/** Reads `{ answer, alt_ans: […] }` of CRAG, whose further answers are as right as the first. */
function readOtherAnswers(row: Fields): Fields {
  const { answer, alt_ans: others, ...rest } = row;
  const isKnown = typeof answer === 'string' && Array.isArray(others);
  if (!isKnown || !others.every((other) => typeof other === 'string')) return row;
  return { ...rest, expected_answer: [answer, ...others] };
}

/** Reads `{ answers_spans: { spans: ["20", "20"] } }` of DROP. Several spans are a list, or what several people said: that is not known. */
function readSpans(row: Fields): Fields {
  const { answers_spans: answers, ...rest } = row;
  const spans = isFields(answers) ? answers['spans'] : undefined;
  const [only, ...others] = Array.isArray(spans) ? new Set<unknown>(spans) : [];
  return typeof only === 'string' && others.length === 0 ? { ...rest, expected_answer: only } : row;
}

/** Reads `{ question: { stem, choices }, answerKey }`. */
function readStem(row: Fields): Fields {
  const { question } = row;
  if (!isFields(question) || typeof question['stem'] !== 'string' || row['choices'] !== undefined) return row;
  const { stem, choices, ...others } = question;
  return { ...row, ...others, question: stem, ...(choices !== undefined && { choices }) };
}

const answerNames = ['answer', 'expected_answer', 'solution'];
const finalAnswer = /\n#{4} ([^\n]{1,200})\s*$/;

/** Takes the answer off the end of a worked solution, which becomes metadata. */
function readWorkedAnswer(row: Fields): Fields {
  for (const name of answerNames) {
    const text = row[name];
    const final = typeof text === 'string' ? finalAnswer.exec(text.slice(-300))?.[1]?.trim() : undefined;
    if (final === undefined) continue;
    const { [name]: solution, ...others } = row;
    return { ...others, expected_answer: final, 'metadata.worked_solution': solution };
  }
  return row;
}

/** Reads passages with their titles, `[[title, [sentence, …]], …]` or `{ title: […], sentences: [[…], …] }`, as texts. */
function readPassages(row: Fields): Fields {
  const { context } = row;
  const passages = Array.isArray(context) ? context : isFields(context) ? columnsOf(context) : [];
  const texts = passages.map(textOf);
  const areAll = texts.length > 0 && texts.every((text) => text !== undefined);
  return areAll ? { ...row, context: texts } : row;
}

function columnsOf({ title, sentences }: Fields): unknown[] {
  if (!Array.isArray(title) || !Array.isArray(sentences) || title.length !== sentences.length) return [];
  return title.map((name, index) => [name, sentences[index]]);
}

function textOf(passage: unknown): string | undefined {
  if (!Array.isArray(passage) || passage.length !== 2) return undefined;
  const [title, sentences] = passage as unknown[];
  if (typeof title !== 'string' || !Array.isArray(sentences)) return undefined;
  return sentences.every((each) => typeof each === 'string')
    ? `${title}: ${sentences.join('').trim()}`
    : undefined;
}

/**
 * Reads the question of a row from the forms of files for fine-tuning: a conversation of ShareGPT becomes `messages`, and
 * Alpaca's `instruction` with its `input` one question. Any other row is returned as it is.
 */
function readFineTuning(row: Fields): Fields {
  const { instruction, input } = row;
  if (typeof instruction === 'string' && typeof input === 'string' && !hasOtherQuestion(row)) {
    const { instruction: _first, input: _second, ...rest } = row;
    return { question: input.trim() === '' ? instruction : `${instruction}\n\n${input}`, ...rest };
  }
  if (hasOtherQuestion(row) || input !== undefined || instruction !== undefined) return row;
  const name = conversationNames.find((each) => readShared(messagesIn(row[each])) !== undefined);
  if (name === undefined) return row;
  const { [name]: conversation, ...rest } = row;
  return { messages: readShared(messagesIn(conversation)), ...rest };
}

function hasOtherQuestion(row: Fields): boolean {
  return ['question', 'prompt', 'query', 'messages', 'message', 'user_input'].some(
    (name) => row[name] !== undefined,
  );
}

const roles: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['user', 'user'],
  ['customer', 'user'],
  ['gpt', 'assistant'],
  ['chatgpt', 'assistant'],
  ['bot', 'assistant'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['assistant', 'assistant'],
  ['system', 'system'],
  ['tool', 'tool'],
]);

/**
 * Returns the messages of a conversation in the form of ShareGPT, `{ from: human, value }`, or with other names for the
 * speaker; undefined for anything else.
 */
export function readShared(value: unknown): Fields[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const messages = value.map((item) => {
    if (!isFields(item)) return undefined;
    const role = roles.get(
      String(item['role'] ?? item['from'] ?? item['speaker'] ?? item['type']).toLowerCase(),
    );
    const content =
      item['content'] ?? item['value'] ?? item['text'] ?? item['message'] ?? textOfParts(item['parts']);
    if (role === undefined || typeof content !== 'string') return undefined;
    const { from: _f, speaker: _s, type: _t, value: _v, text: _x, message: _m, parts: _p, ...rest } = item;
    return { ...rest, role, content };
  });
  return messages.every((message) => message !== undefined) ? messages : undefined;
}

/** The end of a conversation that the assistant has: what it said after the last words of the user. */
export interface AssistantEnd {
  /** The conversation up to the last words of the user. */
  readonly asked: readonly unknown[];
  /** The last words of the assistant; undefined when it only used tools. */
  readonly answer: string | undefined;
  /** The tools that it used on the way there. */
  readonly tools: readonly Fields[];
}

/**
 * Separates what the assistant said after the last words of the user, which is the reference answer of a file for
 * fine-tuning and is not to be sent. Undefined for a conversation that ends with the user or contains no user.
 */
export function takeAssistantEnd(messages: readonly unknown[]): AssistantEnd | undefined {
  const lastUser = messages.findLastIndex((message) => isFields(message) && message['role'] === 'user');
  const end = messages.slice(lastUser + 1).filter(isFields);
  const said = end.filter(({ role }) => role === 'assistant');
  if (lastUser < 0 || said.length === 0) return undefined;
  const answers = said
    .map(({ content }) => content)
    .filter((text) => typeof text === 'string' && text.trim() !== '');
  return {
    asked: messages.slice(0, lastUser + 1),
    answer: answers.at(-1) as string | undefined,
    tools: said.flatMap(({ toolCalls }) => (Array.isArray(toolCalls) ? toolCalls.filter(isFields) : [])),
  };
}

/** Returns the messages of a conversation that is an object around them, as in sets of Azure. */
function messagesIn(value: unknown): unknown {
  return isFields(value) ? value['messages'] : value;
}

/** Returns the text of a message of Gemini, whose parts are all texts. */
function textOfParts(parts: unknown): string | undefined {
  if (!Array.isArray(parts) || parts.length === 0) return undefined;
  const texts = parts.map((part: unknown) => (isFields(part) ? part['text'] : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('') : undefined;
}

/** One question of a conversation, with what the agent should do and say. */
interface Invocation {
  readonly say: string;
  readonly answer: string | undefined;
  readonly calls: readonly Fields[];
}

/**
 * Reads a case of an eval set of Google's ADK, `{ eval_id, conversation: [{ user_content, final_response, intermediate_data }] }`,
 * as a question, or as turns where there are several. Any other row is returned as it is.
 */
function readAdkCase(row: Fields): Fields {
  const { eval_id: id, conversation, session_input: session, creation_timestamp: _created, ...rest } = row;
  const invocations = Array.isArray(conversation) ? conversation.map(readInvocation) : [];
  const read = invocations.filter((invocation) => invocation !== undefined);
  const [first, ...others] = read;
  if (first === undefined || read.length < invocations.length) return row;
  const named = {
    ...rest,
    ...(id !== undefined && { id }),
    ...(session !== undefined && { 'metadata.session_input': session }),
  };
  if (others.length > 0) return { ...named, turns: read.map(toTurn) };
  const { say, answer, calls } = first;
  return {
    ...named,
    question: say,
    ...(answer !== undefined && { expected_answer: answer }),
    ...(calls.length > 0 && { expected_calls: calls }),
  };
}

function toTurn({ say, answer, calls }: Invocation): Fields {
  const expected = { ...(answer !== undefined && { answer }), ...(calls.length > 0 && { calls }) };
  return { say, ...(Object.keys(expected).length > 0 && { expected }) };
}

function readInvocation(value: unknown): Invocation | undefined {
  if (!isFields(value)) return undefined;
  const say = textOfContent(value['user_content']);
  if (say === undefined) return undefined;
  return {
    say,
    answer: textOfContent(value['final_response']),
    calls: readCalls(value['intermediate_data']),
  };
}

function textOfContent(content: unknown): string | undefined {
  return isFields(content) ? textOfParts(content['parts']) : undefined;
}

/** Reads the calls of tools, which stand in a list of their own or, in newer files, among the events. */
function readCalls(data: unknown): Fields[] {
  if (!isFields(data)) return [];
  const { tool_uses: uses, invocation_events: events } = data;
  const calls = listOf(uses).concat(
    listOf(events)
      .flatMap(({ content }) =>
        isFields(content) ? listOf(content['parts']).map((part) => part['function_call']) : [],
      )
      .filter(isFields),
  );
  return calls.map(({ name, args }) => ({ name, arguments: args ?? {} }));
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}
