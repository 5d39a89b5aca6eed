import { messageOf, TouchstoneError } from '../errors.ts';

/** What SQLite's result codes mean to the user: `errcode` modulo 256, see https://sqlite.org/rescode.html. */
const storeFaults: Readonly<Record<number, string>> = {
  5: 'Another process has been writing to it for more than ten seconds: try again.',
  8: 'Make the folder and the file writable, or name another folder with `--store`.',
  10: 'Check the disk and its connection.',
  11: 'Restore it from a copy, or name another folder with `--store`.',
  13: 'Make room on the disk.',
};

/** A fault of the surroundings, such as a full disk under the store, as a message with a remedy; others as they are. */
export function explainFault(fault: unknown): unknown {
  if (!(fault instanceof Error) || !('errcode' in fault) || typeof fault.errcode !== 'number') return fault;
  const remedy = storeFaults[fault.errcode & 0xff];
  if (remedy === undefined) return fault;
  const message = `The store cannot be used: ${messageOf(fault)}.`;
  return new TouchstoneError('store-unreadable', message, { remedy, cause: fault });
}
