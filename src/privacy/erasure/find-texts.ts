import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { TouchstoneError } from '../../core/errors.ts';
import { keyedHash } from '../../core/lib/content-hash.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { type Case, caseSchema } from '../../core/schema/case.ts';
import { dayErased } from '../../core/schema/erasure/erasure.ts';
import { type Feedback, type FeedbackMatch, feedbackSchema } from '../../core/schema/feedback/feedback.ts';
import { draftOfTrace, type Judgement, judgementSchema } from '../../core/schema/judgement.ts';
import { type ProposalDecision, proposalDecisionSchema } from '../../core/schema/proposal/decision.ts';
import { type Proposal, proposalSchema } from '../../core/schema/proposal/proposal.ts';
import { type Result, resultSchema } from '../../core/schema/result.ts';
import { certificateSchema, refusedCalibrationSchema } from '../../core/schema/review/certificate.ts';
import { type Label, labelSchema } from '../../core/schema/review/label.ts';
import { reviewItemSchema } from '../../core/schema/review/review-task.ts';
import { type Trial, trialSchema } from '../../core/schema/trial.ts';
import { judgementsOf } from '../../core/schema/verdict.ts';
import type { Store } from '../../stores/store.ts';
import type { TextChange, TextKind, TextRecord } from '../../stores/texts/text-records.ts';
import { createMatcher, type Matcher } from './matcher.ts';
import {
  overwriteCase,
  overwriteDecision,
  overwriteFeedback,
  overwriteJudgement,
  overwriteLabel,
  overwriteProposal,
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
  readonly change: TextChange;
  /** The numbers of records that are to be changed. */
  readonly counts: ReadonlyMap<TextKind, number>;
  /** The runs whose cases, trials or scores are to be changed. */
  readonly runs: ReadonlySet<string>;
  /** The traces that are to be removed. */
  readonly traces: readonly string[];
  /** The number of records with a text in their own id, which stays. */
  readonly left: number;
}

/** The kinds in the order in which they are looked at: what others depend on comes first. */
const order: readonly TextKind[] = [
  'case',
  'trial',
  'scores',
  'judgement',
  'feedback-match',
  'feedback',
  'label',
  'proposal',
  'decision',
  'proposal-export',
  'review-item',
  'certificate',
  'refused-calibration',
  'equivalence',
];

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
  const { secret } = await store.feedback.readUserKey();
  const hashes = new Set(users.map((user) => keyedHash(user, secret)));
  const traces = await findTraces(store, { texts, hashes });
  const matcher = createMatcher({ texts, ids: await idsOf(store, traces), day });
  const concerns = createConcerns({ matcher, hashes, traces, freeTexts: await findFreeTexts(store) });
  const record = (held: TextRecord) => changed(held, { matcher, concerns, day });
  const counts = new Map<TextKind, number>();
  const runs = new Set<string>();
  let left = 0;
  for (const kind of order) {
    for await (const batch of store.texts.read(kind)) {
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
  { traces }: Store,
  { texts, hashes }: { readonly texts: readonly string[]; readonly hashes: ReadonlySet<string> },
): Promise<FoundTrace[]> {
  const { holds } = createMatcher({ texts, ids: new Set(), day: '' });
  const found: FoundTrace[] = [];
  for (const { traceId, user, conversation } of await traces.list()) {
    const isOfUser = user !== null && hashes.has(user.hash);
    const isFound = isOfUser || (texts.length > 0 && holds(await traces.find(traceId)));
    if (isFound) found.push({ traceId, conversation: isOfUser ? conversation : null });
  }
  return found;
}

/** Returns the ids by which other records name traces: their own, those of their conversations, and those of the proposals of them. */
async function idsOf({ proposals }: Store, traces: readonly FoundTrace[]): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const { traceId, conversation } of traces) {
    ids.add(traceId);
    if (conversation !== null) ids.add(conversation);
    for await (const { proposal } of proposals.read({ traceId })) ids.add(proposal.id);
  }
  return ids;
}

/** Finds the rubrics whose labels are texts that people have written. */
async function findFreeTexts({ reviews }: Store): Promise<Set<string>> {
  const rubrics = await reviews.readRubrics();
  return new Set(
    rubrics.filter(({ scale }) => scale.type === 'text').map(({ id, version }) => `${id} ${version}`),
  );
}

/** The records that are concerned so far. */
interface Concerns {
  /** Notes a record, so that records which depend on it are concerned too. */
  add(held: TextRecord): void;
  /** Returns whether all texts of a record are to be overwritten. */
  has(held: TextRecord): boolean;
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
  const [judgements, feedback, proposals] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const drafts = new Set(traces.map(({ traceId }) => draftOfTrace(traceId)));
  const caseAt = ({ plan, position }: TextRecord) => `${plan} ${position}`;
  const trialAt = ({ plan, ordinal }: TextRecord) => `${plan} ${ordinal}`;
  const isOf =
    <Each>(read: (record: Each, held: TextRecord) => boolean) =>
    (held: TextRecord) =>
      read(held.record as Each, held);

  /** For each kind: whether a record is concerned, although no text is found in it. */
  const related: Partial<Record<TextKind, (held: TextRecord) => boolean>> = {
    case: isOf<Case>((record) => dayErased(record) !== undefined),
    trial: isOf<Trial>((record, held) => record.erased !== undefined || cases.has(caseAt(held))),
    scores: (held) => trials.has(trialAt(held)),
    judgement: isOf<Judgement>(({ id, askedIn }) => judgements.has(id) || drafts.has(askedIn)),
    feedback: isOf<Feedback>(
      ({ id, user }) => feedback.has(id) || (user !== undefined && hashes.has(user.hash)),
    ),
    label: isOf<Label>(
      ({ subject: { trialKey, against } }) =>
        keys.has(trialKey) || (against !== undefined && keys.has(against.trialKey)),
    ),
    decision: isOf<ProposalDecision>(({ proposal }) => proposals.has(proposal)),
  };
  const has = (held: TextRecord) =>
    matcher.holds(held.record) || matcher.names(held.record) || related[held.kind]?.(held) === true;

  const note: Partial<Record<TextKind, (held: TextRecord) => void>> = {
    case: (held) => cases.add(caseAt(held)),
    trial: (held) => {
      trials.add(trialAt(held));
      keys.add((held.record as Trial).key);
    },
    scores: ({ record }) => {
      for (const id of judgementsOf((record as Pick<Result, 'verdicts'>).verdicts)) judgements.add(id);
    },
    proposal: ({ record }) => proposals.add((record as Proposal).id),
  };
  return {
    freeTexts,
    has,
    add: (held) => {
      // A match is concerned by the trial that it names, and concerns a feedback.
      const { trialKey, feedback: id } = held.record as Partial<FeedbackMatch>;
      if (held.kind === 'feedback-match' && keys.has(trialKey ?? '')) feedback.add(id ?? '');
      else if (note[held.kind] !== undefined && has(held)) note[held.kind]?.(held);
    },
  };
}

/** Returns the record in place of one; the same object where it stays. */
function changed(
  held: TextRecord,
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
  const replaced = matcher.replace(overwritten);
  // The id of a case is a name that people gave it; the ids of other records are what rows are found by.
  const { id } = record as { readonly id?: unknown };
  const next = kind === 'case' || id === undefined ? replaced : { ...replaced, id };
  const plain = (value: object) => parseJson(JSON.stringify(value));
  return isDeepStrictEqual(plain(next), plain(record)) ? record : next;
}

type Overwriter = (record: never, day: string, concerns: Concerns) => object;

const overwriters = {
  case: overwriteCase,
  trial: overwriteTrial,
  scores: overwriteScores,
  judgement: overwriteJudgement,
  feedback: overwriteFeedback,
  label: (label: Label, day, { freeTexts }) =>
    overwriteLabel(label, day, freeTexts.has(`${label.rubric.id} ${label.rubric.version}`)),
  proposal: overwriteProposal,
  decision: overwriteDecision,
} as Partial<Record<TextKind, Overwriter>> as Partial<
  Record<TextKind, (record: object, day: string, concerns: Concerns) => object>
>;

const schemas: Partial<Record<TextKind, () => z.ZodType>> = {
  case: () => caseSchema,
  trial: () => trialSchema().partial({ transcript: true }),
  scores: () => resultSchema.unwrap().pick({ verdicts: true, scorecard: true }),
  judgement: () => judgementSchema,
  feedback: () => feedbackSchema,
  label: () => labelSchema,
  proposal: () => proposalSchema,
  decision: () => proposalDecisionSchema,
  'review-item': () => reviewItemSchema,
  certificate: () => certificateSchema,
  'refused-calibration': () => refusedCalibrationSchema,
};

/** Throws `usage-invalid` when a record could not be read any more without a text. */
function requireValid({ kind, record }: TextRecord, next: object): void {
  const schema = schemas[kind]?.();
  if (schema === undefined || schema.safeParse(next).success || !schema.safeParse(record).success) return;
  throw new TouchstoneError(
    'usage-invalid',
    `Nothing was erased: the text is also a word of Touchstone's own records (of the kind ${kind}).`,
    { remedy: 'Name a longer text, such as a whole name or address.' },
  );
}
