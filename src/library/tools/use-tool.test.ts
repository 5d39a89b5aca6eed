import { expect, test } from 'vitest';
import { createSession, listenFor } from '../../../test/support/tool-session.ts';
import { createFunctionsDoor } from '../../evaluate/tools/functions-door.ts';
import { useTool } from './index.ts';

test('a program of its own uses its tools as the run says, and without a run as they are', async () => {
  const used: string[] = [];
  const session = createSession(async ({ name }, run) => {
    if (name === 'mocked') return { result: { status: 'queued' }, from: 'mock' };
    if (name === 'refused')
      return { error: 'refused by this test', details: { status: 403 }, from: 'refused' };
    const own = await run();
    return name === 'changed' ? { result: 'garbled', fault: 'malformed' } : own;
  });
  const use = async (name: string, address?: string) => {
    const order = new Date(0);
    return await useTool(name, { id: 4711 }, () => (used.push(name), order), { address });
  };
  {
    await using door = await listenFor(
      createFunctionsDoor(() => {}),
      session,
    );
    expect(await use('own', door.url)).toEqual(new Date(0));
    expect(await use('mocked', door.url)).toEqual({ status: 'queued' });
    expect(await use('changed', door.url)).toBe('garbled');
    await expect(use('refused', door.url)).rejects.toMatchObject({
      message: 'refused by this test',
      status: 403,
    });
    await expect(
      useTool('failing', {}, () => Promise.reject(new RangeError('out of stock')), { address: door.url }),
    ).rejects.toThrow(RangeError);
    expect(session.calls.map(({ name, arguments: args }) => [name, args])).toEqual([
      ...['own', 'mocked', 'changed', 'refused'].map((name) => [name, { id: 4711 }]),
      ['failing', {}],
    ]);
  }
  await expect(use('gone', 'http://127.0.0.1:9/t/x/functions')).rejects.toThrow('cannot be asked');
  expect(await use('alone')).toEqual(new Date(0));
  expect(used).toEqual(['own', 'changed', 'alone']);
});
