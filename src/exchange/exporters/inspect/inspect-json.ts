import type { Exporter } from '../exporter.ts';
import { streamList, streamObject } from '../stream-json.ts';
import { type Log, openLogs, writeLogs } from './write-logs.ts';

/**
 * A log of Inspect as one JSON document, for each target.
 * @see https://inspect.aisi.org.uk/eval-logs.html
 */
export const inspectJson: Exporter = {
  name: 'inspect-json',
  title: 'Inspect',
  writes: 'a log for each target (.json), which its viewer opens',
  opensWith: openLogs,
  write: (input, ledger) => writeLogs(input, ledger, { ending: 'json', write: writeJson }),
};

/** Writes a log with the samples at its end, since Inspect reads what comes before them when it lists logs. */
async function* writeJson({ samples, readHead }: Log): AsyncGenerator<string> {
  yield* streamObject({ version: 2, ...(await readHead()), samples: streamList(samples()) });
  yield '\n';
}
