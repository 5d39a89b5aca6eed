import { isUtf8 } from 'node:buffer';
import { addLogs, addLogsToFailure, readReplyText } from '../reply/read-reply-text.ts';
import { answerTooLarge, maxReplyBytes } from '../reply/read-text.ts';
import { type Reply, TargetFailure, type TargetRequest } from '../target.ts';
import { abortedFailure, untilAborted } from '../until-aborted.ts';
import {
  describeEnding,
  type Ending,
  type Launch,
  type ProcessGroup,
  startProcessGroup,
} from './process-group.ts';
import { invalidUtf8, RecentText } from './wire.ts';

/** What arguments can hold, beside the question. A process knows of earlier turns only what it is told here. */
const valuesOf = ({ input, messages, session }: TargetRequest): Readonly<Record<string, string>> => ({
  '{{input}}': input,
  '{{messages}}': JSON.stringify(messages),
  '{{session.id}}': session.id,
  '{{session.turn}}': String(session.turn),
});

/**
 * Starts a process for one question. It stands in the arguments where they say `{{input}}` or `{{messages}}`, else it is
 * all of stdin; the answer is all of stdout: an object with a known name of an answer, else the text itself without its
 * last line ending.
 */
export async function askOnce(launch: Launch, request: TargetRequest, signal: AbortSignal): Promise<Reply> {
  if (signal.aborted) throw abortedFailure(signal);
  const isInArguments = launch.arguments.some((argument) => /\{\{(?:input|messages)\}\}/.test(argument));
  const group = start({ ...launch, arguments: fillArguments(launch, request) });
  group.stdin.end(isInArguments ? undefined : request.input);
  const logs = new RecentText(launch.redact);
  group.stderr.setEncoding('utf8').on('data', (text: string) => logs.append(text));
  const onAbort = () => group.kill('SIGKILL');
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const output = await untilAborted(readOutput(group), signal);
    const ending = await group.ended;
    return addLogs(toReply(output, ending, logs), logs.text);
  } catch (error) {
    throw addLogsToFailure(error, logs.text);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** In one pass, so that nothing in a question is taken for a placeholder. */
function fillArguments({ arguments: templates }: Launch, request: TargetRequest): string[] {
  const values = valuesOf(request);
  return templates.map((template) => template.replaceAll(/\{\{[a-z.]+\}\}/g, (name) => values[name] ?? name));
}

function start(launch: Launch): ProcessGroup {
  try {
    return startProcessGroup(launch);
  } catch (error) {
    // Such as a NUL character in the question, which no argument can hold.
    throw new TargetFailure('process-failed', `The process cannot be started: ${(error as Error).message}`);
  }
}

/** All of stdout; undefined when it is longer than an answer may be. Then the process is ended. */
async function readOutput(group: ProcessGroup): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  group.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= maxReplyBytes) chunks.push(chunk);
    else group.kill('SIGKILL');
  });
  await group.ended;
  return length > maxReplyBytes ? undefined : Buffer.concat(chunks);
}

function toReply(output: Buffer | undefined, ending: Ending, logs: RecentText): Reply {
  if (output === undefined) throw answerTooLarge();
  if (ending.code !== 0) {
    const message = [`The process ended ${describeEnding(ending)}.`, logs.lastLines()]
      .filter(Boolean)
      .join('\n');
    throw new TargetFailure('process-failed', message);
  }
  if (!isUtf8(output)) throw invalidUtf8();
  return readReplyText(output.toString('utf8'));
}
