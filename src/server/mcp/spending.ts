import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { toRunHead } from '../../core/schema/api/to-run-head.ts';
import { readSummary } from '../../evaluate/run/summarize.ts';
import type { Store } from '../../stores/store.ts';
import type { InputRequiredResult } from '@modelcontextprotocol/server';
import type { AgentLimits } from '../../library/config/config.ts';
import { formatMoney } from '../../look/report/format.ts';
import { askPrice, type Spending } from './ask-price.ts';
import { OwnError } from './errors.ts';
import type { LocalProject, Start } from './project.ts';
import type { ToolCall } from './tool.ts';

const startSchema: z.ZodType<Start> = z.object({
  at: z.iso.datetime(),
  run: z.string(),
  maxCost: z.number(),
  before: z.number(),
});

/** The time over which the spending of agents is added up, in milliseconds. */
export const dayMs = 24 * 60 * 60 * 1000;

function ledgerOf({ folder }: LocalProject): string {
  return path.join(folder, '.touchstone', 'agents', 'starts.jsonl');
}

/** Records that an agent has begun or continued a run. */
export function recordStart(local: LocalProject, start: Omit<Start, 'at'>): void {
  const line: Start = { at: new Date().toISOString(), ...start };
  const ledger = ledgerOf(local);
  mkdirSync(path.dirname(ledger), { recursive: true });
  appendFileSync(ledger, `${JSON.stringify(line)}\n`, { mode: 0o600 });
}

/**
 * Adds up what agents have spent in the last 24 hours, in US dollars: what their runs have cost, and for a run whose cost is not known
 * yet, or that is gone, all that it might.
 */
export async function spentOfDay(starts: readonly Start[], store: Store): Promise<number> {
  let spent = 0;
  for (const { run, maxCost, before } of starts) {
    const cost = await costOfRun(run, store);
    spent += cost === undefined ? maxCost : Math.max(0, cost - before);
  }
  return spent;
}

/** Returns the starts of the last 24 hours. A line that cannot be read was not written by Touchstone, and counts for nothing. */
export function startsOfDay(local: LocalProject): Start[] {
  const ledger = ledgerOf(local);
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

/** Calls that an agent wants to pay for, with the limits of the config. */
export interface Wanted extends Omit<Spending, 'allowed'> {
  readonly agents: AgentLimits;
  /** The spending of agents in the last 24 hours. */
  readonly spent: number;
}

/**
 * Returns the question to a person where calls need one. Throws `cost-over-limit` where no person can be asked, and where what agents may
 * spend in 24 hours is spent.
 */
export async function checkSpending(
  { agents, spent, ...wanted }: Wanted,
  call: ToolCall,
): Promise<InputRequiredResult | undefined> {
  const { perDay, unpriced, maxCost: ofConfig } = agents;
  const { maxCost } = wanted;
  const left = Math.max(0, perDay - spent);
  if (maxCost > left)
    throw new OwnError(
      'cost-over-limit',
      `Of ${formatMoney(perDay)} that agents may spend in 24 hours, ${formatMoney(left)} are left; this call may spend up to ${formatMoney(maxCost)}.`,
      'Ask for less, or wait; a person can set agents.perDay in the config, or run it by the command line.',
    );
  const allowed = call.project.maxCost ?? ofConfig;
  const isUnpriced = wanted.isUnpriced && unpriced === 'ask';
  if (allowed > 0 && maxCost <= allowed && !isUnpriced) return undefined;
  return await askPrice({ ...wanted, allowed, isUnpriced }, call);
}
