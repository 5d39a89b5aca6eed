import { TouchstoneError } from '../../../core/errors.ts';

const shellWords = new Set(['|', '||', '&', '&&', ';', '>', '>>', '<', '2>', '2>&1']);

/**
 * Splits a command line into its words. Quotes keep words together; outside single quotes, a backslash makes the quote,
 * space or backslash after it literal. Nothing else is special, since no shell is involved. Throws `target-invalid`.
 */
export function splitCommand(command: string): string[] {
  const words: string[] = [];
  for (const match of command.matchAll(/(?:[^\s"'\\]|\\[\s"'\\]?|"(?:[^"\\]|\\.)*"|'[^']*'|["'])+/gs)) {
    words.push(unquote(match[0], command));
  }
  if (words.length === 0) throw new TouchstoneError('target-invalid', '`command` is empty.');
  return words;
}

function unquote(word: string, command: string): string {
  if (shellWords.has(word)) throw shellWordFound(word, command);
  return word.replaceAll(
    /\\([\s"'\\])|"((?:[^"\\]|\\.)*)"|'([^']*)'|["']/gs,
    (quoted, plain, double, single) => {
      if (quoted.length === 1) {
        throw new TouchstoneError(
          'target-invalid',
          `The quote ${quoted} in \`command\` is never closed: ${command}`,
        );
      }
      return plain ?? single ?? double.replaceAll(/\\(["\\])/g, '$1');
    },
  );
}

function shellWordFound(word: string, command: string): TouchstoneError {
  return new TouchstoneError(
    'target-invalid',
    `\`command\` contains "${word}", but no shell runs it: ${command}`,
    {
      remedy: `Ask for a shell: command: [sh, -c, ${JSON.stringify(command)}], or put the "${word}" in quotes.`,
    },
  );
}
