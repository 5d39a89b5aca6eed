import { shorten, toTerminalText } from '../lib/terminal-text.ts';
import { formatCount, formatPercent, formatPlural, formatWeight } from '../report/format/format-number.ts';
import type { ScoreChange, ScoreChanges } from '../schema/score-changes.ts';

const mostFlips = 40;
const widestName = 40;

/** What other weights make of a run, in words. */
export function formatChanges({ run, weights, targets, flips, flipCount }: ScoreChanges): string {
  const lines = [
    `Run ${run} under other weights`,
    '',
    ...weights.map(weightLine),
    ...targets.flatMap((target) => ['', ...targetLines(target, targets.length > 1)]),
    '',
    flipCount === 0 ? 'No answer comes out differently.' : `${formatPlural(flipCount, 'answer')} would flip:`,
    ...flips.slice(0, mostFlips).map((flip) => flipLine(flip, targets.length > 1)),
    ...(flipCount > mostFlips
      ? [`  … and ${formatCount(flipCount - mostFlips)} more; --json lists them`]
      : []),
    '',
    'Nothing was called and nothing is kept; --keep keeps it as a run.',
  ];
  return `${lines.join('\n')}\n`;
}

function weightLine({ criterion, before, after }: ScoreChanges['weights'][number]): string {
  const change = before === after ? '' : ` → ${formatWeight(after)}`;
  return `  ${padded(criterion)}  ${formatWeight(before)}${change}`;
}

function targetLines(
  {
    target,
    compared,
    meanBefore,
    meanAfter,
    passedBefore,
    passedAfter,
    marks,
  }: ScoreChanges['targets'][number],
  isNamed: boolean,
): string[] {
  const score = `${formatPercent(meanBefore)} → ${formatPercent(meanAfter)}  (${formatPlural(compared, 'answer')})`;
  return [
    ...(isNamed ? [toTerminalText(target)] : []),
    `  ${padded('score')}  ${score}`,
    `  ${padded('passed')}  ${formatCount(passedBefore)} → ${formatCount(passedAfter)}`,
    ...marks.map(
      ({ mark, before, after }) => `  ${padded(mark)}  ${formatCount(before)} → ${formatCount(after)}`,
    ),
  ];
}

function flipLine({ caseId, target, attempt, before, after }: ScoreChange, hasTargets: boolean): string {
  const who = [caseId, ...(hasTargets ? [target] : []), ...(attempt > 1 ? [`#${attempt}`] : [])];
  const marks = [before, after].map(({ mark, passed }) => mark ?? (passed === true ? 'passed' : 'unknown'));
  const totals = [before, after].map(({ total }) => formatPercent(total));
  return `  ${padded(who.join(' '))}  ${marks.map(toTerminalText).join(' → ')}  ${totals.join(' → ')}`;
}

function padded(name: string): string {
  return shorten(name, widestName).padEnd(24);
}
