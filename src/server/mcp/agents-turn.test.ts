import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { inAgentsTurn } from './agents-turn.ts';

test('an agent spends when the turn of another process has ended, or that process has died', async () => {
  const store = createMemoryStore();
  const never = new AbortController().signal;
  const take = async (forMs: number) =>
    await store.shared.change('agents-turn', (_, now) => ({
      value: { owner: 'another process', until: now + forMs },
      result: undefined,
    }));
  await take(60_000);
  const order: string[] = [];
  const mine = inAgentsTurn(store, never, async () => order.push('mine'));
  await pause(50);
  order.push('the end of the other');
  await store.shared.remove('agents-turn');
  await mine;
  expect(order).toEqual(['the end of the other', 'mine']);
  expect(await store.shared.list('agents-turn')).toEqual([]);
  await take(-1);
  expect(await inAgentsTurn(store, never, async () => 'after a death')).toBe('after a death');
  await expect(inAgentsTurn(store, never, async () => await Promise.reject(new Error('x')))).rejects.toThrow(
    'x',
  );
  expect(await inAgentsTurn(store, never, async () => 'after a fault')).toBe('after a fault');
  await take(60_000);
  const over = inAgentsTurn(store, AbortSignal.abort(), async () => 'never');
  await expect(over).rejects.toMatchObject({ code: 'run-in-progress' });
});
