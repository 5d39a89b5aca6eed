import type { ChatModel } from '../../models/model.ts';
import type { JudgeEstimate, JudgeQuestion } from '../judge.ts';
import { writePrompt } from '../prompt/write-prompt.ts';

const charactersPerToken = 4;
const tokensPerAnswer = 130;

/** As long as the id of a request. */
const typicalId = 'a2345678';

/** What it takes to put these questions to a model: tokens by the length of the prompts, a short answer for each. */
export async function estimatePrompts(
  questions: readonly JudgeQuestion[],
  { model, together }: { readonly model: ChatModel; readonly together: boolean },
): Promise<JudgeEstimate> {
  const shared = questions.filter((question) => together || question.together === true);
  const alone = questions.filter((question) => !shared.includes(question));
  const prompts = [...bySample(shared), ...alone.map((question) => [question])];
  const tokens = prompts.map((group) => {
    const named = new Map(group.map((question) => [question.id, question]));
    const { system, user } = writePrompt(named, typicalId);
    return Math.ceil((system.length + user.length) / charactersPerToken);
  });
  const inputTokens = tokens.reduce((sum, each) => sum + each, 0);
  const outputTokens = questions.length * tokensPerAnswer;
  const cost = await model.priceOf({ inputTokens, outputTokens });
  return { calls: prompts.length, inputTokens, outputTokens, cost };
}

function bySample(questions: readonly JudgeQuestion[]): JudgeQuestion[][] {
  return [...Map.groupBy(questions, ({ sample }) => sample).values()];
}
