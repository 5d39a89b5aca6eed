import { describeValue } from '../reply/describe-value.ts';

const maxFrames = 5;

/** The message of anything that a target threw, even of things that refuse to become text. */
export function thrownMessage(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return thrown.message || thrown.name;
    if (thrown !== null && typeof thrown === 'object' && 'message' in thrown) return String(thrown.message);
    return typeof thrown === 'string' ? thrown : `threw ${describeValue(thrown)}`;
  } catch {
    return 'threw something that cannot be read';
  }
}

/** The first lines of an error's stack that lie in the target's own code. */
export function shortStack(thrown: unknown): string {
  if (!(thrown instanceof Error) || typeof thrown.stack !== 'string') return '';
  const frames = thrown.stack.split('\n').filter((line) => /^\s+at /.test(line));
  const own = frames.filter((line) => !/node:|[\\/]targets[\\/](module|until-aborted)\.[jt]s/.test(line));
  return [`${thrown.name}: ${thrown.message}`, ...own.slice(0, maxFrames)].join('\n');
}
