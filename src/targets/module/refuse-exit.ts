import { AsyncLocalStorage } from 'node:async_hooks';
import { TargetFailure } from '../target.ts';

const targetCode = new AsyncLocalStorage<true>();
let guards = 0;
let exit = process.exit;

/** Runs code of a target, and all that it starts, so that it cannot end the program while a guard is up. */
export function runTargetCode<Result>(work: () => Result): Result {
  return targetCode.run(true, work);
}

/**
 * Makes `process.exit` throw `target-exited` in the code of a target: it would end the whole run, with an exit code that
 * may say that all is well. Returns what takes this guard down again.
 */
export function refuseExit(): () => void {
  if (guards === 0) {
    exit = process.exit;
    process.exit = exitUnlessTarget;
  }
  guards += 1;
  return () => {
    guards -= 1;
    if (guards === 0) process.exit = exit;
  };
}

function exitUnlessTarget(code?: Parameters<typeof process.exit>[0]): never {
  if (targetCode.getStore() === undefined) return exit.call(process, code);
  const failure = new TargetFailure('target-exited', `The target called process.exit(${code ?? ''}).`);
  Error.captureStackTrace(failure, exitUnlessTarget); // Its first line is then that of the call.
  throw failure;
}
