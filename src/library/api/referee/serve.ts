import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { TouchstoneError } from '../../../core/errors.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { type SentAnswer, versionAskedSchema } from '../../../core/schema/referee/look-request.ts';
import type { Config } from '../../config/config.ts';
import { readConfig } from '../../config/load-config.ts';
import { look } from './look.ts';

/** The longest request that is read, in characters. */
const longestRequest = 10_000;

/** A referee that serves looks on a socket. */
export interface ServeOptions {
  readonly socket: string;
  /** The config of the referee, its file or its folder, which its own account alone may write: a config is code. */
  readonly config?: string;
  readonly heldOut?: string;
  /** Receives what is no mistake of the one who asks, for the terminal of this account. */
  readonly onFault?: (fault: unknown) => void;
}

/** Serves looks on a socket, one after the other, until it is closed. */
export async function serveReferee(options: ServeOptions): Promise<{ close(): Promise<void> }> {
  let last: Promise<unknown> = Promise.resolve();
  const server = createServer((incoming, reply) => {
    const work = last.then(async () => await answer(incoming, reply, options));
    last = work.catch(() => {});
  });
  rmSync(options.socket, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.socket, resolve);
  });
  // Each account may ask: an answer costs a look, and says one bit.
  chmodSync(options.socket, 0o666);
  return {
    close: async () => {
      server.close();
      await last;
      rmSync(options.socket, { force: true });
    },
  };
}

async function answer(
  incoming: IncomingMessage,
  reply: ServerResponse,
  options: ServeOptions,
): Promise<void> {
  const said = await takeLook(incoming, options).catch((error: unknown): SentAnswer => {
    const code = error instanceof TouchstoneError ? error.code : 'internal';
    // What is no mistake of the one who asks may quote anything.
    const message =
      error instanceof TouchstoneError ? error.message : 'The referee has failed; its own log says why.';
    if (!(error instanceof TouchstoneError)) options.onFault?.(error);
    return { refusal: { code, message: message.slice(0, 2000) } };
  });
  reply.setHeader('content-type', 'application/json');
  reply.end(JSON.stringify(said));
}

async function readShort(incoming: IncomingMessage): Promise<string> {
  let said = '';
  for await (const piece of incoming.setEncoding('utf8')) {
    said += String(piece);
    if (said.length > longestRequest)
      throw new TouchstoneError('request-too-large', 'A look is asked for in few words.');
  }
  return said;
}

async function takeLook(incoming: IncomingMessage, { config, heldOut }: ServeOptions): Promise<SentAnswer> {
  const { target, version, margin } = versionAskedSchema.parse(parseJson(await readShort(incoming)));
  const { written, folder } = await readConfig(config);
  const own = written as Config;
  const targets = own.targets.map((each): Record<string, unknown> => ({ ...(each as object) }));
  const found = targets.find(({ name, use }) => (name ?? use) === target);
  if (found === undefined)
    throw new TouchstoneError(
      'usage-invalid',
      `The config of the referee has no target ${JSON.stringify(target)}.`,
    );
  found['version'] = version;
  const report = await look({ config: { ...own, targets }, folder, heldOut, candidate: target, margin });
  return { report: { ...report, seal: 'user' } };
}
