import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { TouchstoneError } from '../../core/errors.ts';
import { keyedHash } from '../../core/lib/content-hash.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { BatchRequest } from '../../core/schema/batches/batch.ts';
import { type Case, caseSchema } from '../../core/schema/case.ts';
import { dayErased } from '../../core/schema/erasure/erasure.ts';
import { draftOfTrace, type Judgement, judgementSchema } from '../../core/schema/judgement.ts';
import { type Result, resultSchema } from '../../core/schema/result.ts';
import type { KeptProposal } from '../../core/schema/proposal/kept-proposal.ts';
import type { Grouping } from '../../core/schema/modes/grouping.ts';
import type { Mark } from '../../core/schema/modes/mark.ts';
import type { Label } from '../../core/schema/review/label.ts';
import { type Trial, trialSchema } from '../../core/schema/trial.ts';
import { judgementsOf } from '../../core/schema/verdict.ts';
import { keyOf } from '../../stores/documents/kind.ts';
import { type KeptFeedback, readUserKey } from '../../stores/kinds/feedback.ts';
import { proposalKind } from '../../stores/kinds/proposal.ts';
import { rubricKind } from '../../stores/kinds/rubric.ts';
import { traceKind } from '../../stores/kinds/trace.ts';
import { readTrace } from '../../stores/traces/trace-records.ts';
import type { Store } from '../../stores/store.ts';
import { documentKind, type HeldChange, heldKinds, type HeldText, readHeld } from './held-texts.ts';
import { createMatcher, type Matcher } from './matcher.ts';
import {
  overwriteCase,
  overwriteDecision,
  overwriteFeedback,
  overwriteGrouping,
  overwriteJudgement,
  overwriteLabel,
  overwriteMark,
  overwriteProposal,
  overwriteRequest,
  overwriteScores,
  overwriteTrial,
} from './overwrite.ts';

/** The choice of what to erase: everything of some people, and everything that has to do with some texts. */
export interface ErasureChoice {
  /** Exact texts, in the same letters. */
  readonly texts?: readonly string[];
  /** The ids of end users, as the application knows them; a store has only their hashes. */
  readonly users?: readonly string[];
}

/** The records that an erasure concerns. */
export interface FoundTexts {
  readonly matcher: Matcher;
  readonly change: HeldChange;
  /** The numbers of records that are to be changed. */
  readonly counts: ReadonlyMap<string, number>;
  /** The runs whose cases, trials or scores are to be changed. */
  readonly runs: ReadonlySet<string>;
  /** The traces that are to be removed. */
  readonly traces: readonly string[];
  /** The number of records with a text in their own id, which stays. */
  readonly left: number;
}

/**
 * Finds the records that hold a text or belong to a person, and those that belong to them: the trials of a case, the scores and judgements
 * of a trial, what people said about it. Records of cases and trials that were erased before count as well, so that an erasure
 * that was broken off is finished by the next one.
 * Throws `usage-invalid` for a text that is a word of Touchstone's own records.
 */
export async function findTexts(
  store: Store,
  { texts = [], users = [] }: ErasureChoice,
  day: string,
): Promise<FoundTexts> {
  const { secret } = await readUserKey(store.documents);
  const hashes = new Set(users.map((user) => keyedHash(user, secret)));
  const traces = await findTraces(store, { texts, hashes });
  const matcher = createMatcher({ texts, ids: await idsOf(store, traces), day });
  const concerns = createConcerns({ matcher, hashes, traces, freeTexts: await findFreeTexts(store) });
  const record = (held: HeldText) => changed(held, { matcher, concerns, day });
  const counts = new Map<string, number>();
  const runs = new Set<string>();
  let left = 0;
  for (const kind of heldKinds) {
    for await (const batch of readHeld(store, kind)) {
      for (const held of batch) {
        concerns.add(held);
        const next = record(held);
        if (matcher.holds(next)) left += 1;
        if (next === held.record) continue;
        requireValid(held, next);
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
        for (const run of held.runs) runs.add(run);
      }
    }
  }
  const change = { record, column: (text: string) => matcher.replace(text) };
  return { matcher, change, counts, runs, traces: traces.map(({ traceId }) => traceId), left };
}

/** A trace that is to be removed. */
interface FoundTrace {
  readonly traceId: string;
  /** Its conversation, where it is one of a person whose texts are erased. */
  readonly conversation: string | null;
}

async function findTraces(
  store: Store,
  { texts, hashes }: { readonly texts: readonly string[]; readonly hashes: ReadonlySet<string> },
): Promise<FoundTrace[]> {
  const { holds } = createMatcher({ texts, ids: new Set(), day: '' });
  const found: FoundTrace[] = [];
  for await (const { traceId, user, conversation } of store.documents.list(traceKind)) {
    const isOfUser = user !== null && hashes.has(user.hash);
    const isFound = isOfUser || (texts.length > 0 && holds(await readTrace(store, traceId)));
    if (isFound) found.push({ traceId, conversation: isOfUser ? conversation : null });
  }
  return found;
}

/** Returns the ids by which other records name traces: their own, the ids of their conversations, and the ids of their proposals. */
async function idsOf({ documents }: Store, traces: readonly FoundTrace[]): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const { traceId, conversation } of traces) {
    ids.add(traceId);
    if (conversation !== null) ids.add(conversation);
    const query = { where: { trace_id: traceId } };
    for (const { id } of await documents.heads(proposalKind, ['id'], query)) ids.add(id);
  }
  return ids;
}

/** Finds the rubrics whose labels are texts that people have written. */
export async function findFreeTexts({ documents }: Store): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const { id, version, scale } of documents.list(rubricKind))
    if (scale.type === 'text') found.add(`${id} ${version}`);
  return found;
}

/** The records that are concerned so far. */
interface Concerns {
  /** Notes a record, so that records which depend on it are concerned too. */
  add(held: HeldText): void;
  /** Returns whether all texts of a record are to be overwritten. */
  has(held: HeldText): boolean;
  /** Returns whether a part of a record names or holds what is erased. */
  finds(part: unknown): boolean;
  readonly freeTexts: ReadonlySet<string>;
}

function createConcerns({
  matcher,
  hashes,
  traces,
  freeTexts,
}: {
  readonly matcher: Matcher;
  readonly hashes: ReadonlySet<string>;
  readonly traces: readonly FoundTrace[];
  readonly freeTexts: ReadonlySet<string>;
}): Concerns {
  const [cases, trials, keys] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const judgements = new Set<string>();
  const answers = new Set<string>();
  const labels = new Set<string>();
  const drafts = new Set(traces.map(({ traceId }) => draftOfTrace(traceId)));
  const caseAt = ({ plan, position }: HeldText) => `${plan} ${position}`;
  const trialAt = ({ plan, ordinal }: HeldText) => `${plan} ${ordinal}`;
  const isOf =
    <Each>(read: (record: Each, held: HeldText) => boolean) =>
    (held: HeldText) =>
      read(held.record as Each, held);

  /** For each kind: whether a record is concerned, although no text is found in it. */
  const related: Partial<Record<string, (held: HeldText) => boolean>> = {
    case: isOf<Case>((record) => dayErased(record) !== undefined),
    trial: isOf<Trial>((record, held) => record.erased !== undefined || cases.has(caseAt(held))),
    scores: (held) => trials.has(trialAt(held)),
    judgement: isOf<Judgement>(({ id, askedIn }) => judgements.has(id) || drafts.has(askedIn)),
    // It names no trial; its prompt has what was said in one.
    'batch-request': isOf<BatchRequest>(({ prompt }) =>
      (prompt?.request.messages ?? []).some(({ content }) =>
        answers.values().some((answer) => content?.includes(answer) === true),
      ),
    ),
    feedback: isOf<KeptFeedback>(
      ({ feedback: { user }, match }) =>
        keys.has(match?.trialKey ?? '') || (user !== undefined && hashes.has(user.hash)),
    ),
    label: isOf<Label>(
      ({ subject: { trialKey, against } }) =>
        keys.has(trialKey) || (against !== undefined && keys.has(against.trialKey)),
    ),
    mark: isOf<Mark>(({ subject: { trialKey } }) => keys.has(trialKey)),
    grouping: isOf<Grouping>(({ groups }) => groups.some(({ notes }) => notes.some((id) => labels.has(id)))),
  };
  const finds = (part: unknown) => matcher.holds(part) || matcher.names(part);
  const has = (held: HeldText) => finds(held.record) || related[held.kind]?.(held) === true;

  const note: Partial<Record<string, (held: HeldText) => void>> = {
    case: (held) => cases.add(caseAt(held)),
    trial: (held) => {
      trials.add(trialAt(held));
      const { key, answer } = held.record as Trial;
      keys.add(key);
      if (typeof answer === 'string' && answer.trim() !== '') answers.add(answer);
    },
    label: ({ record }) => labels.add((record as Label).id),
    scores: ({ record }) => {
      for (const id of judgementsOf((record as Pick<Result, 'verdicts'>).verdicts)) judgements.add(id);
    },
  };
  return {
    freeTexts,
    has,
    finds,
    add: (held) => {
      if (note[held.kind] !== undefined && has(held)) note[held.kind]?.(held);
    },
  };
}

/** Returns the record in place of one; the same object where it stays. */
function changed(
  held: HeldText,
  {
    matcher,
    concerns,
    day,
  }: { readonly matcher: Matcher; readonly concerns: Concerns; readonly day: string },
): object {
  const { kind, record } = held;
  const overwrite = overwriters[kind];
  const isWhole = overwrite !== undefined && concerns.has(held);
  const overwritten = isWhole ? overwrite(record, day, concerns) : record;
  const next = matcher.replace(overwritten, namesOf(held));
  const plain = (value: object) => parseJson(JSON.stringify(value));
  return isDeepStrictEqual(plain(next), plain(record)) ? record : next;
}

/** Returns the names by which a record is found, which stay. The id of a case is a name that people gave it. */
function namesOf({ kind: name, record }: HeldText): readonly unknown[] {
  const kind = documentKind(name);
  if (kind !== undefined) return keyOf(kind, record);
  const { id } = record as { readonly id?: unknown };
  return name === 'case' || id === undefined ? [] : [id];
}

type Overwriter = (record: never, day: string, concerns: Concerns) => object;

const overwriters = {
  case: overwriteCase,
  trial: overwriteTrial,
  scores: overwriteScores,
  judgement: overwriteJudgement,
  'batch-request': overwriteRequest,
  feedback: (kept: KeptFeedback, day) => ({ ...kept, feedback: overwriteFeedback(kept.feedback, day) }),
  label: (label: Label, day, { freeTexts }) =>
    overwriteLabel(label, day, freeTexts.has(`${label.rubric.id} ${label.rubric.version}`)),
  mark: overwriteMark,
  grouping: overwriteGrouping,
  proposal: (kept: KeptProposal, day, concerns) => {
    const isWhole = concerns.finds(kept.proposal);
    return {
      ...kept,
      proposal: isWhole ? overwriteProposal(kept.proposal, day) : kept.proposal,
      decisions: kept.decisions.map((decision) =>
        isWhole || concerns.finds(decision) ? overwriteDecision(decision, day) : decision,
      ),
    };
  },
} as Partial<Record<string, Overwriter>> as Partial<
  Record<string, (record: object, day: string, concerns: Concerns) => object>
>;

const schemas: Partial<Record<string, () => z.ZodType>> = {
  case: () => caseSchema,
  trial: () => trialSchema().partial({ transcript: true }),
  scores: () => resultSchema.unwrap().pick({ verdicts: true, scorecard: true }),
  judgement: () => judgementSchema,
};

/** Throws `usage-invalid` when a record could not be read any more without a text. */
function requireValid({ kind, record }: HeldText, next: object): void {
  const schema = schemas[kind]?.() ?? documentKind(kind)?.schema();
  if (schema === undefined || schema.safeParse(next).success || !schema.safeParse(record).success) return;
  throw new TouchstoneError(
    'usage-invalid',
    `Nothing was erased: the text is also a word of Touchstone's own records (of the kind ${kind}).`,
    { remedy: 'Name a longer text, such as a whole name or address.' },
  );
}
