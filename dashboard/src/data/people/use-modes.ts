import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { messageSchema } from '../../../../src/core/schema/message.ts';
import { cutSchema } from '../../../../src/core/schema/api/trial-view.ts';
import { modeSharesSchema, readingSchema } from '../../../../src/core/schema/modes/reading.ts';
import { useData } from '../data-source.ts';
import { useAnswer, withParameters } from '../use-answer.ts';
import { useChange } from '../use-changes.ts';

/** Asks for the conversations that a person has read, with the failure modes. The name is in the body: addresses end up in histories. */
export function useReading(person: string, run: string | undefined) {
  const { send } = useData();
  return useQuery({
    queryKey: ['api', '/modes/reading', person, run],
    queryFn: async () => readingSchema.parse(await send?.('POST', '/modes/reading', { person, run })),
  });
}

/** Asks for the shares of the failure modes of a run, in all its answers or in the answers of a target. */
export function useModeShares(run: string | undefined, target: string | undefined) {
  return useAnswer(withParameters('/modes', { run, target }), modeSharesSchema, {
    isEnabled: run !== undefined,
  });
}

const personViewSchema = z.object({ person: z.string().optional(), isSignedIn: z.literal(true).optional() });

/** Asks who uses the page: a person who is signed in, or who started the server. */
export function useModePerson() {
  return useAnswer('/modes/open', personViewSchema, { isLasting: true });
}

const conversationSchema = z.object({
  transcript: z.array(messageSchema),
  answer: z.string().nullable(),
  cuts: z.array(cutSchema),
});

/** Asks for the conversation of an item of a review task. */
export function useConversation(task: string, item: number) {
  return useAnswer(`/modes/conversations/${encodeURIComponent(task)}/${item}`, conversationSchema, {
    isLasting: true,
  });
}

/** Returns the mutation that changes the failure modes. */
export function useEditModes(person: string) {
  return useChange((send, edit: object) => send('POST', '/modes', { person, edit }));
}

/** Marks of one conversation: by mode, whether it has it; `others: false` says no for all other modes. */
export interface MarksToSend {
  readonly note: string;
  readonly modes: Readonly<Record<string, boolean | null>>;
  readonly others?: false;
}

/** Returns the mutation that stores what a person says of the modes of conversations, one after another. */
export function useMarkModes(person: string) {
  return useChange(async (send, all: readonly MarksToSend[]) => {
    for (const { note, modes, others } of all)
      await send('POST', '/modes/marks', { person, answer: { note }, modes, others });
  });
}
