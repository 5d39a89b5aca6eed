import { expect, test } from 'vitest';
import { putEntry, takeEntry } from './edit-json.ts';

const value = { command: 'npx', args: ['a'] };
const put = (text: string) => putEntry(text, { group: 'mcpServers', name: 'touchstone', value });
const take = (text: string) => takeEntry(text, { group: 'mcpServers', name: 'touchstone', values: [value] });

const written = `{
  "mcpServers": {
    "touchstone": {
      "command": "npx",
      "args": ["a"]
    }
  }
}`;

test.each([
  ['an empty object', '{}', written],
  ['an empty object on two lines', '{\n}', written],
  ['an empty group', '{\n  "mcpServers": {}\n}', written],
])('an entry is put into %s', (_what, text, expected) => {
  expect(put(text)).toBe(expected);
});

const commented = `// my servers
{
\t"other": [1, { "a": "}" }], // ends with }
\t/* "touchstone": */
\t"mcpServers": {
\t\t"db": { "command": "x", "env": { "touchstone": "no" } }, // the last "," stays
\t},
}
`;

test('comments, tabs and last commas stay, and the entry comes after the last one', () => {
  const after = put(commented) as string;
  expect(after).toBe(
    commented.replace(
      'stays\n',
      'stays\n\t\t"touchstone": {\n\t\t\t"command": "npx",\n\t\t\t"args": ["a"]\n\t\t},\n',
    ),
  );
});

test('a comment behind the last member stays behind it', () => {
  const text = '{\r\n  "mcpServers": {\r\n    "db": {} // mine\r\n  }\r\n}\r\n';
  const after = put(text) as string;
  expect(after).toContain('"db": {}, // mine\r\n    "touchstone": {\r\n');
  expect(take(after)).toBe(text);
});

test.each([
  ['{\n  "a": 1\n}\n', 'a member'],
  ['{ "mcpServers": { "db": {} } }', 'all on a line'],
  ['{\n  "mcpServers": {\n    "db": {}, // last\n  },\n}', 'last commas'],
  ['{\n  "mcpServers": {\n    "db": { "command": "x" }\n  }\n}', 'another server'],
  ['{\n    "x": "//",\n    "mcpServers": {\n        "db": {}\n    },\n    "y": null\n}\n', 'members around'],
])('what is put into %j is taken out byte for byte: %s', (text) => {
  expect(take(put(text) as string)).toBe(text);
});

test('a file with nothing else is empty afterwards', () => {
  expect(take(`${written}\n`)).toBe('');
  expect(take('{ "mcpServers": { "touchstone": {"command":"npx","args":["a"]} } }')).toBe('');
});

test('an entry that somebody put after ours stays, as does one before it', () => {
  const after = written.replace('    }\n  }', '    },\n    "db": {}\n  }');
  expect(JSON.parse(take(after) as string)).toEqual({ mcpServers: { db: {} } });
});

test('an entry of that name is left, whatever it says, also when it is written with escapes', () => {
  expect(put('{"mcpServers": {"touchstone": 1}}')).toBeUndefined();
  expect(put(String.raw`{"mcpServers": {"\u0074ouchstone": {}}}`)).toBeUndefined();
  expect(take('{"mcpServers": {"touchstone": {"command": "mine"}}}')).toBeUndefined();
  expect(take('{}')).toBeUndefined();
});

test.each([
  ['{\n  "a": 1,\n  "b": 2\n  "c": 3\n}', 'line 4 is not JSON'],
  ['{ "a": 1', 'line 1 is not JSON'],
  ['{\n "a": /* 1', 'line 2 is not JSON'],
  ['\n[]', 'line 2 is no object'],
  ['{\n  "mcpServers": []\n}', 'line 2: `mcpServers` is no object'],
])('%j is refused: %s', (text, problem) => {
  expect(put(text)).toEqual({ problem });
});

test('hostile texts are read in time that grows with their length', () => {
  const begin = process.cpuUsage();
  for (const piece of ['/*', '"', '\\"', ',', '{"a":', '// x\n', '['])
    put(piece.repeat(200_000 / piece.length));
  put(`{"a": "${'\\"'.repeat(100_000)}"}`);
  const { user, system } = process.cpuUsage(begin);
  expect((user + system) / 1e6).toBeLessThan(5);
});
