import type { Agent } from 'undici';
import { createAgent } from '../../../core/lib/network/agent.ts';

const agents = new Map<string, Promise<Agent>>();

/**
 * Returns the connections of an account. They stay open between calls and are shared by all models of the account.
 * There are no more of them than calls in flight; idle ones are closed soon, and do not keep the process alive.
 */
export async function agentFor(account: string): Promise<Agent> {
  const known = agents.get(account);
  if (known !== undefined) return await known;
  const created = createAgent();
  agents.set(account, created);
  return await created;
}
