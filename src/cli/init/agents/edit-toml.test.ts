import { expect, test } from 'vitest';
import { putTable, takeTable } from './edit-toml.ts';

const name = ['mcp_servers', 'touchstone'];
const body = ['command = "npx"', 'args = ["a"]'];
const put = (text: string) => putTable(text, name, body);
const take = (text: string) => takeTable(text, name, [body]);
const table = '[mcp_servers.touchstone]\ncommand = "npx"\nargs = ["a"]\n';

const others = [
  '',
  'model = "gpt-5" # "[mcp_servers.touchstone]"\n',
  'notes = """\n[mcp_servers.touchstone]\n"quoted" \\""" and """\n[a]\nb = 1',
  'path = \'C:\\x\'\r\n[mcp_servers.db]\r\ncommand = "x"\r\n',
  'args = [\n  ["[x]"], # ]\n  [1, 2],\n]\n[profiles."a.b"]\nx = { y = [1] }\n',
  '\uFEFFa.b = 1979-05-27T07:32:00Z\n[[hooks]]\nx = 1\n[[hooks]]\nx = -0.5e3\n\n',
  "a = '''it''s [b'''\n\"mcp_servers\".\"db\" = { command = \"x\" }\n",
];

test.each(others)('a table is put after %j, of which every byte stays, and taken out again', (text) => {
  const after = put(text) as string;
  expect(after.startsWith(text)).toBe(true);
  expect(after.replaceAll('\r', '').endsWith(table)).toBe(true);
  expect(take(after)?.trimEnd()).toBe(text.trimEnd());
});

test.each([
  '[mcp_servers.touchstone]\n',
  '[ mcp_servers . "touchstone" ] # mine\n',
  '[mcp_servers.touchstone.env]\nA = "b"\n',
  "mcp_servers.touchstone.command = 'x'\n",
  '[mcp_servers]\ntouchstone = { command = "x" }\n',
  '[mcp_servers]\ntouchstone.command = "x"',
])('an entry in the form %j is left', (text) => {
  expect(put(text)).toBeUndefined();
});

test.each([
  ['a = 1\nb = "x\n', 'line 2 is not TOML'],
  ['a = 1\n\nhello\n', 'line 3 is not TOML'],
  ['a = [1,\n', 'line 2 is not TOML'],
  ['[a\nb = 1\n', 'line 3 is not TOML'],
  [
    'a = 1\nmcp_servers = { db = {} }\n',
    'line 2 has all of `mcp_servers` in one value, to which no table can be added',
  ],
  ['[[mcp_servers]]\n', 'line 1 has all of `mcp_servers` in one value, to which no table can be added'],
])('%j is refused: %s', (text, problem) => {
  expect(put(text)).toEqual({ problem });
});

test('a table with a key of the user is not taken out, a table behind it stays', () => {
  expect(take(`${table}env = { A = "b" }\n`)).toBeUndefined();
  expect(take('[mcp_servers.touchstone]\ncommand = "mine"\n')).toBeUndefined();
  expect(take(`a = 1\n\n${table}\n[b]\nc = 1\n`)).toBe('a = 1\n\n[b]\nc = 1\n');
});

test('hostile texts are read in time that grows with their length', () => {
  const begin = process.cpuUsage();
  for (const piece of ['"""', "'''", '\\"', '[', '"a', 'a.', '#', "''''''''''''"])
    put(piece.repeat(200_000 / piece.length));
  const { user, system } = process.cpuUsage(begin);
  expect((user + system) / 1e6).toBeLessThan(5);
});
