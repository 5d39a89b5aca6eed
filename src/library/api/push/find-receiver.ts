import { TouchstoneError } from '../../../core/errors.ts';
import { findConfig, loadConfig } from '../../config/load-config.ts';
import { reportSettingSchema } from '../../../core/schema/account/report-setting.ts';

/** A server for runs, and the project in it. */
export interface Receiver {
  readonly server: string;
  readonly project: string;
}

/** Returns the server that options name, else the one that the config of a folder names. Throws `usage-invalid` when neither names one. */
export async function findReceiver(
  options: Partial<Receiver>,
  folder: string = process.cwd(),
): Promise<Receiver> {
  const { server, project = 'main' } = options;
  if (server !== undefined) return { server, project };
  const file = await findConfig(folder).catch(() => undefined);
  const { written } = file === undefined ? { written: undefined } : await loadConfig(file);
  const { report } = Object(written) as { readonly report?: unknown };
  const found = reportSettingSchema.safeParse(report);
  if (found.success) return { ...found.data, ...(options.project !== undefined && { project }) };
  throw new TouchstoneError('usage-invalid', 'No server is named.', {
    remedy:
      'Add `--server https://evals.example.org`, or set `report: { server: https://evals.example.org }` in the config.',
  });
}
