import type { Hono } from 'hono';
import { createKnownSecrets } from '../library/config/known-secrets.ts';
import { TouchstoneError } from '../core/errors.ts';
import { receiveFeedback } from '../people/feedback/receive.ts';
import { parseJson } from '../core/lib/json/parse-json.ts';
import { readLimitedBody } from './ingest-access.ts';
import type { RouteContext } from './route.ts';

/** The most records in one request. */
const mostRecords = 1000;

/**
 * Adds `POST /api/feedback`: a feedback, or a list of up to 1,000, as JSON. It answers once they are on disk, with the numbers
 * of added, known and matched records and the reasons of refused ones, so that a sender can repeat a request that was not
 * answered. A single record that is refused is an error.
 */
export function addFeedbackIngest(app: Hono, { openStore }: RouteContext): void {
  const secrets = createKnownSecrets(undefined, process.env);
  app.post('/api/feedback', async ({ req, json, header }) => {
    header('Cache-Control', 'no-store');
    if (!/^application\/json\b/i.test(req.header('content-type') ?? ''))
      throw new TouchstoneError('request-invalid', 'The request does not send JSON.', { remedy });
    const body = readJson(await readLimitedBody(req));
    const values: unknown[] = Array.isArray(body) ? body : [body];
    if (values.length > mostRecords) {
      const message = `The request has ${values.length} records; at most ${mostRecords} are accepted.`;
      throw new TouchstoneError('request-too-large', message);
    }
    const store = await openStore();
    const now = new Date().toISOString();
    const receipt = await receiveFeedback(
      values.map((value) => ({ value })),
      { store, secrets, now },
    );
    const [refused] = receipt.refused;
    if (!Array.isArray(body) && refused !== undefined)
      throw new TouchstoneError('feedback-refused', `The feedback was refused: ${refused.reason}.`);
    return json(receipt);
  });
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return parseJson(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw new TouchstoneError('request-invalid', 'The request sends broken JSON.', { remedy });
  }
}

const remedy = 'Send a feedback, or a list of them, as application/json: docs/production.md.';
