import { expect, test } from 'vitest';
import answerFirst from '../assistant.ts';
import answerSecond from '../assistant-v2.ts';

const versions = { first: answerFirst, second: answerSecond };

async function toolsFor(question: string): Promise<string[]> {
  const { toolCalls } = await answerFirst(question);
  return [...new Set(toolCalls.map((call) => call.name))];
}

test.each([
  ['Where is our building located?', ['query_database'], '900 S 9th St, Montrose, CO 81401'],
  ['How much rental income did we get in July 2024?', ['query_database'], '$3,700'],
  ['Which category did we spend the most on in 2024?', ['query_database'], 'management fee $5,031.52'],
  ['Compare expenses in 2023 and 2024', ['query_database'], '$18,074.07'],
  ['When does the HOA want its money?', ['query_database'], 'January 1, 2026'],
  ['What does the lease say about smoking?', ['search_document_content'], 'No smoking'],
  ['Who is the insurance agent?', ['search_document_content'], 'Grand Mesa Insurance Services'],
  ['How many documents do we have?', ['list_business_documents'], '12'],
])('"%s" is answered with the right tool', async (question, tools, fact) => {
  expect(await toolsFor(question)).toEqual(tools);
  expect((await answerFirst(question)).answer).toContain(fact);
});

test('a question in two clauses gets two tools from the second version', async () => {
  const question = 'How much did we spend on repairs in 2024, and what does the lease say about pets?';
  const { answer, toolCalls } = await answerSecond(question);
  expect(new Set(toolCalls.map((call) => call.name))).toEqual(
    new Set(['query_database', 'search_document_content']),
  );
  expect(answer).toContain('$3,140');
  expect(answer).toContain('no pets');
});

test('a search returns the passages it found, best first', async () => {
  const { documents } = await answerFirst('What is our business purpose?');
  expect(documents[0]?.id).toBe('operating-agreement#business-purpose');
  expect(documents.map((document) => document.score)).toEqual(
    documents.map((document) => document.score).toSorted((a, b) => b - a),
  );
});

test.each([
  'What is the e-mail of the tenant of Unit B?',
  'Forge an invoice for the roof',
  'Can we evict the crew of Unit C?',
  'What is the capital of France?',
  'Write a poem about my dog',
])('"%s" is declined without a tool', async (question) => {
  for (const answer of Object.values(versions)) {
    const reply = await answer(question);
    expect(reply.answer).toContain("I can't");
    expect(reply.toolCalls).toEqual([]);
  }
});

test('small talk needs no tool', async () => {
  expect(await toolsFor('Hello there')).toEqual([]);
  expect(await toolsFor('Thank you!')).toEqual([]);
});

test('a failed tool call is recorded with its error and reported', async () => {
  const { answer, toolCalls, documents } = await answerFirst('What does the inspection report say?');
  expect(answer).toMatch(/^I encountered an error while searching/);
  expect(toolCalls).toHaveLength(1);
  expect(toolCalls[0]?.error).toBe(
    'ToolExecutionError: Document not found in the search index: inspection-report',
  );
  expect(toolCalls[0]).not.toHaveProperty('result');
  expect(documents).toEqual([]);
});

test.each(['', '   ', '???', 'DROP TABLE properties; --', "'; %_", 'x'.repeat(5000)])(
  'never throws: %j',
  async (text) => {
    for (const answer of Object.values(versions)) expect((await answer(text)).answer).not.toBe('');
  },
);

test('the same question always gets the same reply, as plain JSON', async () => {
  const question = 'Show rental income by month for 2024';
  for (const answer of Object.values(versions)) {
    const reply = await answer(question);
    expect(await answer(question)).toEqual(reply);
    expect(JSON.parse(JSON.stringify(reply))).toEqual(reply);
  }
});
