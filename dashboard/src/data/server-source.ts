import { failureSchema } from '../../../src/schema/api/failure.ts';
import { type DataSource, FailedRequest } from './data-source.ts';

/** Asks the server that served the page. */
export const serverSource: DataSource = {
  get: async (path, signal) => await request(path, signal === undefined ? {} : { signal }),
  send: async (method, path, body) =>
    await request(path, {
      method,
      ...(body !== undefined && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    }),
};

async function request(path: string, options: RequestInit): Promise<unknown> {
  const response = await fetch(`/api${path}`, options).catch((error: unknown) => {
    if (options.signal?.aborted === true) throw error;
    throw new FailedRequest({
      code: 'server-unreachable',
      message: 'The server of this page does not answer.',
      remedy: 'Start it again: `touchstone view`, and open the address that it prints.',
    });
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const failure = failureSchema.safeParse(answer);
  throw new FailedRequest(
    failure.data ?? {
      code: `http-${response.status}`,
      message: `The server answered with status ${response.status}.`,
      remedy: 'Look at what the server printed.',
    },
  );
}
