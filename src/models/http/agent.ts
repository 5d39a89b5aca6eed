import type { Agent } from 'undici';
import { passOverInformational } from './pass-over-informational.ts';

const agents = new Map<string, Promise<Agent>>();

/**
 * The connections of an account: kept open between calls, and shared by all models that use it. They are no more than
 * its calls in flight, and idle ones neither stay long nor hold up the end of the process.
 */
export async function agentFor(account: string): Promise<Agent> {
  const known = agents.get(account);
  if (known !== undefined) return await known;
  const created = createAgent();
  agents.set(account, created);
  return await created;
}

/**
 * Makes connections without limits of time: every call has its own.
 * @param connections - Most to one server; null for as many as there are calls in flight.
 */
export async function createAgent(connections: number | null = null): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici'); // Loading it takes as long as a small run.
  const connect = passOverInformational(buildConnector({}));
  return new Agent({ headersTimeout: 0, bodyTimeout: 0, connections, connect });
}
