import { z } from 'zod';
import { labelsRequestSchema, skipRequestSchema } from '../../../../src/core/schema/api/review/request.ts';
import { storedSchema } from '../../../../src/core/schema/api/review/card.ts';
import { type DataSource, FailedRequest } from '../../data/data-source.ts';
import { readKept, writeKept } from '../../data/kept-value.ts';
import { reviewPath } from '../../data/people/use-review.ts';
import type { Outgoing, SendFailure } from './sitting.ts';

/** The answers of a server that decided; anything else may be different the next time. */
const finalCodes: ReadonlySet<string> = new Set([
  'label-refused',
  'label-conflict',
  'review-invalid',
  'review-not-found',
  'rubric-not-found',
  'request-invalid',
]);

/** The pause before something is sent again, in milliseconds. */
const pauseMs = 1000;

/**
 * Sends a label until the server has stored it, which the id of the label makes safe. Until then, the browser keeps it too:
 * should the page be closed, it is sent when the task is opened again. Ends early after a failure that would come again.
 */
export async function sendLabel(
  source: DataSource,
  task: string,
  outgoing: Outgoing,
  { onFailure, signal }: { readonly onFailure: (failure: SendFailure) => void; readonly signal: AbortSignal },
): Promise<'stored' | 'refused' | 'aborted'> {
  const key = keyOf(task, outgoing.body.person);
  writeKept(key, outgoing);
  while (!signal.aborted) {
    try {
      storedSchema.parse(await source.send?.('POST', `${reviewPath(task)}/${outgoing.path}`, outgoing.body));
      writeKept(key, undefined);
      return 'stored';
    } catch (error) {
      const isFinal = error instanceof FailedRequest && finalCodes.has(error.code);
      if (isFinal) writeKept(key, undefined);
      onFailure({ error, isFinal });
      if (isFinal) return 'refused';
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return 'aborted';
}

const outgoingSchema = z.lazy(() =>
  z.discriminatedUnion('path', [
    z.object({ path: z.literal('labels'), body: labelsRequestSchema }),
    z.object({ path: z.literal('skips'), body: skipRequestSchema }),
  ]),
);

/** Reads the label that was not stored when the page was closed. */
export function readUnsent(task: string, person: string): Outgoing | undefined {
  return outgoingSchema.safeParse(readKept(keyOf(task, person))).data;
}

function keyOf(task: string, person: string): string {
  return `unsent ${task} ${person}`;
}
