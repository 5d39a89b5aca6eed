import { type ErrorCode, errorRemedies, messageOf, TouchstoneError } from '../../core/errors.ts';
import { type Quoted, quote } from './quote.ts';

/** An error whose sentences are our own, with ids and numbers in them and nothing else: it appears outside of quotes. */
export class OwnError extends TouchstoneError {
  constructor(code: ErrorCode, message: string, remedy?: string) {
    super(code, message, { remedy });
  }
}

/** An error as a reply states it. A message or a remedy that may hold a text of somebody else is quoted. */
export interface StatedError {
  readonly code: string;
  readonly message: string | Quoted;
  readonly remedy: string | Quoted;
}

/** The longest message that is quoted, in characters. */
const longestMessage = 800;

/** Describes whatever was thrown, without a stack. */
export function stateError(thrown: unknown): StatedError {
  if (!(thrown instanceof TouchstoneError))
    return {
      code: 'internal',
      message: quote('file', messageOf(thrown), longestMessage),
      remedy: 'This is a fault of Touchstone: the log of the server says where.',
    };
  const { code, message, remedy } = thrown;
  if (thrown instanceof OwnError) return { code, message, remedy };
  return {
    code,
    message: quote('file', message, longestMessage),
    remedy: remedy === errorRemedies[code] ? remedy : quote('file', remedy, longestMessage),
  };
}
