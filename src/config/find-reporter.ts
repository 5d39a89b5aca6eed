import path from 'node:path';
import { TouchstoneError } from '../errors.ts';
import * as reporterExports from '../reporters/registry.ts';
import type { Reporter } from '../reporters/reporter.ts';

const reporters: readonly Reporter[] = Object.values(reporterExports);

/** The reporter for a file, chosen by the end of its name. Throws `output-invalid`. */
export function findReporterFor(file: string): Reporter {
  const extension = path.extname(file).toLowerCase();
  const found = reporters.find(({ extensions }) => extensions.includes(extension));
  if (found !== undefined) return found;
  const known = reporters.flatMap(({ extensions }) => extensions).join(', ');
  throw new TouchstoneError('output-invalid', `No report is written to files like ${file}.`, {
    remedy: `Use a file name that ends in ${known}, or \`github\` in a GitHub job.`,
  });
}
