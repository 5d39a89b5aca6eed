import { expect, test } from 'vitest';
import { importFiles, linesOf } from '../../../../test/support/import-files.ts';

const task = (parts: object = {}) => ({
  id: '7',
  description: { purpose: 'Cancelling' },
  user_scenario: {
    persona: 'Curt.',
    instructions: {
      domain: 'airline',
      reason_for_call: 'You want to cancel a flight.',
      known_info: 'You are Ana.\nYour id is ana_1.',
      unknown_info: 'The number of the booking',
      task_instructions: 'Insist.',
    },
  },
  ticket: null,
  initial_state: null,
  evaluation_criteria: {
    actions: [
      {
        action_id: 'a',
        requestor: 'assistant',
        name: 'find',
        arguments: { id: 'ana_1' },
        compare_args: null,
      },
      { action_id: 'b', name: 'cancel', arguments: { id: 'B1', note: 'x' }, compare_args: ['id'] },
      { action_id: 'c', requestor: 'user', name: 'restart', arguments: {} },
    ],
    communicate_info: ['328'],
    nl_assertions: ['The agent refuses a refund.'],
    reward_basis: ['DB', 'ACTION', 'COMMUNICATE', 'NL_ASSERTION'],
  },
  ...parts,
});

const simulation = (parts: object = {}) => ({
  id: 's1',
  task_id: '7',
  trial: 0,
  seed: 5,
  duration: 30,
  termination_reason: 'user_stop',
  agent_cost: 0.02,
  user_cost: 0.01,
  messages: [
    { role: 'assistant', content: 'Hi! How can I help?' },
    { role: 'user', content: 'Cancel my flight.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', name: 'find', arguments: { id: 'ana_1' }, requestor: 'assistant' }],
      usage: { prompt_tokens: 100, completion_tokens: 7 },
    },
    { id: 'c1', role: 'tool', content: 'Error: unknown', requestor: 'assistant', error: true },
    {
      role: 'user',
      content: null,
      tool_calls: [{ id: 'u1', name: 'restart', arguments: {}, requestor: 'user' }],
    },
    { id: 'u1', role: 'tool', content: 'done', requestor: 'user', error: false },
    { role: 'assistant', content: 'It is cancelled.', usage: { prompt_tokens: 120, completion_tokens: 5 } },
    { role: 'user', content: '###STOP###' },
  ],
  reward_info: {
    reward: 0,
    db_check: { db_match: false, db_reward: 0 },
    action_checks: [{ action_match: true }, { action_match: false }],
    communicate_checks: [{ info: '328', met: false, justification: 'never said' }],
    reward_basis: ['DB', 'ACTION'],
    reward_breakdown: { DB: 0, ACTION: 1 },
  },
  ...parts,
});

const results = (...simulations: object[]) => ({
  timestamp: '2026-11-20',
  info: {
    git_commit: 'a2c02470000000',
    num_trials: 2,
    agent_info: { implementation: 'llm_agent', llm: 'gpt-4.1' },
    user_info: { implementation: 'user_simulator' },
    environment_info: { domain_name: 'airline' },
  },
  tasks: [task(), task({ id: '8' })],
  simulations,
});

test('a task is a case with a simulated user, its required calls, and checks of what has to be said', async () => {
  const project = await importFiles({ 'tasks.json': [task()] });
  expect(project.record.found).toBe('1 task of τ²-bench');
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    {
      id: '7',
      user: {
        goal: 'You want to cancel a flight.\n\nInsist.\n\nYou do not know: The number of the booking',
        persona: 'Curt.',
        knowledge: ['You are Ana.', 'Your id is ana_1.'],
        opens: true,
      },
      expected: {
        calls: {
          must: [
            { name: 'find', arguments: { id: 'ana_1' } },
            { name: 'cancel', arguments: { id: 'B1' }, match: 'superset' },
          ],
        },
        checks: [
          { use: 'rubric', text: 'The assistant gave the user this information: 328' },
          { use: 'rubric', text: 'The agent refuses a refund.' },
        ],
      },
    },
  ]);
  expect(project.callsNothing).toBe(false);
  expect(project.files['todo.md']).toContain('## action of the user (1)');
});

test('nothing is required on which the reward does not depend, and the reward by the database is named', async () => {
  const criteria = { ...task().evaluation_criteria, reward_basis: ['DB', 'COMMUNICATE'] };
  const project = await importFiles({ 'tasks.json': [task({ evaluation_criteria: criteria })] });
  const [first] = linesOf<{ expected: { checks: object[] } }>(project, 'golden.jsonl');
  expect(first?.expected).not.toHaveProperty('calls');
  expect(first?.expected.checks).toMatchObject([
    { text: 'The assistant gave the user this information: 328' },
  ]);
  expect(project.files['todo.md']).toContain('## reward by the state of the database (1)');
});

test('a simulation is a recorded conversation with its reward and the parts of it', async () => {
  const broken = simulation({
    id: 's3',
    trial: 2,
    termination_reason: 'infrastructure_error',
    messages: [],
    reward_info: null,
  });
  const project = await importFiles({
    'results.json': results(
      simulation({ id: 's2', trial: 1, reward_info: { reward: 1 } }),
      simulation(),
      broken,
    ),
  });
  expect(project.record).toMatchObject({
    found: 'results of τ²-bench in the domain airline, 3 simulations of 2 tasks',
    tool: { version: 'a2c024700000' },
  });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    { id: '7', input: 'Cancel my flight.', category: 'airline' },
    { id: '8' },
  ]);
  const [second, first, third] = linesOf(project, 'answers.jsonl');
  expect(second).toMatchObject({ attempt: 2, verdicts: { reward: { value: 1, passed: true } } });
  expect(first).toMatchObject({
    attempt: 1,
    recordedTarget: 'gpt-4.1',
    answer: 'It is cancelled.',
    cost: 0.02,
    usage: { inputTokens: 220, outputTokens: 12 },
    verdicts: {
      reward: { value: 0, passed: false, explanation: '328: never said' },
      'reward.db': { value: 0 },
      'reward.action': { value: 1, passed: true },
      actions: { value: 0.5 },
      communicate_info: { value: 0 },
    },
  });
  const calls = first?.transcript.flatMap(({ toolCalls = [] }) => toolCalls);
  expect(calls).toEqual([{ id: 'c1', name: 'find', arguments: { id: 'ana_1' }, error: 'Error: unknown' }]);
  expect(third).toMatchObject({ error: 'infrastructure_error' });
  expect(third).not.toHaveProperty('verdicts');
  expect(project.files['touchstone.config.yaml']).toContain('of: reward');
});

test('an experiment is a folder with each simulation in a file of its own', async () => {
  const project = await importFiles({
    'results.json': results(),
    'simulations/s1.json': simulation(),
    'simulations/s2.json': simulation({ id: 's2', trial: 1 }),
  });
  expect(linesOf(project, 'answers.jsonl')).toHaveLength(2);
});

test('a file of another kind is none of τ²-bench', async () => {
  for (const other of [[], [{ id: 1 }], { tasks: [], simulations: [] }, [{ user_scenario: 1 }]])
    await expect(importFiles({ 'x.json': other })).rejects.toMatchObject({ code: 'import-invalid' });
});
