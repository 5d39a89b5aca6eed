import { z } from 'zod';
import { editModeRequestSchema, markModesRequestSchema } from '../../core/schema/modes/request.ts';
import { compareModes } from '../../people/modes/compare-modes.ts';
import { editMode } from '../../people/modes/edit-mode.ts';
import { markModes } from '../../people/modes/mark-modes.ts';
import { modeTable } from '../../people/modes/mode-table.ts';
import { readConversations } from '../../people/modes/read-conversations.ts';
import { readingRequestSchema } from '../../core/schema/modes/reading.ts';
import { readCardContent } from '../../people/reviews/cards.ts';
import { cutLong } from '../cut-long.ts';
import { openModes, readModes } from '../../people/modes/read-modes.ts';
import { type AddRoute, parseInput, readBody } from '../route.ts';

const tableQuerySchema = z.object({ run: z.string().optional(), target: z.string().optional() });
const comparisonQuerySchema = z.object({ a: z.string(), b: z.string() });

/**
 * Adds `GET /api/modes`, the table of failure modes of a run; `GET /api/modes/open`, the modes by which reviewers mark; `GET
 * /api/modes/compare`; `POST /api/modes`, which changes modes; and `POST /api/modes/marks`, what a person says of an answer.
 */
export const addModes: AddRoute = (app, context) => {
  const { openStore, shown } = context;
  addReading(app, context);
  app.get('/api/modes', async ({ req, json }) => {
    const { run, target } = parseInput(tableQuerySchema, req.query());
    const table = await modeTable(await openStore(), { run, target });
    // The answers that it quotes are no longer unknown to who reads it.
    shown.addAll(table);
    return json(table);
  });
  app.get('/api/modes/open', async ({ json }) => {
    const { documents } = await openStore();
    const modes = openModes(await readModes(documents));
    const starter = await context.person?.();
    return json({
      person: starter,
      ...(context.isSignedIn === true && { isSignedIn: true }),
      modes: modes.map(({ id, name, definition, includes, excludes, version }) => ({
        id,
        name,
        definition,
        includes,
        excludes,
        version,
      })),
    });
  });
  app.get('/api/modes/compare', async ({ req, json }) => {
    const input = parseInput(comparisonQuerySchema, req.query());
    return json(await compareModes(await openStore(), input));
  });
  app.post('/api/modes', async ({ req, json }) => {
    const { person, edit } = parseInput(editModeRequestSchema, await readBody(req));
    const { documents } = await openStore();
    return json({ modes: await editMode(documents, edit, { by: { person } }) });
  });
  app.post('/api/modes/marks', async ({ req, json }) => {
    const { person, ...given } = parseInput(markModesRequestSchema, await readBody(req));
    const marks = await markModes(await openStore(), given, { by: { person } });
    // Without the subjects: a reviewer does not learn which target it was.
    return json({
      stored: marks.map(({ id, mode, present, first }) => ({ id, mode: mode.id, present, first })),
    });
  });
};

const itemSchema = z.object({ task: z.string(), item: z.coerce.number().int().nonnegative() });

/**
 * Adds `POST /api/modes/reading`, the conversations that a person has read with the own notes and marks, the name in the body; and `GET
 * /api/modes/conversations/:task/:item`, one of them, as reviewers see it.
 */
const addReading: AddRoute = (app, { openStore }) => {
  app.post('/api/modes/reading', async ({ req, json }) => {
    const { person, run } = parseInput(readingRequestSchema, await readBody(req));
    return json(await readConversations(await openStore(), { person, run }));
  });
  app.get('/api/modes/conversations/:task/:item', async ({ req, json }) => {
    const { task, item } = parseInput(itemSchema, req.param());
    const { value, cuts } = cutLong(await readCardContent(await openStore(), task, item), '');
    return json({ ...value, cuts });
  });
};
