import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readRequestNames } from './openapi-names.ts';

const none = { paths: [], names: {}, ignore: [] };
const plain = await readRequestNames(none, '.');

test.each([
  ['/orders/4711', 'GET /orders/{id}', { id: '4711' }],
  ['/orders/1290461237612345678/', 'GET /orders/{id}', { id: '1290461237612345678' }],
  [
    '/o/0b9d2e6c-1f0a-4c3e-9b7d-5a4e3c2b1a00/items',
    'GET /o/{id}/items',
    { id: '0b9d2e6c-1f0a-4c3e-9b7d-5a4e3c2b1a00' },
  ],
  ['/o/01ARZ3NDEKTSV4RRFFQ69G5FAV', 'GET /o/{id}', { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }],
  ['/commits/deadbeef', 'GET /commits/{id}', { id: 'deadbeef' }],
  [
    '/users/1/orders/2?id=3&q=a%20b&q=c',
    'GET /users/{id}/orders/{id}',
    { id: '1', id2: '2', id3: '3', q: ['a b', 'c'] },
  ],
  ['/orders/export', 'GET /orders/export', {}],
  ['/v1.2/facade', 'GET /v1.2/facade', {}],
  ['/', 'GET /', {}],
])('%s is named by its shape', (url, name, parameters) => {
  expect(plain.find('GET', url)).toEqual({ name, parameters });
});

/** A file with forty operations on ten resources, and three that only the order of patterns can tell apart. */
function fortyOperations(): string {
  const resources = Array.from({ length: 10 }, (_, index) => `thing${index}`);
  const paths = resources.map(
    (each) => `  /${each}:
    get: { operationId: list_${each} }
    post: { operationId: create_${each} }
  /${each}/{${each}_id}:
    parameters: [{ name: ${each}_id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: get_${each} }
    delete: { operationId: delete_${each}, summary: "Removes it." }
`,
  );
  return `openapi: 3.1.0
info: { title: Forty, version: "1" }
paths:
${paths.join('')}  /orders/{id}: { get: { operationId: getOrder } }
  /orders/export: { get: { operationId: exportOrders } }
  /orders/{id}.pdf: { get: { operationId: printOrder }, head: {} }
`;
}

test('operations of an OpenAPI file name requests, the most exact pattern first', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'openapi-'));
  writeFileSync(path.join(folder.path, 'forty.yaml'), fortyOperations());
  const settings = {
    openapi: 'forty.yaml',
    paths: ['/reports/{year}'],
    names: { 'GET /thing3': 'all_threes' },
    ignore: ['GET /health', '/probe/{any}'],
  };
  const { find, operations } = await readRequestNames(settings, folder.path);
  expect(operations).toHaveLength(44);
  expect(operations?.filter(({ isReadOnly }) => isReadOnly)).toHaveLength(24);
  const nameOf = (method: string, url: string) => find(method, url)?.name;
  expect(find('DELETE', '/thing7/12?force=1')).toEqual({
    name: 'delete_thing7',
    parameters: { thing7_id: '12', force: '1' },
  });
  expect([
    nameOf('GET', '/orders/export'),
    nameOf('GET', '/orders/x%2Fy'),
    nameOf('GET', '/orders/7.pdf'),
  ]).toEqual(['exportOrders', 'getOrder', 'printOrder']);
  expect(find('GET', '/orders/x%2Fy')?.parameters).toEqual({ id: 'x/y' });
  expect([nameOf('GET', '/thing3'), nameOf('POST', '/thing3'), nameOf('HEAD', '/orders/7.pdf')]).toEqual([
    'all_threes',
    'create_thing3',
    'HEAD /orders/{id}.pdf',
  ]);
  expect(find('GET', '/reports/2026')).toEqual({ name: 'GET /reports/{year}', parameters: { year: '2026' } });
  expect([find('GET', '/health'), find('POST', '/probe/1'), nameOf('POST', '/health')]).toEqual([
    undefined,
    undefined,
    'POST /health',
  ]);
  expect(nameOf('PATCH', '/orders/1')).toBe('PATCH /orders/{id}');
});

test('a file that is not OpenAPI 3 is refused', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'openapi-'));
  const read = async (text: string) => {
    writeFileSync(path.join(folder.path, 'api.json'), text);
    return await readRequestNames({ ...none, openapi: 'api.json' }, folder.path);
  };
  await expect(read('{"swagger": "2.0"}')).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining('no member'),
  });
  await expect(read('{"openapi": "2.0"}')).rejects.toThrow('the version 2.0');
  await expect(read('{')).rejects.toThrow('cannot be read');
  await expect(readRequestNames({ ...none, openapi: 'gone.yaml' }, '.')).rejects.toMatchObject({
    code: 'config-invalid',
  });
});
