import vm from 'node:vm';
import { lazily } from './lazily.ts';

/** Why a text cannot be measured within bounds; the code of the verdict, which is failed. */
type UnmeasurableCode = 'pattern-too-slow' | 'too-long';

/** Thrown where measuring a text would take longer than anything here may take. It says nothing against the text. */
export class UnmeasurableError extends Error {
  override readonly name = 'UnmeasurableError';
  readonly code: UnmeasurableCode;

  constructor(code: UnmeasurableCode, reason: string) {
    super(reason);
    this.code = code;
  }
}

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

/**
 * Makes a count of steps that throws `UnmeasurableError` (`too-long`) with a reason when there are more than `most`. Counting steps and
 * not time, it says the same on every machine.
 */
export function limitSteps(most: number, reason: string): (steps: number) => void {
  let taken = 0;
  return (steps) => {
    taken += steps;
    if (taken > most) throw new UnmeasurableError('too-long', reason);
  };
}
