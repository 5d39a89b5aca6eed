import { sides } from '../../core/lib/filter/filter.ts';
import type { Matrix, MatrixCell, MatrixHead, MatrixRow } from '../../core/schema/api/comparison/matrix.ts';
import { formatCount, formatPercent, formatPlural, formatTime, outcomeSigns } from '../report/format.ts';
import { describeFailedAgain, formatScore } from '../report/score-in-words.ts';
import { type Block, heading, list, paragraph, section, table } from './blocks/block.ts';
import { renderMarkdown } from './blocks/markdown.ts';
import { renderTerminal } from './blocks/terminal.ts';
import { joined, markTones, name, quoted, span, type Text } from './blocks/text.ts';
import type { ReportView } from './reporter.ts';

/** Formats a matrix for a terminal: each question with the answers of all columns below it. */
export function matrixText(matrix: Matrix, view: ReportView): string {
  const most = view.full === true || view.verbose ? longestAnswer : shortAnswer;
  const items = matrix.rows.map((row) => ({
    text: questionOf(row),
    details: row.cells.map((cell, at) => ({
      mark: [span(`${letter(at)}  `, 'strong'), ...signOf(cell), span(' ')],
      text: joined([...resultOf(cell), ...wordsOf(cell, most)]),
    })),
  }));
  return renderTerminal([...head(matrix), list(items), ...foot(matrix)], view);
}

/** Formats a matrix as Markdown: a table with a row for each question and a column for each target or run. */
export function matrixMarkdown(matrix: Matrix): string {
  const rows = matrix.rows.map((row) => [
    questionOf(row),
    ...row.cells.map((cell) => [
      ...signOf(cell),
      span(' '),
      ...joined([...resultOf(cell), ...wordsOf(cell, longestAnswer)]),
    ]),
  ]);
  const columns = matrix.columns.map((_, at) => ({ title: letter(at) }));
  return renderMarkdown([...head(matrix), table([{ title: 'Question' }, ...columns], rows), ...foot(matrix)]);
}

/** The most columns of an answer in a terminal, and in a file, where code spans are no longer. */
const shortAnswer = 160;
const longestAnswer = 600;
const longestReason = 200;

const letter = (at: number): string => (sides[at] ?? 'a').toUpperCase();

function head(matrix: Matrix): Block[] {
  const { columns } = matrix;
  const items = columns.map((column, at) => ({
    mark: [span(`${letter(at)}  `, 'strong')],
    text: columnText(column),
  }));
  return [heading(1, [span('Answers side by side')]), list(items), paragraph([span(countText(matrix))])];
}

function columnText({ run, target, name: given, createdAt, headline }: MatrixHead): Text {
  const score =
    headline === null
      ? 'no score yet'
      : headline.failedAgain !== undefined
        ? describeFailedAgain(headline.failedAgain)
        : `${formatScore(headline)}, n = ${formatCount(headline.counts.measured)}/${formatCount(headline.counts.planned)}`;
  const called = given === undefined ? [] : [[name(given)]];
  return joined([
    [name(target)],
    [name(run)],
    ...called,
    [span(formatTime(createdAt), 'quiet')],
    [span(score)],
  ]);
}

function countText({ columns, counts, rows, sort }: Matrix): string {
  const { all, matching, differ, allFail, onlyFails } = counts;
  const only =
    columns.length < 2 ? [] : onlyFails.map((count, at) => `only ${letter(at)} fails ${formatCount(count)}`);
  const which = sort === 'mean' ? 'worst' : 'first';
  const shown = rows.length === matching ? '' : `, the ${which} ${formatCount(rows.length)} of them below`;
  const of = matching === all ? '' : `; ${formatCount(matching)} match the filter`;
  const kinds = [`they differ ${formatCount(differ)}`, `all fail ${formatCount(allFail)}`, ...only].join(
    ', ',
  );
  return `${formatPlural(all, 'question')} in all columns (${kinds})${of}${shown}.`;
}

function questionOf({ caseId, question }: MatrixRow): Text {
  return [quoted(question === '' ? caseId : question, undefined, 300)];
}

function signOf({ result }: MatrixCell): Text {
  return [result === null ? span('–', 'quiet') : span(outcomeSigns[result], markTones[result])];
}

const words = {
  passed: 'passed',
  failed: 'failed',
  error: 'error',
  'not-measured': 'not measured',
  unscored: 'not scored',
} as const;

function resultOf({ result, total, attempts }: MatrixCell): Text[] {
  if (result === null) return [[span('not asked', 'quiet')]];
  const passed = attempts.filter((attempt) => attempt === 'passed').length;
  const parts = [words[result], ...(total === null ? [] : [formatPercent(total)])].join(' ');
  const made =
    attempts.length > 1 ? [[span(`${passed} of ${attempts.length} attempts passed`, 'quiet')]] : [];
  return [[span(parts, markTones[result])], ...made];
}

function wordsOf({ answer, reason }: MatrixCell, most: number): Text[] {
  const said =
    answer === null || answer.trim() === ''
      ? []
      : [[quoted(answer.replaceAll(/\s+/g, ' '), undefined, most)]];
  return [...said, reason === null ? [] : [span('why: ', 'quiet'), quoted(reason, undefined, longestReason)]];
}

function foot({ columns, counts, leftOut }: Matrix): Block[] {
  const apart = columns.flatMap(({ target }, at) => {
    const { cases = 0, first = [] } = counts.unpaired[at] ?? {};
    if (cases === 0) return [];
    const ids = joined(
      first.map((id) => [name(id)]),
      ', ',
    );
    const more = cases > first.length ? [span(` and ${formatCount(cases - first.length)} more`)] : [];
    return [
      {
        mark: [span(`${letter(at)}  `, 'strong')],
        text: [name(target), span(`: ${formatPlural(cases, 'question')}: `), ...ids, ...more],
      },
    ];
  });
  const blocks: Block[] = [];
  if (apart.length > 0) blocks.push(section(heading(3, [span('Not in every column')]), list(apart)));
  if (leftOut.length > 0) {
    const names = joined(
      leftOut.map(({ run, target }) => [name(target), span(' of '), name(run)]),
      ', ',
    );
    blocks.push(paragraph([span('Eight columns are shown; without: '), ...names]));
  }
  return blocks;
}
