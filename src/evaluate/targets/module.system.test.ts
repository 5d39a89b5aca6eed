import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { withinLimits } from '../run/call/within-limits.ts';
import {
  largeAnswer,
  nulAnswer,
  sessionOf,
  testTargetContract,
} from '../../library/testing/target-contract.ts';
import type { ModuleFunction, ModuleRequest } from './module-function.ts';
import { module } from './module.ts';
import type { Target, TargetFailure, TargetRequest } from './target.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-module-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Options = NonNullable<Parameters<typeof module>[0]>;

function create(options: Options): Target {
  const { definition } = module;
  const needs = {
    folder,
    environment: {},
    readRows: () => expect.fail('no rows are read'),
    resolveModel: () => expect.fail('no model is used'),
  };
  return definition.create(definition.options.parse(options), needs);
}

function write(name: string, source: string): string {
  writeFileSync(path.join(folder, name), source);
  return name;
}

function request(input: string, parts: Partial<TargetRequest> = {}): TargetRequest {
  const messages = [{ role: 'user' as const, content: input }];
  return {
    key: 'k',
    caseId: 'c',
    input,
    messages,
    session: sessionOf(1),
    metadata: {},
    attempt: 1,
    seed: 3,
    ...parts,
  };
}

const never = new AbortController().signal;

function ask(target: Target, input: string, parts: Partial<TargetRequest> = {}) {
  return target.call(request(input, parts), { signal: never });
}

const scenarios: Readonly<Record<string, unknown>> = {
  'scenario: silence': new Promise(() => {}),
  'scenario: null': null,
  'scenario: not-a-number': { answer: Number.NaN },
  'scenario: large': largeAnswer,
  'scenario: nul': nulAnswer,
};
const answerContract: ModuleFunction = async (input) =>
  input in scenarios ? scenarios[input] : `echo: ${input}`;
const without = { 'invalid-utf8': 'a text of JavaScript has no encoding', html: 'text is the answer' };
testTargetContract('module', () => create({ function: answerContract }), { test, expect, without });

test('a file is found relative to the folder of the config, and its function may be async or not', async () => {
  write(
    'echo.mjs',
    'export default (input) => `echo ${input}`; export const later = async (input) => ({ answer: input, toolCalls: ["t"] });',
  );
  expect(await ask(create({ path: 'echo.mjs' }), 'a')).toEqual({
    answer: 'echo a',
    toolCalls: [],
    toolsUnknown: true,
  });
  expect(await ask(create({ path: './echo.mjs', export: 'later' }), 'b')).toEqual({
    answer: 'b',
    toolCalls: [{ name: 't' }],
  });
});

test('a TypeScript file needs no build', async () => {
  write('typed.ts', 'export default function answer(input: string): string { return input as string; }');
  expect((await ask(create({ path: 'typed.ts' }), 'typed')).answer).toBe('typed');
});

test('the function receives everything that a target may know, and its own options', async () => {
  let seen: ModuleRequest | undefined;
  const target = create({
    function: (_input, request) => {
      seen = request;
      return '';
    },
    with: { model: 'small' },
  });
  const parts = { metadata: { user: 'u' }, attempt: 2, seed: 9, caseId: 'case', key: 'key' };
  expect((await ask(target, 'q', parts)).answer).toBeNull();
  const messages = [{ role: 'user', content: 'q' }];
  const useTool = expect.any(Function);
  expect(seen).toEqual({
    ...parts,
    messages,
    session: sessionOf(1),
    options: { model: 'small' },
    attachments: [],
    signal: never,
    tools: {},
    useTool,
  });
});

test('what a function remembers of a session is there in its next turn, and in no other session', async () => {
  const target = create({
    function: (input, { session }) => {
      const heard = (session.memory['heard'] ?? []) as string[];
      session.memory['heard'] = [...heard, input];
      return `${session.id} ${session.turn}: ${[...heard, input].join(', ')}`;
    },
  });
  const [first, other] = [sessionOf(1, 'a'), sessionOf(1, 'b')];
  await ask(target, 'one', { session: first });
  expect((await ask(target, 'two', { session: { ...first, turn: 2 } })).answer).toBe('a 2: one, two');
  expect((await ask(target, 'three', { session: other })).answer).toBe('b 1: three');
});

test('a function that changes its arguments changes no case, however deep', async () => {
  const target = create({
    function: (_input, { messages, metadata }) => {
      for (const part of [
        ...messages.flatMap(({ toolCalls = [] }) => toolCalls),
        ...Object.values(metadata),
      ]) {
        if (part !== null && typeof part === 'object') Object.assign(part, { changed: true });
      }
      for (const message of messages) message.content = 'changed';
      messages.unshift({ role: 'system', content: 'be brief' });
      metadata['seen'] = true;
      return 'x';
    },
  });
  const toolCalls = () => [{ name: 'search', arguments: { query: 'a' } }];
  const parts = (): Partial<TargetRequest>[] => [
    {},
    { metadata: { topic: 'tax' } },
    { metadata: { user: { name: 'Ann' }, tags: ['a'] } },
    { messages: [{ role: 'assistant', content: null, toolCalls: toolCalls() }] },
  ];
  for (const [index, given] of parts().entries()) {
    const asked = request('q', given);
    await target.call(asked, { signal: never });
    expect(asked).toEqual(request('q', parts()[index]));
  }
});

test('a thrown error is a failure with its message and the place in the target', async () => {
  write(
    'throws.mjs',
    'function lookUp() { throw new RangeError("no such price"); }\nexport default async () => lookUp();',
  );
  await expect(ask(create({ path: 'throws.mjs' }), 'q')).rejects.toMatchObject({
    code: 'target-threw',
    message: 'no such price',
    logs: expect.stringMatching(/RangeError: no such price\n.*throws\.mjs/),
  });
});

test.each([
  ['text', 'text'],
  [{ message: 'an object' }, 'an object'],
  [undefined, 'it threw undefined'],
  [Object.create(null), 'it threw an empty object'],
  [5, 'it threw 5'],
])('throwing %o is a failure too', async (thrown, message) => {
  const target = create({
    function: () => {
      throw thrown;
    },
  });
  await expect(ask(target, 'q')).rejects.toMatchObject({ code: 'target-threw', message });
});

test('a function that tries to end the program fails its question alone, and other code may end it', async () => {
  write('exits.mjs', 'process.exit(0);\nexport default () => 1;');
  const { exit } = process;
  const target = create({
    function: async (input) => {
      await Promise.resolve();
      return input === 'exit' ? process.exit(0) : 'x';
    },
  });
  const other = create({ path: 'exits.mjs' });
  await expect(other.open?.()).rejects.toMatchObject({
    code: 'target-invalid',
    message: expect.stringContaining('exits.mjs cannot be imported: The target called process.exit(0).'),
  });
  const asked = ask(target, 'exit');
  await expect(asked).rejects.toMatchObject({ code: 'target-exited' });
  expect((await ask(target, 'q')).answer).toBe('x');
  await other.close?.();
  await target.close?.();
  await target.close?.();
  expect(process.exit).toBe(exit);
});

test('a secret of the environment in an error or a reported error is kept by name only', async () => {
  const key = 'sk/test+0123456789abcdef';
  const answers: ModuleFunction[] = [
    () => {
      throw new Error(`bad key ${key}`);
    },
    async () => ({ error: `bad key ${encodeURIComponent(key)}` }),
    async () => ({ message: `bad key ${key}`, ok: false }),
  ];
  const { definition } = module;
  for (const answer of answers) {
    const needs = { folder, environment: { BOT_KEY: key } } as never;
    const target = definition.create(definition.options.parse({ function: answer }), needs);
    const failure = await ask(target, 'q').catch((thrown: unknown) => thrown as TargetFailure);
    expect(failure).toMatchObject({ message: expect.stringContaining('bad key [BOT_KEY]') });
    expect(failure.logs ?? '').not.toContain('0123456789');
  }
});

test('a function that watches the signal sees the abort', async () => {
  const target = create({
    function: (_input, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason))),
  });
  const controller = new AbortController();
  const call = target.call(request('q'), { signal: controller.signal });
  controller.abort('enough');
  await expect(call).rejects.toMatchObject({ code: 'cancelled', cause: 'enough' });
});

test('an answer that comes too late is dropped, and reported once; a late failure is not', async () => {
  const late: string[] = [];
  const answers = new Map<string, PromiseWithResolvers<string>>();
  const target = create({
    function: async (input) => {
      const answer = Promise.withResolvers<string>();
      answers.set(input, answer);
      return await answer.promise;
    },
  });
  await target.open?.();
  for (const input of ['answers', 'throws', 'stays silent']) {
    const limits = { timeLimitMs: 20, abort: never, onLate: () => late.push(input) };
    const call = withinLimits(limits, async (context) => await target.call(request(input), context));
    await expect(call).rejects.toMatchObject({ code: 'timeout' });
  }
  answers.get('answers')?.resolve('too late');
  answers.get('throws')?.reject(new Error('too late'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(late).toEqual(['answers']);
});

test('a missing file is answered with the nearest name', async () => {
  write('chatbot.mjs', 'export default () => 1');
  await expect(create({ path: 'chatbt.mjs' }).open?.()).rejects.toMatchObject({
    code: 'target-invalid',
    message: 'There is no file chatbt.mjs. Did you mean "chatbot.mjs"?',
  });
  await expect(create({ path: '.' }).open?.()).rejects.toThrow('. is a folder');
});

test('a missing export is answered with the existing ones', async () => {
  write('named.mjs', 'export const answer = () => 1; export const limit = 5;');
  await expect(create({ path: 'named.mjs' }).open?.()).rejects.toThrow(
    'named.mjs has no default export. It exports answer, limit.',
  );
  await expect(create({ path: 'named.mjs', export: 'limit' }).open?.()).rejects.toThrow(
    'The export `limit` of named.mjs is the number 5, not a function.',
  );
});

/** Opens a file as Node itself would, without the test runner in between. */
function openInNode(file: string): string {
  const source = new URL('./module.ts', import.meta.url).href;
  const program = `
    const { definition } = (await import(${JSON.stringify(source)})).module;
    const target = definition.create(definition.options.parse({ path: ${JSON.stringify(file)} }), { folder: '.', environment: {} });
    await target.open().catch((error) => console.log(error.code + ': ' + error.message));`;
  const args = ['--input-type=module', '-e', program];
  return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
}

test.each([
  ['broken.mjs', 'const a = 1;\nexport default () => {\n  return (a;\n};', 3],
  ['broken.ts', 'const a: number = 1;\nexport default () => {\n  return (a;\n};', 3],
  ['enum.ts', 'const a: number = 1;\nenum Kind { One }\nexport default () => a;', 2],
  ['wrong-import.mjs', '\nimport { nope } from "node:fs";\nexport default () => nope;', 2],
  ['top-level.mjs', 'const a = 1;\n\nthrow new Error(`no index ${a}`);', 3],
])('%s cannot be imported, and the line is named', (name, source, line) => {
  write(name, source);
  const output = openInNode(name);
  expect(output).toContain(`target-invalid: ${name} cannot be imported: `);
  expect(output).toMatch(new RegExp(String.raw`[( /\\]${name}:${line}:\d+\)`));
});

test('the message about a file names the import that is missing', () => {
  write('needs.mjs', 'import "./missing.mjs";\nexport default () => 1;');
  expect(openInNode('needs.mjs')).toContain('missing.mjs');
});

test('a function given in a program has a JSON form that identifies it', () => {
  const use = module({ function: answerContract });
  const stored = JSON.parse(JSON.stringify(use));
  expect(stored).toEqual({
    use: 'module',
    function: expect.stringMatching(/^\[function answerContract, source [0-9a-f]{12}\]$/),
  });
  const { options } = module.definition;
  const formOf = (answer: ModuleFunction) => JSON.stringify(options.parse({ function: answer }));
  expect(formOf(answerContract)).toContain(stored.function);
  expect(formOf((input) => input)).not.toBe(formOf((input) => `${input}!`));
  expect(options.safeParse({ function: stored.function }).error?.issues[0]?.message).toContain(
    'cannot be rebuilt',
  );
});

test('exactly one of a path and a function is given', () => {
  const messageOf = (given: Options) => module.definition.options.safeParse(given).error?.issues[0]?.message;
  expect(messageOf({})).toBe('give one of `path` and `function`');
  expect(messageOf({ path: 'a', function: answerContract })).toBe('give one of `path` and `function`');
});

test('an edited file, or one that it imports, is another target; a stated version replaces the files', async () => {
  write('words.mjs', "export const word = 'old';");
  write('edited.mjs', "import { word } from './words.mjs'; export default () => word;");
  const identify = async (more: Options = {}) => await create({ path: 'edited.mjs', ...more }).identity?.();
  const before = await identify();
  expect(await identify()).toEqual(before);
  expect(await identify({ with: { tone: 'kind' } })).not.toEqual(before);
  write('words.mjs', "export const word = 'new';");
  expect(await identify()).not.toEqual(before);
  expect(await identify({ version: '2' })).toBeUndefined();
  expect(create({ function: () => 'x' }).identity).toBeUndefined();
});

test('tools used through `useTool` become the tool calls of the trial, after those that it reports of other tools', async () => {
  const search: ModuleFunction = async (input, { useTool }) => {
    const hits = await useTool('search', { query: input }, () => ['no pets']);
    return input === 'report' ? { answer: hits[0], toolCalls: ['lookup'] } : hits[0];
  };
  const target = create({ function: search });
  expect(await ask(target, 'pets?')).toEqual({
    answer: 'no pets',
    toolCalls: [{ name: 'search', arguments: { query: 'pets?' }, result: ['no pets'] }],
  });
  const seen = { name: 'search', arguments: { query: 'report' }, result: ['no pets'] };
  expect((await ask(target, 'report')).toolCalls).toEqual([{ name: 'lookup' }, seen]);
});

test('faults are injected where a function uses its tools, and a function that throws keeps its tool calls', async () => {
  const fragile: ModuleFunction = async (_input, { useTool }) => {
    const rows = await useTool('query', {}, () => [1, 2]);
    return String(rows.map((row) => row + 1));
  };
  const interceptTool = async () => ({ result: '<html>', fault: 'malformed', withheld: [1, 2] });
  const failing = create({ function: fragile }).call(request('q'), { signal: never, interceptTool });
  await expect(failing).rejects.toMatchObject({
    code: 'target-threw',
    partial: {
      transcript: [
        { role: 'user', content: 'q' },
        {
          role: 'assistant',
          content: null,
          toolCalls: [
            { name: 'query', arguments: {}, result: '<html>', fault: 'malformed', withheld: [1, 2] },
          ],
        },
      ],
    },
  });
});
