import type { Hono } from 'hono';
import { createKnownSecrets } from '../../library/config/known-secrets.ts';
import { lazily } from '../../core/lib/lazily.ts';
import type { Store } from '../../stores/store.ts';
import type { McpProject } from '../mcp/project.ts';
import { requireOwnProject } from './principal.ts';

/**
 * Adds `POST /api/projects/:project/mcp`: the tools that read runs, for coding agents. Nothing is started here, and no file of the server is
 * read. The protocol is loaded with the first request.
 */
export function addMcp(
  app: Hono,
  {
    openStore,
    onFault,
  }: { readonly openStore: () => Promise<Store>; readonly onFault?: (fault: unknown) => void },
): void {
  const project: McpProject = {
    store: async () => ({ store: await openStore() }),
    secrets: createKnownSecrets({}, process.env),
    isReadOnly: true,
    stateKey: new Uint8Array(32),
    answered: new Set(),
    onFault,
  };
  const answer = lazily(async () => (await import('../mcp/serve-http.ts')).createMcpAnswer(project));
  app.post('/api/projects/:project/mcp', async ({ req, env }) => {
    requireOwnProject(env, req.param('project'));
    return await (await answer()).fetch(req.raw);
  });
}
