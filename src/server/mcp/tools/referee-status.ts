import { z } from 'zod';
import type { RefereeStatus } from '../../../library/api/referee/status.ts';
import type { LocalProject } from '../project.ts';
import type { Reply } from '../fit-reply.ts';
import { quote } from '../quote.ts';
import { defineTool, localOf } from '../tool.ts';

/** `referee_status`: looks left, and the gain that the next would see. */
export const refereeStatus = defineTool({
  name: 'referee_status',
  description:
    'The state of the held-out set: looks and surprises left, the incumbent, the gain in points that the next look would confirm with 80 % chance, earlier answers. Costs nothing.',
  input: z.strictObject({}),
  output: ['looksLeft', 'surprises', 'over', 'set', 'incumbent', 'next', 'open', 'looks', 'price', 'seal'],
  limit: 1500,
  isLocal: true,
  isReferee: true,
  call: async (_input, call) => {
    const local = localOf(call);
    return describeReferee(await local.call('refereeStatus', choiceOf(local)));
  },
});

/** Returns the config whose referee is meant. */
export function choiceOf({ config }: LocalProject): { readonly config?: string } {
  return config === undefined ? {} : { config };
}

/** The earlier looks that a reply lists. */
const newestLooks = 5;

/** Describes the state of a held-out set. */
export function describeReferee({
  set,
  incumbent,
  looksLeft,
  surprises,
  over,
  next,
  open,
  looks,
  price,
  seal,
}: RefereeStatus): Reply {
  return {
    looksLeft,
    surprises,
    over,
    set: {
      number: set.set,
      questions: set.questions,
      looks: set.looks,
      confidence: set.confidence,
      measure: set.measure,
    },
    incumbent: { version: quote('file', incumbent.label, 80), since: incumbent.since },
    ...(next !== undefined && {
      next: {
        level: next.level,
        gainSeen: next.gain.gain ?? null,
        fewestWins: next.fewestWins,
        smallestMargin: next.smallestMargin,
      },
    }),
    ...(open !== undefined && {
      open: { look: open.look, candidate: quote('file', open.candidate.label, 80) },
    }),
    looks: looks
      .slice(-newestLooks)
      .map(({ look, candidate, answer }) => ({ look, candidate: quote('file', candidate, 60), answer })),
    price,
    seal,
  };
}
