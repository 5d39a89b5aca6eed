import { messageOf } from '../errors.ts';

/**
 * A promise or a timer that a target left behind and that fails is told, and does not end the run. Gives what ends
 * this.
 */
export function surviveTargetFaults(tell: (message: string) => void): () => void {
  const onFault = (fault: unknown) => tell(`A target failed outside of any call: ${messageOf(fault)}`);
  process.on('unhandledRejection', onFault);
  process.on('uncaughtException', onFault);
  return () => {
    process.off('unhandledRejection', onFault);
    process.off('uncaughtException', onFault);
  };
}
