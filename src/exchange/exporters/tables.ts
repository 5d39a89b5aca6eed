import { formatPlural } from '../../look/report/format.ts';
import { runTitle } from '../../look/report/phrase.ts';
import type { Ledger } from '../importers/ledger.ts';
import type { ReportInput } from '../../look/report/report-input.ts';
import { csv as csvReport } from '../../look/reporters/csv.ts';
import { parquet as parquetReport } from '../../look/reporters/parquet.ts';
import type { ReportView } from '../../look/reporters/reporter.ts';
import { noteOwnParts } from './common-parts.ts';
import type { Exporter } from './exporter.ts';

/** Tables are for machines: nothing in them depends on the view. */
const plain: ReportView = { verbose: false, width: 80, color: false };

/** A row for each trial, for spreadsheets. */
export const csv: Exporter = {
  name: 'csv',
  title: 'CSV',
  writes: 'a row for each attempt, safe to open in a spreadsheet',
  write: (input, ledger) => {
    noteColumns(input, ledger);
    return [{ name: `${input.run.id}.csv`, pieces: csvReport.report(input, plain) }];
  },
};

/** A row for each trial, with typed columns, for data tools. */
export const parquet: Exporter = {
  name: 'parquet',
  title: 'Parquet',
  writes: 'a row for each attempt, with typed columns',
  write: (input, ledger) => {
    noteColumns(input, ledger);
    return [{ name: `${input.run.id}.parquet`, pieces: parquetReport.report(input, plain) }];
  },
};

/** A dataset for the Hugging Face Hub: the table, with a card that describes it. */
export const huggingFace: Exporter = {
  name: 'hugging-face',
  title: 'Hugging Face',
  writes: 'a folder with a dataset card and the attempts as Parquet, ready for the Hub',
  write: (input, ledger) => {
    noteColumns(input, ledger);
    return [
      { name: 'README.md', pieces: writeCard(input) },
      { name: 'data/test-00000-of-00001.parquet', pieces: parquetReport.report(input, plain) },
    ];
  },
};

async function* writeCard({ run }: ReportInput): AsyncGenerator<string> {
  const { cases, sources } = run.dataset;
  const title = JSON.stringify(runTitle(run));
  yield await Promise.resolve(
    [
      '---',
      `pretty_name: ${title}`,
      'tags: [evaluation, touchstone]',
      'configs:',
      '  - config_name: default',
      '    data_files:',
      '      - split: test',
      '        path: data/test-*.parquet',
      '---',
      '',
      `# Run ${run.id}`,
      '',
      `${formatPlural(cases, 'question')} of ${sources.map(toCode).join(', ')}, asked of ${run.targets.map(({ name }) => toCode(name)).join(', ')}, ${run.attempts === 1 ? 'once each' : `${run.attempts} times each`}, evaluated with Touchstone ${run.touchstoneVersion} on ${run.createdAt.slice(0, 10)}.`,
      '',
      'A row is one attempt: question, answer, score, a column for each metric and one for its explanation. A cell is null where',
      'nothing was measured; it is never 0.',
      '',
    ].join('\n'),
  );
}

/** Returns a name as code of Markdown, on one line. */
function toCode(text: string): string {
  return `\`${text.replaceAll(/[`\s]+/g, ' ')}\``;
}

function noteColumns({ run }: ReportInput, ledger: Ledger): void {
  noteOwnParts(run, ledger);
  ledger.take('attempt', 'row');
  ledger.leaveOut('conversations', {
    note: 'A row has the question, the answer and the names of the tools; the rest is in `touchstone export` without `--to`.',
  });
  ledger.leaveOut('evidence of verdicts', { note: 'A row has their values and explanations.' });
}
