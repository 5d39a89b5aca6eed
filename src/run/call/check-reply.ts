import { describeValue } from '../../lib/describe-value.ts';
import { type Reply, TargetFailure } from '../../targets/target.ts';

/** Deeper than this, what a target gives is taken for a value that holds itself. */
const deepest = 500;

const roles = new Set<unknown>(['system', 'user', 'assistant', 'tool']);

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns what a target gave as a reply that can be kept. What is left out and has one meaning only is filled in: a text is
 * an answer, no list is an empty one, a name stands for a call of that tool. Throws `TargetFailure` for anything else that
 * is no reply, so that it is the error of one trial.
 */
export function checkReply(given: unknown): Reply {
  if (typeof given === 'string') return { answer: given, toolCalls: [] };
  if (!isFields(given)) refuse(`it gave ${describeValue(given)}, where a reply is { answer, toolCalls }`);
  refuseFailed(given);
  refuseParts(given);
  const { toolCalls, documents, transcript } = given;
  const calls = listOf('toolCalls', toolCalls ?? [], (call) => named('name', call));
  const found =
    documents === undefined ? undefined : listOf('documents', documents, (one) => named('id', one));
  if (transcript !== undefined) listOf('transcript', transcript, checkMessage);
  const unkept = findUnkept(given, 0);
  if (unkept !== undefined) refuse(`its reply holds ${unkept}, which is no JSON`);
  const reply = given as unknown as Reply;
  return calls === toolCalls && found === documents
    ? reply
    : ({ ...reply, toolCalls: calls, ...(found && { documents: found }) } as Reply);
}

function refuseParts({ answer, usage, cost }: Fields): void {
  if (answer !== null && typeof answer !== 'string') {
    const what = answer === undefined ? 'its reply has no answer' : `its answer is ${describeValue(answer)}`;
    refuse(`${what}, where that is a text, or null for none`);
  }
  if (usage !== undefined && !(isFields(usage) && Object.values(usage).every(isCount))) {
    refuse(`usage is ${describeValue(usage)}, where that is an object of token counts`);
  }
  if (cost !== undefined && !isCount(cost)) {
    refuse(`cost is ${describeValue(cost)}, where that is US dollars`);
  }
}

function refuseFailed({ status, error }: Fields): void {
  if (status !== 'failed' && status !== 'error') return;
  const { message = error } = isFields(error) ? error : {};
  throw new TargetFailure('target-failed', typeof message === 'string' ? message : 'it gave no reason');
}

/** The same list where every part of it is of the right form already. */
function listOf(name: string, list: unknown, read: (part: unknown) => unknown): unknown[] {
  if (!Array.isArray(list)) refuse(`${name} is ${describeValue(list)}, where that is a list`);
  const parts = list.map((part: unknown, index) => {
    const known = read(part);
    if (known === undefined) refuse(`${name}[${index}] is ${describeValue(part)}, which is none`);
    return known;
  });
  return parts.every((part, index) => part === list[index]) ? list : parts;
}

function named(key: 'name' | 'id', part: unknown): unknown {
  if (typeof part === 'string' && part !== '') return { [key]: part };
  return isFields(part) && typeof part[key] === 'string' && part[key] !== '' ? part : undefined;
}

function checkMessage(part: unknown): unknown {
  if (!isFields(part) || !roles.has(part['role'])) return undefined;
  const { content = null, toolCalls = [] } = part;
  if (content !== null && typeof content !== 'string') return undefined;
  listOf('toolCalls', toolCalls, (call) => (isFields(call) ? named('name', call) : undefined));
  return part;
}

function isCount(value: unknown): boolean {
  return value === undefined || (typeof value === 'number' && value >= 0 && Number.isFinite(value));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function findUnkept(value: unknown, depth: number): string | undefined {
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') {
    return `a ${typeof value}`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > deepest) return `a value that is nested more than ${deepest} deep`;
  for (const part of Object.values(value)) {
    const unkept = findUnkept(part, depth + 1);
    if (unkept !== undefined) return unkept;
  }
  return undefined;
}

function refuse(message: string): never {
  throw new TargetFailure('invalid-answer', message);
}
