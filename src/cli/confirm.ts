import { createInterface } from 'node:readline/promises';
import { TouchstoneError } from '../core/errors.ts';

/** Texts of a question before something that cannot be undone. */
export interface Confirmation {
  /** Such as `Delete 3 runs permanently?`. */
  readonly question: string;
  /** The message where there is no user to ask, and its remedy. */
  readonly unasked: string;
  readonly remedy: string;
  /** The message after another answer than yes. */
  readonly refused: string;
}

/** Asks the user before something that cannot be undone. Throws `usage-invalid` for no, and where there is no terminal. */
export async function confirm({ question, unasked, remedy, refused }: Confirmation): Promise<void> {
  if (!process.stdin.isTTY) throw new TouchstoneError('usage-invalid', unasked, { remedy });
  if (!(await askYes(question)))
    throw new TouchstoneError('usage-invalid', refused, { remedy: 'Answer y to go on.' });
}

/** Asks the user at the terminal; any other answer than yes is no. */
export async function askYes(question: string): Promise<boolean> {
  const dialog = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await dialog.question(`${question} [y/N] `);
  dialog.close();
  return /^y(es)?$/i.test(answer.trim());
}
