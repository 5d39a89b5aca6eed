import { failureSchema } from '../../../src/core/schema/api/failure.ts';
import { type DataSource, FailedRequest } from './data-source.ts';

/** Asks the server that served the page. */
export const serverSource: DataSource = {
  get: async (path, signal) => await readJson(await request(path, signal === undefined ? {} : { signal })),
  open: async (path, signal) => await request(path, { signal }),
  send: async (method, path, body) =>
    await readJson(
      await request(path, {
        method,
        ...(body !== undefined && {
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
      }),
    ),
};

/** The digits that a number has to have before any of them could be lost. */
const manyDigits = /\d{7}|\d[eE][+\d-]\d\d/;

async function readJson(response: Response): Promise<unknown> {
  try {
    const text = await response.text();
    if (!manyDigits.test(text)) return JSON.parse(text);
    const { parseJson } = await import('../../../src/core/lib/json/parse-json.ts');
    return parseJson(text);
  } catch {
    return undefined;
  }
}

async function request(path: string, options: RequestInit): Promise<Response> {
  const response = await fetch(`/api${path}`, options).catch((error: unknown) => {
    if (options.signal?.aborted === true) throw error;
    throw new FailedRequest({
      code: 'server-unreachable',
      message: 'The server of this page does not answer.',
      remedy: 'Start it again: `touchstone view`, and open the address that it prints.',
    });
  });
  if (response.ok) return response;
  const failure = failureSchema.safeParse(await readJson(response));
  throw new FailedRequest(
    failure.data ?? {
      code: `http-${response.status}`,
      message: `The server answered with status ${response.status}.`,
      remedy: 'Look at what the server printed.',
    },
  );
}
