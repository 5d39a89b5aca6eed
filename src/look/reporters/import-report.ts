import { styleText } from 'node:util';
import { displayWidth, shorten, toTerminalText, wrap } from '../../core/lib/text/terminal-text.ts';
import { formatCount, formatPlural } from '../report/format.ts';
import {
  type Fate,
  fates,
  type ImportRecord,
  type LedgerEntry,
  type DatasetExportRecord,
  type ExportRecord,
} from '../../core/schema/api/imported-project.ts';

/** The titles of the fates, in the order in which a reader wants them: the losses come last, next to the prompt. */
const titles: Readonly<Record<Fate, string>> = {
  taken: 'Taken over',
  approximated: 'Approximated',
  metadata: 'Kept as metadata',
  'left-out': 'Not taken over',
};

/** The form of an import report for the terminal. */
export interface ImportView {
  readonly width: number;
  readonly color: boolean;
}

/** Formats what was found in a file of another tool, and what becomes of every part of it. */
export function importText({ tool, found, parts, ledger }: ImportRecord, view: ImportView): string {
  const version = tool.version === undefined ? '' : ` ${tool.version}`;
  const name = `${tool.title}${version}`;
  // A description that begins or ends with the tool says whose file it is.
  const isNamed = version === '' && found.includes(tool.title);
  const head = isNamed
    ? paint('bold', toTerminalText(found), view)
    : `${paint('bold', name, view)}  ${toTerminalText(found)}`;
  return formatLedger(head, { parts, ledger }, view);
}

/** Formats what becomes of every part of a run or a dataset in the form of another tool. */
export function exportText(record: ExportRecord | DatasetExportRecord, view: ImportView): string {
  const source = 'run' in record ? `run ${record.run}` : `dataset ${record.dataset.join(', ')}`;
  return formatLedger(`${paint('bold', record.title, view)}  ${toTerminalText(source)}`, record, view);
}

function formatLedger(
  head: string,
  { parts, ledger }: Pick<ImportRecord, 'parts' | 'ledger'>,
  view: ImportView,
): string {
  const blocks = fates.flatMap((fate) => {
    const entries = ledger.filter((entry) => entry.fate === fate);
    return entries.length === 0 ? [] : [formatBlock(fate, parts[fate] ?? 0, entries, view)];
  });
  return `${[head, ...blocks].join('\n\n')}\n`;
}

/** The most columns of the names of parts; longer ones are shortened. */
const mostWidth = 56;

function formatBlock(fate: Fate, count: number, entries: readonly LedgerEntry[], view: ImportView): string {
  const widest = Math.min(
    mostWidth,
    Math.max(...entries.map(({ part }) => displayWidth(toTerminalText(part)))),
  );
  const digits = Math.max(...entries.map((entry) => formatCount(entry.count).length));
  const lines = entries.flatMap((entry) => formatEntry(entry, { widest, digits, view }));
  return [`${paint('bold', titles[fate], view)}  ${formatPlural(count, 'part')}`, ...lines].join('\n');
}

function formatEntry(
  { part, became, note, count, places }: LedgerEntry,
  { widest, digits, view }: { widest: number; digits: number; view: ImportView },
): string[] {
  const name = shorten(toTerminalText(part), widest);
  const head = `  ${formatCount(count).padStart(digits)}  ${name}${' '.repeat(widest - displayWidth(name))}`;
  const margin = ' '.repeat(digits + 4);
  const remarks = [note, places.length === 0 ? undefined : `at ${places.join(', ')}`].filter(
    (each) => each !== undefined,
  );
  return [
    became === undefined ? head.trimEnd() : `${head}  → ${toTerminalText(became)}`,
    ...remarks.flatMap((remark) =>
      wrap(toTerminalText(remark), Math.max(40, view.width - margin.length)).map(
        (line) => `${margin}${paint('dim', line, view)}`,
      ),
    ),
  ];
}

function paint(style: 'bold' | 'dim', text: string, { color }: ImportView): string {
  return color ? styleText(style, text, { validateStream: false }) : text;
}

/** The most cases that differ that are listed. */
const mostDifferences = 5;

/**
 * Formats how far our checks give the verdicts that another tool recorded, as one paragraph; an empty list when no check
 * was made by both.
 */
export function agreementText({ answers, agreeing, differences }: AgreementCounts, tool: string): string[] {
  if (answers === 0) return [];
  const head = `On ${formatCount(agreeing)} of ${formatPlural(answers, 'answer')} that both checked, ${tool} and Touchstone agree in every check`;
  if (differences.length === 0) return [`${head}.`];
  const say = (value: boolean | number) =>
    typeof value === 'number' ? value.toFixed(2) : value ? 'passes' : 'fails';
  const listed = differences.slice(0, mostDifferences).map(({ caseId, target, attempt, check, ...both }) => {
    const [theirs, ours] = [say(both.recorded), say(both.own)];
    return toTerminalText(
      `  ${check} of the question ${caseId} (${target}, attempt ${attempt}): ${theirs} in ${tool}, ${ours} here`,
    );
  });
  const more = differences.length - listed.length;
  return [
    [`${head}; they differ in:`, ...listed, ...(more > 0 ? [`  and ${formatCount(more)} more`] : [])].join(
      '\n',
    ),
  ];
}

/** Counts of the recorded verdicts that our checks give, too. */
interface AgreementCounts {
  readonly answers: number;
  readonly agreeing: number;
  readonly differences: readonly {
    readonly caseId: string;
    readonly target: string;
    readonly attempt: number;
    readonly check: string;
    readonly recorded: boolean | number;
    readonly own: boolean | number;
  }[];
}
