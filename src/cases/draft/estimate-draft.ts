import type { ChatModel } from '../../evaluate/models/model.ts';
import { type AskedRequest, writePrompt } from '../../evaluate/judges/asking/create-asker.ts';
import { type Categories, requestClosedBook, requestOpenBook, requestQuestions } from './asking/prompts.ts';
import type { DraftTask } from './plan-draft.ts';

/** The most that a draft takes, before anything is asked. */
export interface DraftEstimate {
  readonly questions: number;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; null when the price of the model is not known. */
  readonly cost: number | null;
}

const charactersPerToken = 4;

/** The usual lengths in tokens of a drafted question with its facts, and of an answer; generous. */
const tokensPerQuestion = 250;
const tokensPerAnswer = 100;

/** The number of passages with which a question without an answer is checked, besides its own. */
const searchedPassages = 5;

/** A question of usual length, for the prompts of the checks. */
const typicalQuestion = 'x'.repeat(100);
const typicalId = 'a2345678';

/**
 * Estimates the calls of a draft, their tokens and their price: every question is drafted, and then checked without and with
 * its passages. Questions that fail an earlier check take less, and stored replies cost nothing.
 */
export async function estimateDraft(
  tasks: readonly DraftTask[],
  categories: Categories,
  model: Pick<ChatModel, 'priceOf'>,
): Promise<DraftEstimate> {
  const totals = { questions: 0, calls: 0, inputTokens: 0, outputTokens: 0 };
  const add = (request: AskedRequest<unknown>, times: number, outputTokens: number) => {
    const { system, user } = writePrompt(request, typicalId, { text: (text) => text });
    totals.calls += times;
    totals.inputTokens += times * Math.ceil((system.length + user.length) / charactersPerToken);
    totals.outputTokens += times * outputTokens;
  };
  for (const task of tasks) {
    const { kind, passages, questions } = task;
    totals.questions += questions;
    add(requestQuestions(task, categories), 1, questions * tokensPerQuestion);
    if (kind !== 'unanswerable')
      add(requestClosedBook(typicalQuestion, passages), questions, tokensPerAnswer);
    const read =
      kind === 'unanswerable'
        ? Array.from({ length: 1 + searchedPassages }, () => passages).flat()
        : passages;
    add(requestOpenBook(typicalQuestion, read), questions, tokensPerAnswer);
  }
  const { inputTokens, outputTokens } = totals;
  return { ...totals, cost: (await model.priceOf({ inputTokens, outputTokens })) ?? null };
}
