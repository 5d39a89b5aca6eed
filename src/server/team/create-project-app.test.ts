import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { requireDeclared } from './create-project-app.ts';

test('a server with a route that declares no permission does not start', () => {
  const app = new Hono();
  app.get('/api/runs', ({ text }) => text(''));
  expect(() => requireDeclared(app)).not.toThrow();
  app.post('/api/secrets', ({ text }) => text(''));
  expect(() => requireDeclared(app)).toThrow('The route POST /api/secrets declares no permission.');
});
