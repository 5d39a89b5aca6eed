import { expect, test } from 'vitest';
import {
  findSecretArgument,
  findSecretInText,
  findLiteralSecret,
  isLiteral,
  isSecretSetting,
} from './literal-secrets.ts';

test.each([
  'apiKey',
  'api_key',
  'API-KEY',
  'x-custom-auth',
  'Authorization',
  'proxy-authorization',
  'accessToken',
  'bot_token',
  'token',
  'clientSecret',
  'DB_PASSWORD',
  'subscription-key',
  'credentials',
  'x-functions-key',
])('%s is the name of a secret', (name) => expect(isSecretSetting(name)).toBe(true));

test.each([
  'author',
  'authors',
  'maxTokens',
  'max_tokens',
  'stopToken',
  'eos_token',
  'next_token',
  'tokenizer',
  'apiKeyEnv',
  'password-file',
  'secret_name',
  'x-auth-mode',
  'auth_type',
  'sortKey',
  'primary_key',
  'key',
  'keyboard',
  'x-tenant',
  'content-type',
])('%s is not the name of a secret', (name) => expect(isSecretSetting(name)).toBe(false));

test.each([
  '',
  '  ',
  '{{env.KEY}}',
  'Bearer {{env.KEY}}',
  'OPENAI_API_KEY',
  '$API_KEY',
  '${API_KEY}',
  'none',
])('%j is not a literal secret', (value) => expect(isLiteral(value)).toBe(false));

test.each([
  [['bot', '--api-key=abc'], '--api-key'],
  [['bot', '--api-key', 'abc'], '--api-key'],
  [['bot', '-H', 'Authorization: Bearer abc'], 'Authorization'],
  [['env', 'BOT_TOKEN=abc', 'bot'], 'BOT_TOKEN'],
  [['bot', 'postgres://ann:abc@host/db'], 'argument 2'],
  [['bot', 'sk-abcdefghijklmnopqrstuvwxyz'], 'argument 2'],
  [['bot', '--key=ghp_abcdefghijklmnopqrstuvwxyz0123456789'], '--key'],
] as const)('the arguments %j hold a secret', (given, name) => {
  expect(findSecretArgument(given)).toBe(name);
});

test.each([
  [['bot', '--api-key-env=KEY', '--max-tokens=5', '--token-limit', '7', '--sort-key=name', '--auth=none']],
  [['bot', '--api-key', '--verbose']],
  [['node', '-e', 'const token = read(); console.log({ password: ask() })']],
  [['bot', 'http://localhost:8080/a?b=c', '--author=Ann', 'https://ann@host/']],
  [['bot', '--api-key={{input}}', '--password', '$PASSWORD']],
])('the arguments %j contain no secret', (given) => {
  expect(findSecretArgument(given)).toBeUndefined();
});

test.each([
  ['{"api_key": "abc", "q": "{{input}}"}', 'api_key'],
  ['q={{input}}&token=abc', 'token'],
  ['<q>{{input}}</q><password>abc</password>', 'password'],
  ["apiKey: 'abc'\nquestion: {{input}}", 'apiKey'],
])('the text %j contains a secret', (text, name) => expect(findSecretInText(text)).toBe(name));

test.each([
  '{"api_key": "{{env.KEY}}", "max_tokens": "100"}',
  'q={{input}}&token={{env.TOKEN}}&stop_token=</s>',
  'Answer politely: {{input}}',
])('the text %j contains no secret', (text) => expect(findSecretInText(text)).toBeUndefined());

test('a secret in a value is reported with its place', () => {
  expect(findLiteralSecret({ a: [{ apiKey: 'abc' }] }, 'with')).toBe('with.a.0.apiKey');
  expect(findLiteralSecret({ a: ['sk-abcdefghijklmnopqrstuvwxyz'] }, 'with')).toBe('with.a.0');
  expect(findLiteralSecret({ apiKeyEnv: 'KEY', auth: 'none', token: 'BOT_TOKEN' }, 'with')).toBeUndefined();
});
