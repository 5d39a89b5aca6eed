import { escapeJson } from '../../core/lib/objects.ts';
import { describeUnchecked } from '../../core/schema/run.ts';
import { reportVersion } from '../../core/schema/api/report.ts';
import { judgementsOf } from '../../core/schema/verdict.ts';
import type { Reporter, ReportInput } from './reporter.ts';

/** The size of the pieces in characters. Larger pieces than single results need fewer system calls. */
const pieceLength = 65_536;

/** The JSON reporter: the whole run as one document (see `reportSchema`), one result per line, streamed at any size. */
export const json: Reporter = {
  name: 'json',
  extensions: ['.json'],
  async *report(input, { full }) {
    const { summary: _, ...run } = input.run;
    const narrowing =
      input.narrowing === undefined ? '' : `"narrowing":${JSON.stringify(input.narrowing)},\n`;
    const workers = input.workers === undefined ? '' : `"workers":${JSON.stringify(input.workers)},\n`;
    const clauses = describeUnchecked(input.run);
    const unread = clauses.length === 0 ? '' : `"unread":${JSON.stringify(clauses)},\n`;
    let piece = `{"version":${reportVersion},\n"run":${JSON.stringify(run)},\n"summary":${JSON.stringify(input.summary)},\n${narrowing}${workers}${unread}"results":[`;
    let separator = '\n';
    const judged: string[] = [];
    for await (const result of input.results()) {
      piece += separator + JSON.stringify(result);
      separator = ',\n';
      if (full === true) judged.push(...judgementsOf(result.verdicts));
      if (piece.length < pieceLength) continue;
      yield escapeJson(piece);
      piece = '';
    }
    yield `${escapeJson(piece)}\n]${full === true ? `,\n"judgements":[${await judgementRows(input, judged)}]` : ''}}\n`;
  },
};

/** Formats judgements as JSON, one per line. */
async function judgementRows({ judgements }: ReportInput, ids: readonly string[]): Promise<string> {
  const rows = judgements === undefined ? [] : await Array.fromAsync(judgements([...new Set(ids)]));
  return rows.map((row) => escapeJson(`\n${JSON.stringify(row)}`)).join(',');
}
