import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { NamedUse } from '../../src/core/lib/define.ts';
import { anthropic } from '../../src/evaluate/models/anthropic.ts';
import { gemini } from '../../src/evaluate/models/gemini.ts';
import { openaiChat } from '../../src/evaluate/models/openai-chat.ts';
import type { ModelNeeds } from '../../src/evaluate/models/model.ts';
import type { TargetNeeds, TargetRequest } from '../../src/evaluate/targets/target.ts';
import { sessionOf } from '../../src/library/testing/target-contract.ts';

const kinds = { 'openai-chat': openaiChat, anthropic, gemini };

/** The protocols that the model server of the tests speaks. */
export const protocols = Object.keys(kinds) as (keyof typeof kinds)[];

/** Returns the use of a model of a protocol behind a base URL. */
export function modelAt(
  baseUrl: string,
  use: keyof typeof kinds = 'openai-chat',
  more: object = {},
): NamedUse {
  return { use, model: 'test-model', baseUrl, maxRetries: 2, ...more };
}

/** Prepares a folder with files in it, and the needs of a target there. */
export async function prepare(
  files: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
): Promise<TargetNeeds & AsyncDisposable> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-target-'));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const keys = { ANTHROPIC_API_KEY: 'sk-test-anthropic', GEMINI_API_KEY: 'sk-test-gemini' };
  const needs: ModelNeeds = { folder, environment: { ...keys, ...environment } };
  return {
    ...needs,
    readRows: () => {
      throw new Error('no rows are read');
    },
    resolveModel: (written) => {
      const { use, ...given } = written as NamedUse;
      const definition = kinds[use as keyof typeof kinds].definition as (typeof openaiChat)['definition'];
      return definition.create(definition.options.parse(given), needs);
    },
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true, force: true }),
  };
}

/** Builds a request to a target. */
export function requestOf(input: string, more: Partial<TargetRequest> = {}): TargetRequest {
  const messages = [{ role: 'user', content: input } as const];
  return {
    key: 'k',
    caseId: 'case-1',
    input,
    messages,
    session: sessionOf(1),
    metadata: {},
    attempt: 1,
    seed: 3_000_000_001,
    ...more,
  };
}

/** The context of a call without a limit. */
export const unbounded = { signal: new AbortController().signal };
