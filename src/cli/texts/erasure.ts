import { text as readText } from 'node:stream/consumers';
import { nounOf } from '../../stores/documents/kind.ts';
import type { ErasedInProject } from '../../library/api/records.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { formatPlural } from '../../look/report/format.ts';

/** Returns the texts to look for. `-` stands for the lines of standard input, which no list of processes shows. */
export async function readTexts(written: readonly string[]): Promise<string[]> {
  const lines = written.includes('-') ? (await readText(process.stdin)).split(/\r?\n/) : [];
  return [...written.filter((text) => text !== '-'), ...lines.filter((line) => line !== '')];
}

/** The words for kinds of records that their names do not say. */
const nouns: ReadonlyMap<string, string> = new Map([
  ['case', 'question'],
  ['trial', 'answer'],
  ['scores', 'set of scores'],
  ['equivalence', 'statement about rubrics'],
  ['run', 'settings of a run'],
  ['shared-record', 'record of processes at work'],
]);

/** Describes what was erased, or what would be. */
export function describeErasure(
  { day, counts, runs, lines, left, cassettes, inFiles }: ErasedInProject,
  verb: string,
): string {
  const records = Object.entries(counts).map(
    ([kind, count]) => `  ${count}  ${nouns.get(kind) ?? nounOf({ name: kind })}\n`,
  );
  return [
    records.length === 0
      ? 'No record contains it.\n'
      : `${verb} the texts of these records; their numbers stay:\n`,
    ...records,
    ...(runs.length === 0
      ? []
      : [`Runs that show \`[erased ${day}]\` in their place: ${runs.map(toTerminalText).join(', ')}\n`]),
    ...(left === 0
      ? []
      : [`The ids of ${formatPlural(left, 'record')} contain it and stay: rows are found by them.\n`]),
    ...(inFiles === undefined ? [] : [`${toTerminalText(inFiles)}\n`]),
    ...(lines.length === 0
      ? []
      : ['These lines of golden sets have questions made from them; change them by hand:\n']),
    ...lines.map(({ file, line, caseId }) =>
      line === null
        ? `  ${toTerminalText(file)}: the question ${toTerminalText(caseId)} is no longer there; older versions may still contain it\n`
        : `  ${toTerminalText(file)}:${line} (${toTerminalText(caseId)})\n`,
    ),
    ...(cassettes.length === 0
      ? []
      : ['These cassettes of recorded tools contain it; change them by hand, or record them again:\n']),
    ...cassettes.map(
      ({ file, lines: holding }) =>
        `  ${toTerminalText(file)}: ${holding.length === 1 ? 'line' : 'lines'} ${holding.slice(0, 10).join(', ')}${holding.length > 10 ? ', …' : ''}\n`,
    ),
  ].join('');
}
