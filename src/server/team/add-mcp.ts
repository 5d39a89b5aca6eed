import type { Context, Hono } from 'hono';
import { lazily } from '../../core/lib/lazily.ts';
import type { Permission } from '../../core/schema/account/rights.ts';
import { createKnownSecrets } from '../../library/config/known-secrets.ts';
import { recordEvent } from '../../privacy/accounts/audit.ts';
import type { AccountStore } from '../../stores/accounts/account-store.ts';
import type { Store } from '../../stores/store.ts';
import type { McpProject } from '../mcp/project.ts';
import { addressOfClient, principalOf, requireOwnProject } from './principal.ts';

/** The parts of a server of a project that its tools need. */
interface McpParts {
  readonly accounts: AccountStore;
  readonly openStore: () => Promise<Store>;
  readonly isBehindProxy: boolean;
  readonly may: (permission: Permission) => boolean;
  readonly onFault?: (fault: unknown) => void;
}

/**
 * Adds `POST /api/projects/:project/mcp`: the tools that read runs, for coding agents; with the permission `run` also those that begin and stop
 * them, by the workers that wait. No file of the server is read. The protocol is loaded with the first request.
 */
export function addMcp(app: Hono, parts: McpParts): void {
  const secrets = createKnownSecrets({}, process.env);
  const load = lazily(async () => ({
    ...(await import('../mcp/serve-http.ts')),
    ...(await import('./begin-by-workers.ts')),
  }));
  app.post('/api/projects/:project/mcp', async (context) => {
    requireOwnProject(context.env, context.req.param('project'));
    const { createMcpAnswer, beginByWorkers } = await load();
    const { name } = principalOf(context.env);
    const beginning = parts.may('run') ? beginByWorkers(parts.openStore, name) : undefined;
    const project = { ...projectOf(context, parts), beginning, isReadOnly: beginning === undefined, secrets };
    return await createMcpAnswer(project).fetch(context.req.raw);
  });
}

/** Returns the project as the sender of a request may use it. */
function projectOf(
  context: Context,
  { accounts, openStore, isBehindProxy, onFault }: McpParts,
): Omit<McpProject, 'secrets' | 'isReadOnly'> {
  const { name, project } = principalOf(context.env);
  const address = addressOfClient(context, isBehindProxy);
  return {
    store: async () => ({ store: await openStore() }),
    // Nothing is asked of a person, so that nothing has to be signed.
    isUnattended: true,
    stateKey: new Uint8Array(32),
    answered: new Set(),
    onChange: async (action, run) => {
      await recordEvent(accounts, { who: name, address, action, project, object: run });
    },
    onFault,
  };
}
