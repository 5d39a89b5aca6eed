import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { SuggestedModes } from '../../library/api/modes/suggest.ts';
import { formatMoney, formatPlural } from '../../look/report/format.ts';

/** The number of notes that are printed of a group. */
const mostShown = 3;

/** Describes suggested groups of notes, the largest first, and what to do with them. */
export function describeGrouping({ grouping, notes, heldBack, spending }: SuggestedModes): string {
  const groups = grouping.groups.toSorted((one, other) => other.notes.length - one.notes.length);
  const lines = groups.flatMap(({ name, definition, notes: ids }) => [
    `${name}: ${formatPlural(ids.length, 'note')}`,
    ...(definition === '' ? [] : [`  ${definition}`]),
    ...ids.slice(0, mostShown).map((id) => `  · ${notes[id] ?? ''}`),
    ...(ids.length > mostShown ? [`  · … ${ids.length - mostShown} more`] : []),
  ]);
  const { cost, calls } = spending;
  const price = cost === null ? '' : `, ${formatMoney(cost)}`;
  return toText([
    ...lines,
    '',
    `${formatPlural(grouping.ungrouped.length, 'note')} in no group.`,
    ...(heldBack === 0
      ? []
      : [
          `${formatPlural(heldBack, 'note')} not sent: they are of the half of the questions that certifies judges.`,
        ]),
    ...(calls === 0 ? [] : [`${formatPlural(calls, 'call')}${price}.`]),
    '',
    'Nothing of it counts yet. Make modes of it on the page (`touchstone view`, Failure modes), or:',
    '  touchstone modes add wrong-date --definition "States a date that no source or user message gives."',
  ]);
}

function toText(lines: readonly string[]): string {
  const split = lines.flatMap((line) => line.split('\n'));
  return `${split.map(toTerminalText).join('\n')}\n`;
}
