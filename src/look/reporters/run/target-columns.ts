import { displayWidth, shorten } from '../../../core/lib/text/terminal-text.ts';
import { type FailedQuestion, failsForAll } from '../../report/rows/failed-questions.ts';
import { cellName } from '../../report/grid/cell-name.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import { formatCount, outcomeSigns } from '../../report/format.ts';
import { sayScore, judgeParts, shownScore } from '../../report/score-in-words.ts';
import type { Block, Column, Row } from '../blocks/block.ts';
import { joined, markTones, name, quoted, shareTone, span, type Text, type Tone } from '../blocks/text.ts';
import { missingText, onOneLine, saidText } from './failed-item.ts';

/** The most targets that have a row and a column. */
const mostTargets = 12;

/** Lays out several targets as rows: the score in words, and the counts of outcomes. */
export function targetTable(reported: readonly ReportedTarget[]): Block {
  const titles = titlesOf(reported);
  const columns: Column[] = [
    { title: '', name: 'Target' },
    { title: 'Score', align: 'right' },
    { title: 'How sure' },
    ...['Passed', 'Failed', 'Errors', 'Not measured', 'Not asked'].map(
      (title): Column => ({ title, align: 'right' }),
    ),
  ];
  const rows = reported.slice(0, mostTargets).map(({ run, target }, place): Row => {
    const { score, sure } = sayScore(target, run);
    const { passed, failed, errors, notMeasured, cancelled, notRun } = target.counts;
    const isNumbered = titles[place] !== cellName(run, target.target);
    return {
      cells: [
        [...(isNumbered ? [span(`${titles[place]}  `)] : []), name(cellName(run, target.target), 'strong')],
        [
          {
            ...span(score, shareTone(shownScore(target).value.value, run.scorecard?.passMark)),
            isStrong: true,
          },
        ],
        joined([sure, ...judgeParts(target)].filter(Boolean).map((text) => [span(text, 'quiet')])),
        ...(run.scorecard === null ? [[], []] : [count(passed, 'good'), count(failed, 'bad')]),
        count(errors, 'fault'),
        notMeasured === 0 ? [] : count(notMeasured, 'fair'),
        cancelled + notRun === 0 ? [] : count(cancelled + notRun, 'fair'),
      ],
    };
  });
  return { kind: 'table', columns, rows };
}

function count(number: number, tone: Tone): Text {
  return [span(formatCount(number), number === 0 ? 'quiet' : tone)];
}

/** The widest title of a column of signs; with wider names the columns are numbered. */
const widestTitle = 8;

/** Returns the titles of the columns of signs: the names of the targets where they are short, otherwise numbers. */
function titlesOf(reported: readonly ReportedTarget[]): string[] {
  const names = reported
    .slice(0, mostTargets)
    .map(({ run, target }) => shorten(cellName(run, target.target), widestTitle + 1));
  const areShort = names.every(
    (one) => displayWidth(one) <= Math.min(widestTitle, Math.floor(36 / names.length)),
  );
  return areShort ? names : names.map((_, place) => String(place + 1));
}

const longestQuestion = 120;
const longestNote = 100;

/** Lays out questions that a target did not pass as rows, with a column of signs for each target. */
export function questionTable(
  reported: readonly ReportedTarget[],
  questions: readonly FailedQuestion[],
): Block {
  const titles = titlesOf(reported);
  const columns: Column[] = [
    { title: reported[0]?.run.scorecard === null ? 'Lowest' : 'Did not pass' },
    ...titles.map((title): Column => ({ title, isQuoted: true })),
  ];
  return {
    kind: 'table',
    columns,
    rows: questions.map((question): Row => {
      const { row, outcomes } = question;
      return {
        cells: [
          [quoted(onOneLine(row.question), undefined, longestQuestion)],
          ...outcomes
            .slice(0, mostTargets)
            .map((outcome) =>
              outcome === undefined ? [] : [span(outcomeSigns[outcome], markTones[outcome])],
            ),
        ],
        below: [noteOn(question, titles)],
      };
    }),
  };
}

/** Sets what was missing and what one target said, or that the expectation may be wrong. */
function noteOn({ row, target, alike, ...question }: FailedQuestion, titles: readonly string[]): Text {
  const missing = missingText(row, longestNote);
  if (alike > 0) return [span(`and ${formatCount(alike)} more: `, 'quiet'), ...missing];
  if (failsForAll(question))
    return [span('fails for all: look at the expectation', 'fair'), span(' · '), ...missing];
  const who = name(titles[question.place] ?? target, 'quiet', widestTitle);
  return [who, span(': '), ...joined([missing, saidText(row, longestNote)])];
}
