import { expect, test } from 'vitest';
import { findNameProblem } from './listed-tools.ts';

const shop = { name: 'shop', tools: [{ name: 'get_order' }, { name: 'crm.find' }] };
const orders = { name: 'orders', tools: [{ name: 'refund' }] };
const problemOf = (
  name: string,
  server?: string,
  servers: Parameters<typeof findNameProblem>[1] = [shop, orders],
) => findNameProblem({ name, server }, servers);

test('a name is refused where every server lists its tools and none has it', () => {
  const listed = [
    'get_order',
    'crm.find',
    'shop.get_order',
    'orders.refund',
    'send_*',
    'functions.save',
    'GET /orders/{id}',
  ];
  expect(listed.map((name) => problemOf(name))).toEqual(listed.map(() => undefined));
  expect(problemOf('get_ordre')).toContain('no server lists a tool "get_ordre". Did you mean "get_order"?');
  expect(problemOf('orders.get_order')).toContain('Listed are refund.');
  expect(problemOf('refund', 'shop')).toContain('Listed are get_order, crm.find.');
  expect(problemOf('refund', 'order')).toBe('there is no server "order" of tools. Did you mean "orders"?');
});

test('a name is not refused where a server cannot be listed, or there is none', () => {
  expect(problemOf('save', undefined, [shop, { name: 'crm' }])).toBeUndefined();
  expect(problemOf('shop.save', undefined, [shop, { name: 'crm' }])).toContain('functions.save');
  expect(problemOf('save', undefined, [])).toBeUndefined();
});
