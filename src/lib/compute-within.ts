import vm from 'node:vm';
import { lazily } from './lazily.ts';

/** What is left of a computation that was ended. */
export const outOfTime = Symbol('out of time');

const guard = lazily(() => {
  const context: { work: (() => unknown) | undefined } = { work: undefined };
  return { context: vm.createContext(context), script: new vm.Script('work()') };
});

const microseconds = 1000;
const mostPatience = 4;

/**
 * Computes something and ends it after so many milliseconds of computing by this thread, also inside a regular expression.
 * For work that changes nothing: it may end anywhere. Watching it takes a third of a millisecond.
 */
export function computeWithin<Value>(limitMs: number, work: () => Value): Value | typeof outOfTime {
  // The clock of the watcher goes on while the machine does something else; then the work gets another, longer turn.
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
