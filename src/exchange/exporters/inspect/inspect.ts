import type { Exporter } from '../exporter.ts';
import type { WrittenSample } from './translate-sample.ts';
import { type Log, openLogs, writeLogs } from './write-logs.ts';

/**
 * A log of Inspect in its binary form, one for each target: a zip archive with a file for each sample.
 * @see https://inspect.aisi.org.uk/eval-logs.html
 */
export const inspect: Exporter = {
  name: 'inspect',
  title: 'Inspect',
  writes: 'a log for each target (.eval), which its viewer opens',
  opensWith: openLogs,
  write: (input, ledger) =>
    writeLogs(input, ledger, { ending: 'eval', write: (log) => writeArchive(entriesOf(log)) }),
};

/** Yields the entries of an archive: the samples, a summary of each, and everything else. */
async function* entriesOf({ samples, head }: Pick<Log, 'samples' | 'head'>): AsyncGenerator<ArchiveEntry> {
  const summaries: object[] = [];
  for await (const sample of samples()) {
    summaries.push(summarize(sample));
    const id = sample.id.replaceAll('..', '_');
    yield { name: `samples/${id}_epoch_${sample.epoch}.json`, text: JSON.stringify(sample) };
  }
  const header = { version: 2, ...head() };
  const { eval: described, plan } = head();
  yield { name: '_journal/start.json', text: JSON.stringify({ version: 2, eval: described, plan }) };
  yield { name: 'summaries.json', text: JSON.stringify(summaries) };
  yield { name: 'header.json', text: JSON.stringify(header) };
}

/** Returns the part of a sample that Inspect's list of samples shows. */
function summarize({
  messages,
  error,
  output: _output,
  store: _store,
  events: _events,
  ...sample
}: WrittenSample): object {
  return {
    ...sample,
    error: error?.message,
    completed: true,
    message_count: messages.length,
  };
}

/** An entry of an archive. */
interface ArchiveEntry {
  readonly name: string;
  readonly text: string;
}

/** Yields the bytes of a zip archive while its entries come. */
async function* writeArchive(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  // Loaded only when an archive is written.
  const { strToU8, Zip, ZipDeflate } = await import('fflate');
  let written: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error;
    written.push(bytes);
  });
  for await (const { name, text } of entries) {
    const entry = new ZipDeflate(name, { level: 6 });
    zip.add(entry);
    entry.push(strToU8(text), true);
    yield* written;
    written = [];
  }
  zip.end();
  yield* written;
}
