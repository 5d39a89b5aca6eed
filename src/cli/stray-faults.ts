import { isOwnFault, messageOf } from '../core/errors.ts';

/**
 * Keeps a process that asks targets alive when a promise or a timer that a target left behind fails; the failure is only
 * reported. Returns a function that stops this.
 */
export function surviveTargetFaults(report: (message: string) => void): () => void {
  const onFault = (fault: unknown) =>
    report(isOwnFault(fault) ? fault.message : `A target failed outside any call: ${messageOf(fault)}`);
  process.on('unhandledRejection', onFault);
  process.on('uncaughtException', onFault);
  return () => {
    process.off('unhandledRejection', onFault);
    process.off('uncaughtException', onFault);
  };
}
