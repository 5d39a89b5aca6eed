import { randomId } from '../../lib/random-id.ts';
import { batchPerTurn } from '../../lib/waiting.ts';
import { daysErasedIn } from '../../schema/erasure/erasure.ts';
import { draftOfDocuments, draftOfTrace, type Judgement } from '../../schema/judgement.ts';
import type { Store } from '../../stores/store.ts';
import type { StoredReplies } from './create-asker.ts';

/**
 * Creates the cache of replies in a store, where those about a trace are stored under its name. The replies of one turn of the event loop are stored in one write.
 * @param onKept - Called with replies once they are on disk.
 */
export function createStoredReplies(
  store: Pick<Store, 'findJudgement' | 'addJudgements'>,
  onKept: (replies: readonly Judgement[]) => void,
): StoredReplies {
  const keep = batchPerTurn(async (replies: readonly Judgement[]) => {
    await store.addJudgements(null, replies);
    onKept(replies);
    return replies;
  });
  return (trace) => {
    const askedIn = trace === undefined ? draftOfDocuments : draftOfTrace(trace);
    return {
      findOrAsk: async (key, ask) => {
        const kept = await store.findJudgement(key, askedIn);
        const isErased = daysErasedIn(JSON.stringify(kept?.outcome ?? null)).size > 0;
        return kept === undefined || isErased ? await ask() : kept;
      },
      keep: async (draft) => await keep({ id: randomId(), ...draft, askedIn }),
    };
  };
}
