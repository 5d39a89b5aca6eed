import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { toRunHead } from '../../core/schema/api/to-run-head.ts';
import { readSummary } from '../../evaluate/run/summarize.ts';
import type { Store } from '../../stores/store.ts';
import type { LocalProject } from './project.ts';

/** A run that an agent has begun or continued, and what it might cost then. */
const startSchema = z.object({
  at: z.iso.datetime(),
  run: z.string(),
  /** The most that it may cost, in US dollars, beside what it had cost before. */
  maxCost: z.number(),
  before: z.number(),
});
type Start = z.infer<typeof startSchema>;

/** The time over which the spending of agents is added up, in milliseconds. */
const dayMs = 24 * 60 * 60 * 1000;

function ledgerOf({ folder }: LocalProject): string {
  return path.join(folder, '.touchstone', 'agents', 'starts.jsonl');
}

/** Records that an agent has begun or continued a run. */
export function recordStart(local: LocalProject, start: Omit<Start, 'at'>): void {
  const line: Start = { at: new Date().toISOString(), ...start };
  appendFileSync(ledgerOf(local), `${JSON.stringify(line)}\n`, { mode: 0o600 });
}

/**
 * Adds up what agents have spent in the last 24 hours, in US dollars: what their runs have cost, and for a run whose cost is not known
 * yet, or that is gone, all that it might.
 */
export async function spentOfDay(local: LocalProject, store: Store): Promise<number> {
  let spent = 0;
  for (const { run, maxCost, before } of startsOfDay(ledgerOf(local))) {
    const cost = await costOfRun(run, store);
    spent += cost === undefined ? maxCost : Math.max(0, cost - before);
  }
  return spent;
}

/** Returns the starts of the last 24 hours. A line that cannot be read was not written by Touchstone, and counts for nothing. */
function startsOfDay(ledger: string): Start[] {
  if (!existsSync(ledger)) return [];
  const since = new Date(Date.now() - dayMs).toISOString();
  return readFileSync(ledger, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const parsed = line === '' ? undefined : startSchema.safeParse(parseLine(line));
      return parsed?.success === true && parsed.data.at >= since ? [parsed.data] : [];
    });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Returns what an ended run has cost, as far as its calls have reported it; undefined while that is not known. */
export async function costOfRun(id: string, store: Store): Promise<number | undefined> {
  const run = await store.readRun(id);
  if (run === undefined || run.status === 'planning' || run.status === 'running') return undefined;
  return toRunHead({ ...run, summary: run.summary ?? (await readSummary(run, store)) }).cost ?? 0;
}
