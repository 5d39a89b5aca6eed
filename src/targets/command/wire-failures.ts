import { shorten } from '../../lib/terminal-text.ts';
import { TargetFailure } from '../target.ts';

const shownCharacters = 300;

/** The failure for text from a process that is not UTF-8. */
export function invalidUtf8(): TargetFailure {
  return new TargetFailure(
    'invalid-utf8',
    'The process wrote text that is not UTF-8. Make it write UTF-8; for Python, set PYTHONIOENCODING=utf-8.',
  );
}

/** The failure for a reply that begins like JSON and is none. The text is without secrets. */
export function unreadableReply(text: string, reason: string): TargetFailure {
  return new TargetFailure(
    'invalid-reply',
    `The process wrote a line that is not valid JSON (${reason}): ${shorten(text, shownCharacters)}`,
  );
}

/** The failure for a question to which nothing came but a line that is no reply. The text is without secrets. */
export function strayLine(text: string, reason: string): TargetFailure {
  return new TargetFailure(
    'invalid-reply',
    `The process wrote no reply, only a line ${reason}: ${shorten(text, shownCharacters)}\n` +
      'Write one JSON object a line, such as {"id": …, "answer": …} with the id of the question; ' +
      'anything else belongs on stderr. A program that is started for each question needs `mode: once`.',
  );
}
