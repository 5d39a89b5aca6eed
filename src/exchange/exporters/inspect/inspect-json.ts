import type { Exporter } from '../exporter.ts';
import { streamLater, streamList, streamObject } from '../stream-json.ts';
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

async function* writeJson({ samples, head }: Log): AsyncGenerator<string> {
  const later = (name: string) => streamLater(() => head()[name]);
  yield* streamObject({
    version: 2,
    samples: streamList(samples()),
    status: later('status'),
    eval: later('eval'),
    plan: later('plan'),
    results: later('results'),
    stats: later('stats'),
  });
  yield '\n';
}
