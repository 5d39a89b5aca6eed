import { z } from 'zod';
import { planErasure } from '../../privacy/erasure/erase-texts.ts';
import { type AddRoute, describeUse, parseInput, readBody } from '../route.ts';

const inputSchema = z.strictObject({
  texts: z.array(z.string()).max(1000).default([]),
  users: z.array(z.string()).max(1000).default([]),
  isDry: z.boolean().default(false),
});

/**
 * Adds `POST /api/erasures`: erases texts, and what belongs to end users, like `touchstone erase`; with `isDry`, it only says what would be
 * erased. It is no `DELETE`, since the texts must not be part of an address, which is logged.
 */
export const addErasures: AddRoute = (app, { openStore }) => {
  app.post('/api/erasures', async (context) => {
    const { texts, users, isDry } = parseInput(inputSchema, await readBody(context.req));
    const { erase, ...planned } = await planErasure(await openStore(), { texts, users });
    const erased = isDry ? planned : await erase();
    const counts = Object.entries(erased.counts).map(([kind, count]) => [kind, String(count)]);
    describeUse(context, {
      ...Object.fromEntries(counts),
      texts: String(texts.length),
      users: String(users.length),
      ...(isDry && { isDry: 'true' }),
    });
    return context.json({ isDry, ...erased });
  });
};
