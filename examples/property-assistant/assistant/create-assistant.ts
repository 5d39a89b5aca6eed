import { openDatabase } from './database.ts';
import type { Lexicon } from './lexicon.ts';
import { readPassages } from './passages.ts';
import { readQuestion } from './question.ts';
import { replyWithoutTools } from './reply-without-tools.ts';
import { type Routing, routeQuestion, type Step, splitClauses } from './route-question.ts';
import { createSearchIndex } from './search-index.ts';
import { companyFacts } from './skills/company-facts.ts';
import { documentList } from './skills/document-list.ts';
import { createDocumentSearch } from './skills/document-search.ts';
import { obligations } from './skills/obligations.ts';
import { propertyFacts } from './skills/property-facts.ts';
import { createTransactions } from './skills/transactions.ts';
import { openToolbox, roundScore, type Toolbox, type ToolCall, type UseTool } from './toolbox.ts';
import { ToolExecutionError } from './tool-execution-error.ts';
import { readVocabulary } from './vocabulary.ts';

/** What makes one version of the assistant differ from another. */
export interface AssistantOptions {
  lexicon: Lexicon;
  routing: Routing;
  /** Passages quoted in an answer, and sentences quoted of each. */
  passages: number;
  sentences: number;
  /** How often a tool that did not answer is asked again. */
  retries: number;
}

/** What the assistant takes of a request from Touchstone. */
export interface AssistantRequest {
  useTool: UseTool;
}

/** A question in, an answer out; without a request, the tools are used directly. */
export type Assistant = (question: string, request?: AssistantRequest) => Promise<AssistantReply>;

/** An answer with the tools called for it and the passages retrieved, best first. */
export interface AssistantReply {
  answer: string;
  toolCalls: ToolCall[];
  documents: { id: string; text: string; score: number }[];
}

const offTopicShare = 0.5;
const offTopicReply =
  "I can't answer that: it seems to be about neither the books nor the documents of Poolula LLC.";

/** Creates an assistant over the business data. Its reply depends on the question and on what its tools return. */
export function createAssistant(options: AssistantOptions): Assistant {
  const database = openDatabase();
  const index = createSearchIndex(readPassages(), options.lexicon);
  const vocabulary = readVocabulary(database);
  const search = createDocumentSearch(vocabulary.catalogue, options);
  const skills = [
    propertyFacts,
    createTransactions(vocabulary),
    obligations,
    companyFacts,
    documentList,
    search,
  ];
  const read = (text: string) => readQuestion(text, { lexicon: options.lexicon, asOf: vocabulary.asOf });

  function planSteps(text: string): Step[] {
    const clauses = options.routing.splitsClauses ? splitClauses(text) : [text];
    return clauses.flatMap((clause) => routeQuestion(read(clause), skills, options.routing));
  }

  return async (text, { useTool } = { useTool: useDirectly }) => {
    const toolbox = openToolbox(database, index, { useTool, retries: options.retries });
    const answer = replyWithoutTools(text) ?? (await answerWithTools(text, toolbox));
    return { answer, toolCalls: toolbox.calls, documents: listRetrieved(toolbox) };
  };

  async function answerWithTools(text: string, toolbox: Toolbox): Promise<string> {
    const planned = planSteps(text);
    if (planned.length === 0 && index.shareOfKnownWords(text) <= offTopicShare) return offTopicReply;
    const steps = planned.length > 0 ? planned : [{ question: read(text), skill: search }];
    const answers: string[] = [];
    for (const step of steps) answers.push(await takeStep(step, toolbox));
    return answers.join('\n');
  }
}

async function useDirectly<Result>(_name: string, _given: object, run: () => Result): Promise<Result> {
  return run();
}

async function takeStep({ question, skill }: Step, toolbox: Toolbox): Promise<string> {
  try {
    return await skill.answer(question, toolbox);
  } catch (error) {
    if (!(error instanceof ToolExecutionError)) throw error;
    return `I encountered an error while ${error.activity}. ${error.name}: ${error.message}`;
  }
}

function listRetrieved(toolbox: Toolbox): AssistantReply['documents'] {
  const best = toolbox.hits.toSorted((a, b) => b.score - a.score);
  return best.map(({ passage, score }) => ({ id: passage.id, text: passage.text, score: roundScore(score) }));
}
