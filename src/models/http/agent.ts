import type { Agent } from 'undici';

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

async function createAgent(): Promise<Agent> {
  const { Agent } = await import('undici'); // Loading it takes as long as a small run.
  // Every call has a time limit of its own.
  return new Agent({ headersTimeout: 0, bodyTimeout: 0, connections: null });
}
