import type { JudgementCache } from '../../judges/judge.ts';
import { randomId } from '../../lib/random-id.ts';
import { batchPerTurn } from '../../lib/waiting.ts';
import type { Judgement } from '../../schema/judgement.ts';
import type { Store } from '../../stores/store.ts';

/** The name under which replies of drafts are stored, in place of a run. */
const askedIn = 'draft';

/**
 * Creates the cache of replies in a store. The replies of one turn of the event loop are stored in one write.
 * @param onKept - Called with replies once they are on disk.
 */
export function createStoredReplies(
  store: Pick<Store, 'findJudgement' | 'addJudgements'>,
  onKept: (replies: readonly Judgement[]) => void,
): JudgementCache {
  const keep = batchPerTurn(async (replies: readonly Judgement[]) => {
    await store.addJudgements(null, replies);
    onKept(replies);
    return replies;
  });
  return {
    findOrAsk: async (key, ask) => (await store.findJudgement(key, askedIn)) ?? (await ask()),
    keep: async (draft) => await keep({ id: randomId(), ...draft, askedIn }),
  };
}
