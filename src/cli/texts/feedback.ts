import type { FeedbackReceipt } from '../../people/feedback/receive.ts';
import type { FeedbackGroup, FeedbackSummary } from '../../people/feedback/summarize.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { formatPercent, formatPlural, formatPoints, missing } from '../../look/report/format.ts';
import type { KeptFeedback } from '../../stores/kinds/feedback.ts';

/** The most refused records that are named. */
const mostRefused = 20;

/** Describes the fate of imported feedback. */
export function describeReceipt({ added, known, matched, refused }: FeedbackReceipt): string {
  const more = refused.length - mostRefused;
  if (added + known + refused.length === 0) return 'The file has no feedback: nothing was added.\n';
  return toText([
    `Added ${formatPlural(added, 'record')} of feedback, ${matched} of them about an answer in the store; ${known} were already there.`,
    ...(refused.length === 0 ? [] : [`Refused ${formatPlural(refused.length, 'record')}:`]),
    ...refused
      .slice(0, mostRefused)
      .map(({ place, id, reason }) => `  ${place ?? id ?? 'without an id'}: ${reason}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]);
}

/** Describes what users said, by category and period. */
export function describeSummary(summary: FeedbackSummary): string {
  const { counts, signals, all, categories, groups } = summary;
  if (counts.all === 0) return 'There is no feedback yet: docs/production.md.\n';
  const said = Object.entries(signals).map(([signal, count]) => `${signal} ${count}`);
  const fates = [
    `${counts.matched} about an answer in the store`,
    ...(counts.waiting > 0 ? [`${counts.waiting} waiting for theirs`] : []),
    ...(counts.unmatched > 0 ? [`${counts.unmatched} without one`] : []),
  ];
  const head = `${formatPlural(counts.all, 'record')} of feedback: ${fates.join(', ')}.`;
  if (all.answers === 0) return toText([head, `Signals: ${said.join(', ')}`]);
  const isOne = groups.length === categories.length;
  return toText([
    head,
    `Signals: ${said.join(', ')}`,
    '',
    ...setRows([
      titles(''),
      rowOf('all', all),
      ...categories.map((group) => rowOf(group.category ?? '', group)),
    ]),
    ...(isOne
      ? []
      : [
          '',
          ...setRows([
            titles(`by ${summary.length}`),
            ...groups.map((group) => rowOf(`${group.period} ${group.category}`, group)),
          ]),
        ]),
    '',
    'responded: answers with a thumb or stars · negative: of these, the share with a thumb down or at most two stars, 95 % interval',
    'of all users: between these, whatever those think who did not respond; who responds is not random',
  ]);
}

function titles(first: string): string[] {
  return [first, 'answers', 'responded', 'negative', 'interval', 'of all users', 'edited', 'escalated'];
}

function rowOf(name: string, group: FeedbackGroup): string[] {
  const { answers, responseRate, negative, bounds, edited, escalated } = group;
  return [
    name,
    String(answers),
    formatPercent(responseRate.estimate),
    formatPercent(negative.estimate),
    negative.lower === null ? '' : `[${formatPoints(negative.lower)}, ${formatPoints(negative.upper)}]`,
    bounds === null ? missing : `${formatPoints(bounds.lower)} to ${formatPercent(bounds.upper)}`,
    String(edited),
    String(escalated),
  ];
}

/** Sets rows as columns, the first one to the left and the others to the right. */
export function setRows(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Describes records of feedback, a line each. */
export function describeRecords(records: readonly KeptFeedback[]): string {
  if (records.length === 0) return 'There is no feedback yet: docs/production.md.\n';
  return toText(
    records.map(({ feedback, match }) => {
      const { at, id, signal, value, name, text } = feedback;
      const said = [signal, name, value].filter((part) => part !== undefined).join(' ');
      const about = match === null ? 'no answer yet' : `${match.caseId} (${match.target}, run ${match.run})`;
      return `${at}  ${id}  ${said}  ${about}${text === undefined ? '' : `  ${JSON.stringify(text.slice(0, 80))}`}`;
    }),
  );
}

/** Joins lines for a terminal: texts of users contain no control sequences. */
export function toText(lines: readonly string[]): string {
  return `${lines.map(toTerminalText).join('\n')}\n`;
}
