import { copyJson } from '../core/lib/json/copy-json.ts';
import type { Judgement } from '../core/schema/judgement.ts';
import { judgementsOf } from '../core/schema/verdict.ts';
import type { QuestionHolder, ScoresOfTrial } from './store.ts';
import type { MemoryTexts } from './texts/memory-texts.ts';

/** The judgements of all runs, in memory. */
export interface MemoryJudgements {
  /** Lists all judgements, whose texts may be erased. */
  readonly texts: MemoryTexts['judgement'];
  /** Returns a copy of the newest answered judgement with the given key, of any run or of the one that `askedIn` names. */
  find(key: string, askedIn?: string): Judgement | undefined;
  /** Adds copies of the judgements that are not stored yet. */
  add(judgements: readonly Judgement[]): void;
  /** Erases the judgements that were asked under a name and are not among the used ones. Returns their number. */
  erase(askedIn: string, used: ReadonlySet<string>, most?: number): number;
  /** Returns the ids of the stored judgements that the verdicts name. */
  usedBy(scored: readonly ScoresOfTrial[]): string[];
  /** Returns copies of the judgements with the given ids, in the order in which they were asked. */
  read(ids: Iterable<string>): Judgement[];
  /** Locks questions for a run or a part of it; returns the holder of each lock, which may be another one. */
  take(holder: QuestionHolder, keys: readonly string[]): QuestionHolder[];
  /** Releases the locks of a run, or of a part of it, on the given questions; on all when `keys` is left out. */
  release(
    runId: string,
    choice?: { readonly keys?: readonly string[] | undefined; readonly part?: string | undefined },
  ): void;
}

/** Creates an empty collection of judgements in memory. */
export function createMemoryJudgements(): MemoryJudgements {
  const judgements = new Map<string, Judgement>();
  const answersByKey = new Map<string, Judgement[]>();
  const takers = new Map<string, QuestionHolder>();

  function addOne(judgement: Judgement): void {
    if (judgements.has(judgement.id)) return;
    judgements.set(judgement.id, judgement);
    if (judgement.outcome.status !== 'answered') return;
    const answers = [...(answersByKey.get(judgement.key) ?? []), judgement];
    answersByKey.set(judgement.key, answers.sort(compareAsked));
  }

  return {
    texts: () => Array.from(judgements.values(), (judgement) => [judgement] as const),
    find: (key, askedIn) =>
      copyJson(
        answersByKey.get(key)?.findLast((answer) => askedIn === undefined || answer.askedIn === askedIn),
      ),
    add: (added) => {
      for (const judgement of added) addOne(copyJson(judgement));
    },
    erase: (askedIn, used, most) => {
      const erased = [...judgements.values()]
        .filter((each) => each.askedIn === askedIn && !used.has(each.id))
        .slice(0, most);
      for (const { id, key } of erased) {
        judgements.delete(id);
        const answers = answersByKey.get(key) ?? [];
        answersByKey.set(
          key,
          answers.filter((answer) => answer.id !== id),
        );
      }
      return erased.length;
    },
    usedBy: (scored) =>
      scored.flatMap(({ verdicts }) => judgementsOf(verdicts)).filter((id) => judgements.has(id)),
    read: (ids) =>
      Array.from(ids, (id) => judgements.get(id))
        .filter((judgement) => judgement !== undefined)
        .sort(compareAsked)
        .map((judgement) => copyJson(judgement)),
    take: (holder, keys) => {
      for (const key of keys) if (!takers.has(key)) takers.set(key, { ...holder });
      return keys.map((key) => ({ ...(takers.get(key) as QuestionHolder) }));
    },
    release: (runId, { keys = [...takers.keys()], part } = {}) => {
      for (const key of keys) {
        const taker = takers.get(key);
        if (taker?.runId === runId && (part === undefined || taker.part === part)) takers.delete(key);
      }
    },
  };
}

function compareAsked(a: Judgement, b: Judgement): number {
  if (a.askedAt !== b.askedAt) return a.askedAt < b.askedAt ? -1 : 1;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
