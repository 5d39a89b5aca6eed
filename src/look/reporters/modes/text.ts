import type { ModeComparison, ModeRow, ModeShare, ModeTable } from '../../../core/schema/modes/mode-table.ts';
import type { Mode } from '../../../core/schema/modes/mode.ts';
import { formatPercent, formatPlural } from '../../report/format.ts';
import { type Block, heading, list, paragraph, section, table } from '../blocks/block.ts';
import { renderMarkdown } from '../blocks/markdown.ts';
import { renderTerminal } from '../blocks/terminal.ts';
import { joined, name, quoted, span, type Text } from '../blocks/text.ts';
import type { ReportView } from '../reporter.ts';

/** Formats the table of failure modes for a terminal. */
export function modesText(modes: ModeTable, view: ReportView): string {
  return renderTerminal(blocksOf(modes, view.verbose), view);
}

/** Formats the table of failure modes as Markdown. */
export function modesMarkdown(modes: ModeTable): string {
  return renderMarkdown(blocksOf(modes, true));
}

const percent = (share: number | null): string => (share === null ? '–' : formatPercent(share));

function shareText({ estimate, least, most, lower, upper, reason }: ModeShare): Text {
  if (reason === 'not-drawn') return [span('picked by hand: no share', 'quiet')];
  if (lower === null || upper === null) return [span('not measured', 'quiet')];
  const limits = span(` [${points(lower)}, ${points(upper)}]`, 'quiet');
  if (estimate !== null) return [span(percent(estimate), 'strong'), limits];
  return [span(`${points(least)} to ${percent(most)}`), limits];
}

function points(share: number | null): string {
  return share === null ? '–' : formatPercent(share).replace(/\s*%$/, '');
}

const bars = '▁▂▃▄▅▆▇█';

function trendText({ runs, change }: ModeRow): Text {
  const shares = runs.map(({ share }) => share.estimate);
  const most = Math.max(...shares.map((share) => share ?? 0));
  if (runs.length < 2) return [];
  const drawing = shares.map((share) => {
    if (share === null) return ' ';
    return bars[most === 0 ? 0 : Math.round((share / most) * (bars.length - 1))];
  });
  const word = change === null ? [] : [span(` ${change}`, change === 'worse' ? 'bad' : 'good')];
  return [span(drawing.join('')), ...word];
}

function agreementText({ agreement }: ModeRow): Text {
  if (agreement === null) return [];
  const { n, ac1, isUnclear } = agreement;
  const value = ac1 === null ? 'all alike' : `AC1 ${ac1.toFixed(2)}`;
  return [span(`${value} (${n})`, isUnclear ? 'bad' : undefined)];
}

function blocksOf(modes: ModeTable, isLong: boolean): Block[] {
  const { rows } = modes;
  return [
    heading(1, [span('Failure modes')]),
    paragraph(headText(modes)),
    rows.length === 0
      ? paragraph([
          span('No mode is named yet: '),
          span('touchstone modes add wrong-date --definition "…"', 'strong'),
        ])
      : table(
          [
            { title: 'mode' },
            { title: 'of failed' },
            { title: 'of all' },
            { title: 'agree', isOptional: true },
            { title: 'last runs', isOptional: true, isDrawing: true },
          ],
          rows.map((row) => [
            [name(row.name)],
            row.ofFailed === null ? [] : shareText(row.ofFailed),
            shareText(row.ofAll),
            agreementText(row),
            trendText(row),
          ]),
        ),
    ...whereBlocks(modes),
    ...noteBlocks(modes),
    ...(isLong ? rows.map((row) => section(...rowBlocks(row))) : []),
  ];
}

function headText({ read, answers, strata, seeds, readers, doubled, run, target }: ModeTable): Text {
  const parts =
    strata.length < 2
      ? ''
      : ` (${strata.map((part) => `${part.read} of ${part.size} ${part.name}`).join(', ')})`;
  const seed = strata.length === 0 ? [] : [[span(`seed ${seeds.join(', ')}`)]];
  const people = doubled === 0 ? [] : [[span(`several readers on ${doubled}`)]];
  return joined([
    [span(`${read} of ${formatPlural(answers, 'conversation')} read${parts}`)],
    ...seed,
    [span(formatPlural(readers.length, 'reader'))],
    ...people,
    target === null ? [] : [span('answers of '), name(target)],
    [name(run, 'quiet')],
  ]);
}

function whereBlocks({ where, rows }: ModeTable): Block[] {
  if (where.length === 0) return [];
  const nameOf = (id: string) => rows.find((row) => row.id === id)?.name ?? id;
  const rate = (count: number, of: number) => formatPercent(of === 0 ? null : count / of);
  const items = where.map((cell) => ({
    text: [
      name(nameOf(cell.mode)),
      span(` in ${cell.by} `),
      name(cell.level),
      span(
        `: ${rate(cell.successes, cell.trials)} against ${rate(cell.otherSuccesses, cell.otherTrials)} of the others read, p ${formatP(cell.adjusted)}`,
      ),
    ],
  }));
  return [section(paragraph([span('Where (Fisher, adjusted by Holm over all cells)')]), list(items))];
}

/** Formats a p-value with three digits. */
function formatP(pValue: number): string {
  return pValue < 0.001 ? '< .001' : pValue.toFixed(3).replace(/^0/, '');
}

function noteBlocks({ unseen, unnamed, again, otherTasks, rows }: ModeTable): Block[] {
  const notes: Text[] = [];
  if (unseen !== null) {
    const more = unseen.more === 0 ? '' : ` → ${unseen.more} more without a new kind: under 10 %`;
    notes.push([
      span('not yet seen', 'strong'),
      span(
        `  at most ${formatPercent(unseen.upper)} of failures are of kinds that were not met yet (${unseen.failures} read, ${formatPlural(unseen.once, 'kind')} seen once)${more}`,
      ),
    ]);
  }
  if (unnamed > 0)
    notes.push([
      span(
        `${formatPlural(unnamed, 'conversation')} with something wrong ${unnamed === 1 ? 'has' : 'have'} no mode yet: each counts as a kind of its own.`,
      ),
    ]);
  if (again.answers > 0)
    notes.push([
      span(
        `${formatPlural(again.answers, 'conversation')} to look at again for ${formatPlural(again.modes.length, 'mode')}, ${again.minutes} min: until then shares have a worst and a best case.`,
      ),
    ]);
  for (const { name: called, disputed } of rows)
    if (disputed > 0)
      notes.push([
        name(called),
        span(
          `: readers differ on ${formatPlural(disputed, 'conversation')}, worst and best case until one changes the own mark (the key q of the page leads to them).`,
        ),
      ]);
  for (const row of rows)
    if (row.agreement?.isUnclear === true)
      notes.push([name(row.name), span(': readers agree too little; the definition is the problem.', 'bad')]);
  if (otherTasks.length > 0)
    notes.push([span(`Not among these numbers, since drawn otherwise: ${otherTasks.join(', ')}.`, 'quiet')]);
  return notes.length === 0 ? [] : [section(...notes.map((text) => paragraph(text)))];
}

const quotesShown = 3;

function rowBlocks({
  name: called,
  id,
  definition,
  includes,
  excludes,
  examples,
  yes,
  no,
  disputed,
  unmarked,
}: ModeRow): Block[] {
  const counts = `${yes} yes, ${no} no, ${disputed} disputed, ${unmarked} not marked`;
  return [
    heading(
      3,
      joined([[name(called)], ...(called === id ? [] : [[name(id, 'quiet')]]), [span(counts, 'quiet')]]),
    ),
    paragraph([quoted(definition)]),
    ...includes.map((text) => paragraph([quoted(text)], { label: 'Includes' })),
    ...excludes.map((text) => paragraph([quoted(text)], { label: 'Does not include' })),
    list(
      examples.slice(0, quotesShown).map(({ case: of, quotes, text }) => ({
        text: joined([[name(of)], [quoted(quotes[0] ?? text ?? '')]]),
      })),
    ),
  ];
}

/** Formats the failure modes of two runs for a terminal. */
export function modeComparisonText(comparison: ModeComparison, view: ReportView): string {
  return renderTerminal(comparisonBlocks(comparison), view);
}

/** Formats the failure modes of two runs as Markdown. */
export function modeComparisonMarkdown(comparison: ModeComparison): string {
  return renderMarkdown(comparisonBlocks(comparison));
}

function comparisonBlocks({ a, b, method, rows }: ModeComparison): Block[] {
  const how = method === 'pairs' ? 'the same questions were read in both' : 'different questions were read';
  const signed = (share: number | null) =>
    share === null ? '–' : `${share > 0 ? '+' : ''}${(share * 100).toFixed(1).replace('-', '−')}`;
  return [
    heading(1, [span('Failure modes of two runs')]),
    paragraph(joined([[span('A '), name(a)], [span('B '), name(b)], [span(how)]])),
    table(
      [{ title: 'mode' }, { title: 'A' }, { title: 'B' }, { title: 'B − A, points' }, { title: 'p (Holm)' }],
      rows.map((row) => [
        [name(row.name)],
        shareText(row.a),
        shareText(row.b),
        row.lower === null
          ? [span('not measured', 'quiet')]
          : [
              span(`${signed(row.estimate)} [${signed(row.lower)}, ${signed(row.upper)}]`),
              ...(row.change === null
                ? []
                : [span(` ${row.change}`, row.change === 'worse' ? 'bad' : 'good')]),
            ],
        [span(row.adjusted === null ? '–' : formatP(row.adjusted))],
      ]),
    ),
  ];
}

/** Formats modes that have changed, for a terminal. */
export function editedText(modes: readonly Mode[], view: ReportView): string {
  const items = modes.map(({ id, name: called, state, definition }) => ({
    text: joined([
      [name(called === id ? id : `${called} (${id})`)],
      [span(stateText(state))],
      [quoted(definition)],
    ]),
  }));
  return renderTerminal([list(items)], view);
}

function stateText(state: Mode['state']): string {
  if (state.status === 'merged') return `merged into ${state.into}`;
  return state.status === 'split' ? `split into ${state.into.join(', ')}` : state.status;
}
