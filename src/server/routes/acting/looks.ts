import { z } from 'zod';
import { TouchstoneError } from '../../../core/errors.ts';
import { hashContent } from '../../../core/lib/content-hash.ts';
import {
  askedLookSchema,
  type LookRequest,
  sentAnswerSchema,
} from '../../../core/schema/referee/look-request.ts';
import type { Store } from '../../../stores/store.ts';
import { type AddRoute, parseInput, readBody } from '../../route.ts';

/** The time after which a look that a job took and never answered is given to another, in milliseconds. */
const givenUpMs = 6 * 3_600_000;

const prefix = 'looks/';

/**
 * Adds the looks that are asked of a server with a held-out set elsewhere: `POST /api/looks` asks for one, `GET /api/looks/:look` reads it;
 * a job that has the set takes the next (`POST /api/looks/next`) and sends its answer (`POST /api/looks/:look/answer`). The server itself
 * asks no bot and has no question.
 */
export const addLooks: AddRoute = (app, { openStore, person }) => {
  app.post('/api/looks', async ({ req, json }) => {
    const asked = parseInput(askedLookSchema, await readBody(req));
    const { shared } = await openStore();
    const id = hashContent(asked).slice(0, 16);
    const by = (await person?.()) ?? 'unknown';
    const request = await shared.change<LookRequest, LookRequest>(prefix + id, (known, now) => {
      // The same version gets the same answer; a look that has none yet is asked for again.
      const isOver = known !== undefined && !isOpen(known);
      const value = isOver ? known : (waiting(known) ?? { id, asked, by, at: isoOf(now), takenAt: null });
      return { value, result: value };
    });
    return json(request);
  });
  app.get('/api/looks/:look', async ({ req, json }) =>
    json(await read(await openStore(), req.param('look'))),
  );
  app.post('/api/looks/next', async ({ req, json }) => {
    parseInput(z.strictObject({}), await readBody(req));
    const { shared } = await openStore();
    const all = (await shared.list<LookRequest>(prefix)).map(({ value }) => value);
    for (const { id } of all.toSorted((one, other) => one.at.localeCompare(other.at))) {
      const taken = await shared.change<LookRequest, LookRequest | null>(prefix + id, (known, now) => {
        const isFree = known !== undefined && known.answer === undefined && !isTaken(known, now);
        const value = isFree ? { ...known, takenAt: isoOf(now) } : known;
        return { value, result: isFree ? (value ?? null) : null };
      });
      if (taken !== null) return json({ look: taken });
    }
    return json({ look: null });
  });
  app.post('/api/looks/:look/answer', async ({ req, json }) => {
    const answer = parseInput(sentAnswerSchema, await readBody(req));
    const store = await openStore();
    const { id } = await read(store, req.param('look'));
    const request = await store.shared.change<LookRequest, LookRequest | undefined>(prefix + id, (known) => {
      // An answer is never changed afterwards.
      const value = known === undefined || !isOpen(known) ? known : { ...known, answer };
      return { value, result: value };
    });
    return json(request);
  });
};

/** Returns whether a look has no answer yet. */
function isOpen({ answer }: LookRequest): boolean {
  return answer === undefined || 'refusal' in answer || answer.report.answer === 'open';
}

/** Returns a look as it waits for a job, again if it was refused or left open. */
function waiting(known: LookRequest | undefined): LookRequest | undefined {
  if (known === undefined || known.answer === undefined) return known;
  const { answer: _, ...request } = known;
  return { ...request, takenAt: null };
}

function isTaken({ takenAt }: LookRequest, now: number): boolean {
  return takenAt !== null && now - Date.parse(takenAt) < givenUpMs;
}

async function read({ shared }: Store, id: string): Promise<LookRequest> {
  const found = await shared.change<LookRequest, LookRequest | undefined>(prefix + id, (value) => ({
    value,
    result: value,
  }));
  if (found === undefined) throw new TouchstoneError('request-invalid', 'There is no such look.');
  return found;
}

function isoOf(now: number): string {
  return new Date(now).toISOString();
}
