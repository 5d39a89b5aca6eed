import { type ErrorCode, TouchstoneError } from '../../errors.ts';

/** The setting that a command line is written in, and the code of its faults. */
export interface CommandPlace {
  readonly setting: string;
  readonly code: ErrorCode;
}

const commandOfTarget: CommandPlace = { setting: 'command', code: 'target-invalid' };

const shellWords = new Set(['|', '||', '&', '&&', ';', '>', '>>', '<', '2>', '2>&1']);

/**
 * Splits a command line into its words. Quotes keep words together; outside single quotes, a backslash makes the quote,
 * space or backslash after it literal. Nothing else is special, since no shell is involved. Throws an error of the place.
 */
export function splitCommand(command: string, place: CommandPlace = commandOfTarget): string[] {
  const words: string[] = [];
  for (const match of command.matchAll(/(?:[^\s"'\\]|\\[\s"'\\]?|"(?:[^"\\]|\\.)*"|'[^']*'|["'])+/gs)) {
    words.push(unquote(match[0], command, place));
  }
  if (words.length === 0) throw new TouchstoneError(place.code, `\`${place.setting}\` is empty.`);
  return words;
}

function unquote(word: string, command: string, place: CommandPlace): string {
  const { code, setting } = place;
  if (shellWords.has(word)) throw shellWordFound(word, command, place);
  return word.replaceAll(
    /\\([\s"'\\])|"((?:[^"\\]|\\.)*)"|'([^']*)'|["']/gs,
    (quoted, plain, double, single) => {
      if (quoted.length === 1) {
        throw new TouchstoneError(code, `The quote ${quoted} in \`${setting}\` is never closed: ${command}`);
      }
      return plain ?? single ?? double.replaceAll(/\\(["\\])/g, '$1');
    },
  );
}

function shellWordFound(word: string, command: string, { code, setting }: CommandPlace): TouchstoneError {
  return new TouchstoneError(code, `\`${setting}\` contains "${word}", but no shell runs it: ${command}`, {
    remedy: `Ask for a shell: ${setting.replace(/^.*\./, '')}: [sh, -c, ${JSON.stringify(command)}], or put the "${word}" in quotes.`,
  });
}
