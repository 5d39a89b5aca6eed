import { timeNow } from '../../core/lib/time.ts';
import { createJudgingTally } from '../../evaluate/run/limits/judging-tally.ts';
import type { StopSignals } from '../../evaluate/run/limits/run-control.ts';
import type { ChatModel } from '../../evaluate/models/model.ts';
import {
  type DraftedQuestion,
  type DraftReport,
  draftReportVersion,
  type Rejection,
  rejections,
} from '../../core/schema/api/draft-report.ts';
import type { Proposal } from '../../core/schema/proposal/proposal.ts';
import type { Judgement } from '../../core/schema/judgement.ts';
import { buildProposal, type Provenance } from './build-proposal.ts';
import {
  type AskedReply,
  type Asker,
  createAsker,
  type StoredReplies,
} from '../../evaluate/judges/asking/create-asker.ts';
import {
  type Categories,
  promptVersions,
  requestQuestions,
  type WrittenQuestions,
} from './asking/prompts.ts';
import { readCandidates } from './checks/candidate.ts';
import { checkQuestion, describeCandidate } from './checks/check-question.ts';
import { findDuplicates, type KnownQuestion } from './checks/find-duplicates.ts';
import type { FoundDocuments, Passage, SourceDocument } from './documents/document.ts';
import { createPassageSearch } from './documents/search-passages.ts';
import { type DraftEstimate, estimateDraft } from './estimate-draft.ts';
import { type DraftOrder, type DraftTask, planSources } from './plan-draft.ts';

/** The documents of a draft and the golden set that its questions are proposed for. */
export interface DraftSources extends FoundDocuments {
  /** The name of the golden set. */
  readonly dataset: string;
  /** The questions that must not be asked again. */
  readonly known: readonly KnownQuestion[];
  /** Without any, the document is the category. */
  readonly categories: Categories;
}

/** The order of a draft, with its model and its limits. */
export interface DraftRules extends DraftOrder {
  readonly model: ChatModel;
  /** The longest passage, in UTF-16 code units. */
  readonly passageLength: number;
  /** The number of calls at the same time. */
  readonly concurrency: number;
  /** The cost in US dollars after which nothing more is asked. */
  readonly maxCost?: number;
}

/** Callbacks on the progress of a draft. Replies are on disk before a callback is called. */
export interface DraftObserver {
  /** Nothing has been asked yet. */
  onPlanned?(estimate: DraftEstimate, documents: number): void;
  onReplied?(replies: readonly Judgement[]): void;
  /** Called when this many more questions are drafted. */
  onDrafted?(questions: number): void;
  /** Called when this many more questions have all their checks. */
  onChecked?(questions: number): void;
}

/** The outcome of a draft, with the proposals of the questions that were accepted. Nothing is stored. */
export interface Draft {
  readonly report: Omit<DraftReport, 'known'>;
  readonly proposals: readonly Proposal[];
}

/** The surroundings of a draft. */
export interface DraftNeeds {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Creates the cache of replies; `onKept` is called with replies once they are on disk. */
  readonly createReplies: (onKept: (replies: readonly Judgement[]) => void) => StoredReplies;
  readonly observer: DraftObserver;
  readonly signals: StopSignals;
}

/**
 * Drafts questions from documents, or from what traces show, by a model, checks them, and reports each with its checks. Nothing is proposed or added to
 * a golden set here. A repeated draft finds the stored replies and asks only what is missing.
 */
export async function draftFromDocuments(
  sources: DraftSources,
  rules: DraftRules,
  { environment, createReplies, observer, signals }: DraftNeeds,
): Promise<Draft> {
  const { documents, known, categories } = sources;
  const { model, seed, concurrency, maxCost = Infinity } = rules;
  const { tasks, passages, notices } = planSources(documents, rules);
  const planned = tasks.reduce((sum, { questions }) => sum + questions, 0);
  const hashes = new Map(documents.map(({ id, hash }) => [id, hash]));
  const traces = new Map(documents.flatMap(({ id, trace }) => (trace === undefined ? [] : [[id, trace]])));
  const provenance = { dataset: sources.dataset, model: model.name, seed, hashes, traces, at: timeNow() };
  observer.onPlanned?.(await estimateDraft(tasks, categories, model), documents.length);
  const spending = createJudgingTally();
  const limit = new AbortController();
  const replies = createReplies((kept) => {
    spending.add(kept);
    observer.onReplied?.(kept);
    if (spending.spent() >= maxCost) limit.abort();
  });
  const stop = AbortSignal.any([signals.stop, limit.signal]);
  await model.open?.();
  try {
    const asker = createAsker({
      model,
      purpose: 'draft',
      prompts: promptVersions,
      environment,
      replies,
      seed,
      concurrency,
      signal: signals.abort,
      stop,
    });
    const setting = { passages, known, categories, provenance, asker, observer };
    const { questions, unwritten, problems } = await draftQuestions(tasks, setting);
    const { calls, cost } = spending.summarize();
    const kept = questions.filter(({ outcome }) => outcome === 'kept');
    const report: Draft['report'] = {
      version: draftReportVersion,
      dataset: sources.dataset,
      seed,
      model: { name: model.name, fingerprint: model.fingerprint },
      prompts: { ...promptVersions },
      documents: documents
        .map((document) => describeDocument(document, passages, questions))
        // There are many traces, and a draft asks about a few.
        .filter((document) => document.questions > 0 || !traces.has(document.id)),
      notices: [...sources.notices, ...notices, ...problems],
      planned,
      drafted: questions.length + unwritten['reply-unusable'] + unwritten['not-written'],
      kept: kept.length,
      notChecked: questions.filter(({ outcome }) => outcome === 'not-checked').length,
      rejected: countRejections(questions, unwritten),
      spending: { calls, cost },
      isStopped: stop.aborted,
      questions: [...questions],
    };
    return { report, proposals: kept.map((question) => buildProposal(question, provenance)) };
  } finally {
    await model.close?.();
  }
}

function describeDocument(
  { id, hash }: SourceDocument,
  passages: readonly Passage[],
  questions: readonly DraftedQuestion[],
): DraftReport['documents'][number] {
  const own = new Set(passages.filter(({ document }) => document === id).map((passage) => passage.id));
  const drafted = questions.filter((question) => question.passages.some((passage) => own.has(passage)));
  return { id, hash, passages: own.size, questions: drafted.length };
}

/** Counts the rejected questions by their reason, the most frequent first. */
function countRejections(
  questions: readonly DraftedQuestion[],
  unwritten: FoundQuestions['unwritten'],
): DraftReport['rejected'] {
  const counts = (Object.keys(rejections) as Rejection[]).map((rejection) => ({
    rejection,
    questions:
      rejection in unwritten
        ? unwritten[rejection as keyof typeof unwritten]
        : questions.filter((question) => question.rejection === rejection).length,
  }));
  return counts.filter((count) => count.questions > 0).toSorted((a, b) => b.questions - a.questions);
}

/** The surroundings of the tasks of a draft. */
interface DraftSetting extends Pick<DraftSources, 'known' | 'categories'> {
  /** All passages of all documents. */
  readonly passages: readonly Passage[];
  readonly provenance: Provenance;
  readonly asker: Asker;
  readonly observer: DraftObserver;
}

/** The questions of a draft, and those that no reply holds. */
interface FoundQuestions {
  readonly questions: readonly DraftedQuestion[];
  /** The numbers of questions whose reply could not be used, and that were missing from the model's reply. */
  readonly unwritten: Readonly<Record<'reply-unusable' | 'not-written', number>>;
  /** Sentences on why replies are missing or cannot be used: a few, each once. */
  readonly problems: readonly string[];
}

/**
 * Drafts the questions of the tasks and checks them: first by rules, then against the known questions and each other, last
 * with the model, which is asked only about what is left. The result is in the order of the tasks, however replies arrive.
 */
async function draftQuestions(
  tasks: readonly DraftTask[],
  { asker, categories, passages, known, provenance, observer }: DraftSetting,
): Promise<FoundQuestions> {
  const replies = await Promise.all(
    tasks.map(async (task) => {
      const reply = await asker.ask(requestQuestions(task, categories));
      observer.onDrafted?.(task.questions);
      return { task, reply };
    }),
  );
  const search = createPassageSearch(passages);
  const candidates = replies
    .flatMap(({ task, reply }) => (reply.status === 'answered' ? readCandidates(task, reply.answer) : []))
    .map((candidate) => ({ candidate, described: describeCandidate(candidate, search) }));
  const proposals = candidates.map(({ described }) => buildProposal(described, provenance).id);
  // A question that was drafted before is no duplicate of itself.
  const others = known.filter(({ proposal }) => proposal === undefined || !proposals.includes(proposal));
  const duplicates = findDuplicates(
    candidates.map(({ candidate }) => candidate),
    others,
  );
  const questions = await Promise.all(
    candidates.map(async ({ candidate, described }, index): Promise<DraftedQuestion> => {
      const checked = await checkQuestion(candidate, duplicates.get(index), { asker, search });
      const { closedBook, ...outcome } = checked;
      observer.onChecked?.(1);
      const measured = { ...described.measured, closedBook };
      return { proposal: proposals[index] as string, ...described, measured, ...outcome };
    }),
  );
  return { questions, ...countMissing(replies) };
}

/** The most reasons for missing replies that a report lists; a model that cannot be reached has one for each task. */
const mostProblems = 3;

interface TaskReply {
  readonly task: DraftTask;
  readonly reply: AskedReply<WrittenQuestions>;
}

function countMissing(replies: readonly TaskReply[]): Omit<FoundQuestions, 'questions'> {
  const unwritten = { 'reply-unusable': 0, 'not-written': 0 };
  for (const { task, reply } of replies) {
    if (reply.status === 'answered')
      unwritten['not-written'] += Math.max(0, task.questions - reply.answer.questions.length);
    else if (reply.cause === 'unreadable') unwritten['reply-unusable'] += task.questions;
  }
  const problems = replies.flatMap(({ reply }) =>
    reply.status === 'failed' && reply.cause !== 'not-asked'
      ? [
          `${reply.cause === 'unreadable' ? 'A reply could not be used' : 'No reply'}: ${reply.reason.replaceAll(/\s+/g, ' ')}`,
        ]
      : [],
  );
  return {
    unwritten,
    problems: [...new Set(problems)].slice(0, mostProblems),
  };
}
