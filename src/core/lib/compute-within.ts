import vm from 'node:vm';
import { lazily } from './lazily.ts';

/** Why a text cannot be measured; also the code of the failed verdict. */
type UnmeasurableCode = 'pattern-too-slow' | 'too-long' | 'text-not-read';

/**
 * Thrown when measuring a text would take too long, or when a metric cannot read it. It does not mean that the text is
 * wrong.
 */
export class UnmeasurableError extends Error {
  override readonly name = 'UnmeasurableError';
  readonly code: UnmeasurableCode;

  constructor(code: UnmeasurableCode, reason: string) {
    super(reason);
    this.code = code;
  }
}

/** The result of a computation that was ended. */
export const outOfTime = Symbol('out of time');

const guard = lazily(() => {
  const context: { work: (() => unknown) | undefined } = { work: undefined };
  return { context: vm.createContext(context), script: new vm.Script('work()') };
});

const microseconds = 1000;
const mostPatience = 4;

/**
 * Computes something and ends it after a number of milliseconds of computing by this thread, even inside a regular
 * expression. The work may end at any point, so it must have no side effects. Watching it takes 0.1 to 0.4 ms.
 */
export function computeWithin<Value>(limitMs: number, work: () => Value): Value | typeof outOfTime {
  // The watcher's clock continues while the machine does something else; then the work is repeated with a longer limit.
  for (let patience = 1; ; patience *= 4) {
    const before = computedMs();
    const result = watch(limitMs * patience, work);
    if (result !== outOfTime || patience >= mostPatience || computedMs() - before >= limitMs / 2)
      return result;
  }
}

function watch<Value>(timeout: number, work: () => Value): Value | typeof outOfTime {
  const { context, script } = guard();
  const outer = context['work'];
  context['work'] = work;
  try {
    return script.runInContext(context, { timeout }) as Value;
  } catch (error) {
    if ((error as { code?: unknown } | undefined)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return outOfTime;
  } finally {
    context['work'] = outer;
  }
}

function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / microseconds;
}

/**
 * Returns a counter of steps that throws `UnmeasurableError` (`too-long`) with a reason after more than `most` steps.
 * It counts steps, not time, so the result is the same on every machine.
 */
export function limitSteps(most: number, reason: string): (steps: number) => void {
  let taken = 0;
  return (steps) => {
    taken += steps;
    if (taken > most) throw new UnmeasurableError('too-long', reason);
  };
}
