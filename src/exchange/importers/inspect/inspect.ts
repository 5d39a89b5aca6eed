import { TouchstoneError } from '../../../core/errors.ts';
import { formatPlural } from '../../../look/report/format.ts';
import type { ImportContent } from '../content/content.ts';
import { readCell, rowsOf } from '../content/rows.ts';
import type { Importer, Translation } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { restoreOwnParts } from '../own-parts.ts';
import { asObject, asText, type Fields } from '../values.ts';
import { namesOf } from './name-samples.ts';
import { readLogs } from './read-logs.ts';
import { translateCase } from './translate-case.ts';
import { translateLogs } from './translate-logs.ts';

/**
 * Logs of Inspect: `.eval`, a zip archive, and `.json`. The maintainers call the Python interface and not the file stable, so
 * unknown fields are no error.
 * @see https://inspect.aisi.org.uk/eval-logs.html
 */
export const inspect: Importer = {
  name: 'inspect',
  title: 'Inspect',
  reads: [
    'input',
    'target',
    'version',
    'status',
    'eval.model',
    'eval.task',
    'eval.dataset.sample_ids',
    'eval.packages.inspect_ai',
    'eval.scorers.name',
    'messages.content',
    'messages.role',
    'messages.error.message',
    'messages.error.type',
    'samples.target',
    'samples.working_time',
    'scores.*.value',
    'scores.*.value.*',
    'scores.*.explanation',
    'model_usage.*.input_tokens_cache_read',
    'model_usage.*.input_tokens',
    'model_usage.*.output_tokens',
    'stats.model_usage.*',
  ],
  detect(content) {
    const logs = readLogs(content);
    const samples = logs.length === 0 ? samplesIn(content) : [];
    if (samples.length > 0) return describeSamples(samples);
    if (logs.length === 0) return undefined;
    const tasks = new Set(logs.map(({ head }) => asText(asObject(head.eval)?.task) ?? 'without a name'));
    const named = [...tasks].slice(0, 3).join(', ');
    const kind = logs.length === 1 ? 'an Inspect log' : `${logs.length} Inspect logs`;
    return `${kind} of the ${tasks.size === 1 ? 'task' : 'tasks'} ${named}${tasks.size > 3 ? ', …' : ''}`;
  },
  isRecorded(content) {
    return readLogs(content).length > 0;
  },
  async read(content, ledger) {
    const logs = readLogs(content);
    const samples = logs.length === 0 ? samplesIn(content) : [];
    if (samples.length > 0) return translateDataset(samples, ledger);
    if (logs.length > 0) return translateLogs(logs, ledger);
    throw new TouchstoneError(
      'import-invalid',
      `${content.name}: it is no log of Inspect and no dataset of samples.`,
    );
  },
};

/** Returns the samples of a dataset: rows with an input and a target. */
function samplesIn(content: ImportContent): readonly Fields[] {
  const rows = rowsOf(content) ?? [];
  return rows.every((row) => 'input' in row && 'target' in row && !('expectedOutput' in row)) ? rows : [];
}

function describeSamples(samples: readonly Fields[]): string {
  return `a dataset of Inspect with ${formatPlural(samples.length, 'sample')}`;
}

/** Translates the samples of a dataset, which are not answered yet. */
function translateDataset(samples: readonly Fields[], ledger: Ledger): Translation {
  const nameOf = namesOf(samples);
  const cases = samples.map((sample) => {
    const metadata = asObject(readCell(sample.metadata)) ?? {};
    const read = { ...sample, target: readTarget(sample.target), metadata };
    return restoreOwnParts(translateCase(read, nameOf(sample), ledger));
  });
  return { found: describeSamples(samples), description: 'Samples of Inspect', cases };
}

/** Returns the target of a sample; in a table, several are a list of Python. An empty one is none. */
function readTarget(target: unknown): unknown {
  const read = typeof target === 'string' && target.startsWith('[') ? readCell(target) : target;
  return read === '' ? undefined : read;
}
