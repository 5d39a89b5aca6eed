import type { Gate } from '../schema/gate.ts';
import { explainProblems } from './explain-problems.ts';
import { findConfig } from './find-config.ts';
import { loadConfig } from './load-config.ts';
import { checkConfig } from './resolve.ts';
import { type GateNames, resolveGate } from './resolve-gate.ts';

/** The gate of a config file, for a run that has these metrics and criteria. Throws `TouchstoneError`. */
export async function loadGate(given: string, names: GateNames): Promise<Gate> {
  const { written, folder, locate } = await loadConfig(await findConfig(given));
  return await explainProblems(locate, () => resolveGate(checkConfig(written), folder, names));
}
