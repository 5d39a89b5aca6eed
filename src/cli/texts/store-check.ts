import { displayPath } from '../../core/lib/text/display-path.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { Leftovers, StoreCheck } from '../../library/api/project/check-store.ts';
import { formatPlural } from '../../look/report/format.ts';
import type { Damage } from '../../stores/store.ts';

/** The number of files that are listed. */
const mostShown = 20;

/** Lists the faults of a store and what killed processes left, and what to do about both. */
export function checkText({ exists, damages, leftovers, isCleaned, isWhole }: StoreCheck): string {
  const state = exists
    ? damageText(damages)
    : 'There is no store here yet, so nothing to check: `touchstone run` makes one.\n';
  return state + leftoverText(leftovers, { isCleaned, isWhole });
}

function damageText(damages: readonly Damage[]): string {
  if (damages.length === 0) return 'The store is intact: every record is as it was written.\n';
  const lines = damages.map(({ runId, what }) => `  ${runId === undefined ? '' : `run ${runId}: `}${what}`);
  const remedy =
    'Save the intact records of a run: touchstone export RUN --salvage --output FILE\n' +
    'Save the intact labels: touchstone labels export FILE --salvage';
  return `The store is damaged:\n${lines.map(toTerminalText).join('\n')}\n${remedy}\n`;
}

function leftoverText(
  { parts, work, unused, waiting, halfSent }: Leftovers,
  { isCleaned, isWhole }: Pick<StoreCheck, 'isCleaned' | 'isWhole'>,
): string {
  const lines = [
    ...parts.map((file) => `${displayPath(file)} (half of a file)`),
    ...work.map((file) => `${displayPath(file)} (temporary files)`),
    ...unused.map(
      (hash) => `${hash.slice(0, 12)}… in the store (a picture or another file that no run names)`,
    ),
  ];
  const next = isWhole
    ? 'Remove them: touchstone check --clean'
    : 'Nothing is removed while the store is damaged.';
  const left = [
    isCleaned ? 'Removed, since killed processes had left it:' : 'Left by processes that were killed:',
    ...lines.slice(0, mostShown).map((line) => `  ${toTerminalText(line)}`),
    ...(lines.length > mostShown ? [`  … and ${lines.length - mostShown} more (all: --json)`] : []),
    ...(isCleaned ? [] : [next]),
  ];
  const waits = [
    'Answers that could not be stored yet:',
    ...waiting.map((file) => `  ${toTerminalText(displayPath(file))}`),
    'Store them: touchstone run --resume (a file that ends with .damaged could not be read to its end)',
  ];
  const sent = [
    'Runs that were sent here in part:',
    ...halfSent.map(
      ({ run, lines: count, at }) =>
        `  ${toTerminalText(run)}: ${formatPlural(count, 'line')}${at === null ? '' : `, the last one ${ageOf(at)}`}`,
    ),
    'Complete one where it was sent from: touchstone push RUN',
    'Remove one: touchstone delete RUN',
  ];
  return [
    ...(lines.length > 0 ? left : []),
    ...(waiting.length > 0 ? waits : []),
    ...(halfSent.length > 0 ? sent : []),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Says how long ago a time was, in the largest unit that fits. */
function ageOf(at: string): string {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(at)) / 60_000));
  if (minutes < 60) return `${formatPlural(minutes, 'minute')} ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? `${formatPlural(hours, 'hour')} ago`
    : `${formatPlural(Math.floor(hours / 24), 'day')} ago`;
}
