import type { JudgementCache } from '../judges/judge.ts';
import { createJudgingTally } from '../run/limits/judging-tally.ts';
import type { StopSignals } from '../run/limits/run-control.ts';
import type { ChatModel } from '../models/model.ts';
import {
  type DraftedQuestion,
  type DraftReport,
  draftReportVersion,
  type Rejection,
  rejections,
} from '../schema/api/draft-report.ts';
import type { Judgement } from '../schema/judgement.ts';
import { type Asker, createAsker, type DraftReply } from './asking/create-asker.ts';
import { promptVersions, requestQuestions, type WrittenQuestions } from './asking/prompts.ts';
import { readCandidates } from './checks/candidate.ts';
import { checkQuestion } from './checks/check-question.ts';
import { findDuplicates, type KnownQuestion } from './checks/find-duplicates.ts';
import type { FoundDocuments, Passage, SourceDocument } from './documents/document.ts';
import { createPassageSearch } from './documents/search-passages.ts';
import { type DraftOrder, type DraftTask, planSources } from './plan-draft.ts';

/** The documents of a draft and the golden set that its questions are proposed for. */
export interface DraftSources extends FoundDocuments {
  /** The name of the golden set. */
  readonly dataset: string;
  /** The questions that must not be asked again. */
  readonly known: readonly KnownQuestion[];
  /** The categories to choose from; without any, the document is the category. */
  readonly categories: readonly string[];
}

/** The order of a draft, with its model and its limits. */
export interface DraftRules extends DraftOrder {
  readonly model: ChatModel;
  /** The longest passage, in UTF-16 code units. */
  readonly passageLength: number;
  /** The number of calls at the same time. */
  readonly concurrency: number;
  /** The cost in US dollars after which nothing more is asked. */
  readonly maxCost?: number | undefined;
}

/** Callbacks on the progress of a draft. Replies are on disk before a callback is called. */
export interface DraftObserver {
  /** Nothing has been asked yet. */
  onPlanned?(questions: number, documents: number): void;
  onReplied?(replies: readonly Judgement[]): void;
  /** So many more questions are drafted. */
  onDrafted?(questions: number): void;
  /** So many more questions have all their checks. */
  onChecked?(questions: number): void;
}

/** The surroundings of a draft. */
export interface DraftNeeds {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Creates the cache of replies; `onKept` is called with replies once they are on disk. */
  readonly createReplies: (onKept: (replies: readonly Judgement[]) => void) => JudgementCache;
  readonly observer: DraftObserver;
  readonly signals: StopSignals;
}

/**
 * Drafts questions from documents by a model, checks them, and reports each with its checks. Nothing is proposed or added to
 * a golden set here. A repeated draft finds the stored replies and asks only what is missing.
 */
export async function draftFromDocuments(
  sources: DraftSources,
  rules: DraftRules,
  { environment, createReplies, observer, signals }: DraftNeeds,
): Promise<DraftReport> {
  const { documents, known, categories } = sources;
  const { model, seed, concurrency, maxCost = Infinity } = rules;
  const { tasks, passages, notices } = planSources(documents, rules);
  const planned = tasks.reduce((sum, { questions }) => sum + questions, 0);
  observer.onPlanned?.(planned, documents.length);
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
      environment,
      replies,
      seed,
      concurrency,
      signal: signals.abort,
      stop,
    });
    const { onDrafted, onChecked } = observer;
    const found = await draftQuestions(tasks, { passages, known, categories, asker, onDrafted, onChecked });
    const { questions, unusable, problems } = found;
    const { calls, cost } = spending.summarize();
    return {
      version: draftReportVersion,
      dataset: sources.dataset,
      seed,
      model: { name: model.name, fingerprint: model.fingerprint },
      prompts: { ...promptVersions },
      documents: documents.map((document) => describeDocument(document, passages, questions)),
      notices: [...sources.notices, ...notices, ...problems],
      planned,
      drafted: questions.length + unusable,
      kept: countOf(questions, 'kept'),
      notChecked: countOf(questions, 'not-checked'),
      rejected: countRejections(questions, unusable),
      spending: { calls, cost },
      isStopped: stop.aborted,
      questions: [...questions],
    };
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

function countOf(questions: readonly DraftedQuestion[], outcome: DraftedQuestion['outcome']): number {
  return questions.filter((question) => question.outcome === outcome).length;
}

/** Counts the rejected questions by their reason, the most frequent first. */
function countRejections(questions: readonly DraftedQuestion[], unusable: number): DraftReport['rejected'] {
  const counts = (Object.keys(rejections) as Rejection[]).map((rejection) => ({
    rejection,
    questions:
      questions.filter((question) => question.rejection === rejection).length +
      (rejection === 'reply-unusable' ? unusable : 0),
  }));
  return counts.filter((count) => count.questions > 0).toSorted((a, b) => b.questions - a.questions);
}

/** The surroundings of the tasks of a draft. */
interface DraftSetting {
  /** All passages of all documents. */
  readonly passages: readonly Passage[];
  /** The questions that must not be asked again. */
  readonly known: readonly KnownQuestion[];
  /** The categories to choose from; without any, the document is the category. */
  readonly categories: readonly string[];
  readonly asker: Asker;
  /** Called when so many more questions are drafted, or checked. */
  readonly onDrafted?: ((questions: number) => void) | undefined;
  readonly onChecked?: ((questions: number) => void) | undefined;
}

/** The questions of a draft, and those that no reply holds. */
interface DraftedQuestions {
  readonly questions: readonly DraftedQuestion[];
  /** The number of questions whose reply could not be used. */
  readonly unusable: number;
  /** The number of questions that were not drafted: the draft was stopped, or the model could not be reached. */
  readonly notDrafted: number;
  /** Sentences on why replies are missing or cannot be used: a few, each once. */
  readonly problems: readonly string[];
}

/**
 * Drafts the questions of the tasks and checks them: first by rules, then against the known questions and each other, last
 * with the model, which is asked only about what is left. The result is in the order of the tasks, however replies arrive.
 */
async function draftQuestions(tasks: readonly DraftTask[], setting: DraftSetting): Promise<DraftedQuestions> {
  const { asker, categories, passages, known, onDrafted, onChecked } = setting;
  const replies = await Promise.all(
    tasks.map(async (task) => {
      const reply = await asker.ask(requestQuestions(task, categories));
      onDrafted?.(task.questions);
      return { task, reply };
    }),
  );
  const candidates = replies.flatMap(({ task, reply }) =>
    reply.status === 'answered' ? readCandidates(task, reply.answer) : [],
  );
  const duplicates = findDuplicates(candidates, known);
  const search = createPassageSearch(passages);
  const questions = await Promise.all(
    candidates.map(async (candidate, index) => {
      const question = await checkQuestion(candidate, duplicates.get(index), { asker, search, categories });
      onChecked?.(1);
      return question;
    }),
  );
  return { questions, ...countMissing(replies) };
}

/** The most reasons for missing replies that a report lists; a model that cannot be reached has one for each task. */
const mostProblems = 3;

interface TaskReply {
  readonly task: DraftTask;
  readonly reply: DraftReply<WrittenQuestions>;
}

function countMissing(replies: readonly TaskReply[]): Omit<DraftedQuestions, 'questions'> {
  let [unusable, notDrafted] = [0, 0];
  for (const { task, reply } of replies) {
    if (reply.status === 'answered') unusable += Math.max(0, task.questions - reply.answer.questions.length);
    else if (reply.cause === 'unreadable') unusable += task.questions;
    else notDrafted += task.questions;
  }
  const problems = replies.flatMap(({ reply }) =>
    reply.status === 'failed' && reply.cause !== 'not-asked' ? [`No reply: ${squeeze(reply.reason)}`] : [],
  );
  return { unusable, notDrafted, problems: [...new Set(problems)].slice(0, mostProblems) };
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
