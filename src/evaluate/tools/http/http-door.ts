import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { getCACertificates } from 'node:tls';
import type { Agent } from 'undici';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { createAgent } from '../../../core/lib/network/agent.ts';
import { findUnreachable } from '../../../core/lib/network/connection-error.ts';
import { isSecretName } from '../../../core/lib/redact-secrets.ts';
import { lazily } from '../../../core/lib/lazily.ts';
import { readSecrets } from '../../targets/chat/mcp-options.ts';
import type { Door } from '../door.ts';
import { HttpHandling, type HttpServerOptions } from './http-handling.ts';
import { readRequestNames } from './openapi-names.ts';

/** The surroundings of a door. */
export interface HttpDoorNeeds {
  /** The folder that paths of the config are relative to. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** True where no server is reached. */
  readonly isOffline: boolean;
}

/** Creates the door of an HTTP server. Throws `target-invalid` or `environment-missing`. */
export function createHttpDoor(name: string, options: HttpServerOptions, needs: HttpDoorNeeds): Door {
  const { folder, environment, isOffline } = needs;
  const base = readBase(name, options.http);
  const secrets = isOffline ? new Map() : readSecrets(Object.values(options.headersFromEnv), environment);
  const own = Object.entries(options.headersFromEnv).map(
    ([header, variable]) => [header, secrets.get(variable) ?? ''] as const,
  );
  const names = lazily(async () => await readRequestNames(options, folder));
  let agent: Promise<Agent> | undefined;
  const connect = async () => await (agent ??= openAgent(options.ca, folder));
  return {
    open: async () => {
      await names();
      if (isOffline) return;
      await connect();
      const reason = await findUnreachable(base);
      if (reason !== undefined) throw new TouchstoneError('target-unreachable', reason);
    },
    handle: async (request, response, rest, attribute) => {
      const parts = { name, base, options, names: await names(), connect, headers: new Map(own) };
      await new HttpHandling(parts, request, response).handle(rest, attribute);
    },
    listTools: async () => (await names()).operations,
    close: async () => {
      await (await agent)?.destroy();
      agent = undefined;
    },
  };
}

/** Reads the address of a server. Throws `target-invalid` for a secret in it. */
function readBase(name: string, written: string): URL {
  const base = new URL(written);
  const secret = [...base.searchParams.keys()].find(isSecretName);
  const isWithUser = base.username + base.password !== '';
  if (!isWithUser && secret === undefined && base.search === '') return base;
  const what = isWithUser || secret !== undefined ? 'holds a secret that is written out' : 'has a query';
  throw new TouchstoneError('target-invalid', `\`tools.servers.${name}.http\` ${what}.`, {
    remedy:
      'Keep secrets in environment variables, and name those in `headersFromEnv`; the bot sends the query.',
  });
}

/** Opens the connections to a server, with an authority of the user's beside the authorities of Node.js. Throws `config-invalid`. */
async function openAgent(ca: string | undefined, folder: string): Promise<Agent> {
  if (ca === undefined) return await createAgent();
  try {
    const added = await readFile(path.resolve(folder, ca), 'utf8');
    return await createAgent(null, undefined, [...getCACertificates('default'), added]);
  } catch (error) {
    const message = `The certificate authority ${ca} cannot be read: ${messageOf(error)}`;
    throw new TouchstoneError('config-invalid', message, { cause: error });
  }
}
