import { spawnSync } from 'node:child_process';
import { existsSync, globSync, lstatSync, readFileSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { tools } from '../src/server/mcp/tools/index.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

const clients = ['claude', 'codex', 'cursor', 'vscode'];
const agents = ['init', '--agents', ...clients];

async function projectWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

/** Returns the texts of all files of a folder, those that begin with a point, too. */
function textsIn(folder: string): Record<string, string> {
  const names = globSync(['**/*', '**/.*', '**/.*/**'], { cwd: folder }).filter((name) =>
    lstatSync(path.join(folder, name)).isFile(),
  );
  return Object.fromEntries(
    names.sort().map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  );
}

/** Reads JSON with comments as JavaScript reads it. */
function readAsScript(text: string): Record<string, Record<string, unknown>> {
  return runInNewContext(`(${text})`) as Record<string, Record<string, unknown>>;
}

const tomlReader =
  'import sys, json, tomllib; print(json.dumps([tomllib.loads(text) for text in json.load(sys.stdin)], default=str))';
const hasTomllib = spawnSync('python3', ['-c', 'import tomllib']).status === 0;

/** Reads texts of TOML with the library of Python. */
function readToml(...texts: readonly string[]): Record<string, Record<string, unknown>>[] {
  const { stdout, stderr } = spawnSync('python3', ['-c', tomlReader], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, Record<string, unknown>>[];
}

const start = { command: 'npx', args: ['--no-install', 'touchstone', 'mcp'] };

const projects: readonly (readonly [what: string, files: Readonly<Record<string, string>>])[] = [
  ['nothing', {}],
  ['a package', { 'package.json': '{"name": "shop"}', 'src/a.js': '1' }],
  ['an AGENTS.md with Windows line ends', { 'AGENTS.md': '# Rules\r\n\r\nUse tabs.\r\n' }],
  ['an AGENTS.md that quotes our mark in a line', { 'AGENTS.md': 'The mark is `<!-- touchstone -->`.\n' }],
  ['a CLAUDE.md', { 'CLAUDE.md': 'Be brief.\n' }],
  ['a CLAUDE.md that leads to AGENTS.md', { 'CLAUDE.md': 'Be brief.\n@AGENTS.md\n', 'AGENTS.md': 'x\n' }],
  [
    'servers of Claude Code, with comments',
    {
      '.mcp.json':
        '// ours\n{\n    "mcpServers": {\n        "db": { "command": "x" } // "touchstone"\n    }\n}\n',
    },
  ],
  [
    'skills of its own',
    { '.claude/skills/deploy/SKILL.md': '---\nname: deploy\n---\n', '.claude/settings.json': '{}' },
  ],
  ['servers of Cursor', { '.cursor/mcp.json': '{"mcpServers": {"db": {"url": "http://localhost"}}\n}\n' }],
  [
    'settings of VS Code with a last comma',
    { '.vscode/mcp.json': '{\n\t"inputs": [],\n\t"servers": {\n\t\t"db": { "type": "http" },\n\t},\n}\n' },
  ],
  ['a config of Codex', { '.codex/config.toml': 'model = "x"\n[mcp_servers.db]\ncommand = "y" # [z]\n' }],
  [
    'a config of Codex that ends in a text of several lines',
    { '.codex/config.toml': 'a = """\n[mcp_servers.touchstone]\n"""\n' },
  ],
];

test.each(projects)('into a project with %s, and out of it again byte for byte', async (_what, files) => {
  const cwd = await projectWith(files);
  const shown = await touchstone([...agents, '--dry-run'], { cwd });
  expect(shown.stdout).toContain('+<!-- touchstone -->');
  expect(textsIn(cwd)).toEqual(files);

  const patched = await projectWith(files);
  const apply = spawnSync('git', ['apply', '-'], { cwd: patched, input: shown.stdout, encoding: 'utf8' });
  expect(apply.stderr).toBe('');

  const { code, stdout } = await touchstone([...agents, '--json'], { cwd });
  expect(textsIn(patched)).toEqual(textsIn(cwd));
  const result = JSON.parse(stdout) as { readonly written: string[]; readonly toAdd?: unknown };
  expect([code, result.written]).toEqual([0, expect.arrayContaining(['AGENTS.md', '.mcp.json'])]);
  expect(result.toAdd !== undefined).toBe(files['CLAUDE.md']?.includes('@AGENTS.md') === false);
  const after = textsIn(cwd);
  for (const name of Object.keys(files))
    if (!result.written.includes(name)) expect(after[name]).toBe(files[name]);
  expect(readAsScript(after['.mcp.json'] ?? '')['mcpServers']?.['touchstone']).toEqual(start);
  expect(readAsScript(after['.cursor/mcp.json'] ?? '')['mcpServers']?.['touchstone']).toEqual(start);
  expect(readAsScript(after['.vscode/mcp.json'] ?? '')['servers']?.['touchstone']).toEqual({
    type: 'stdio',
    ...start,
  });
  for (const name of ['SKILL.md', 'references/metrics.md', 'references/errors.md'])
    expect(after[`.claude/skills/touchstone/${name}`]).toBe(after[`.agents/skills/touchstone/${name}`]);

  const again = await touchstone([...agents, '--json'], { cwd });
  expect(JSON.parse(again.stdout)).toMatchObject({ written: [], removed: [] });
  const gone = await touchstone(['init', '--agents', '--remove'], { cwd });
  expect(gone.code).toBe(0);
  expect(textsIn(cwd)).toEqual(files);
});

test.skipIf(!hasTomllib)(
  'the config of Codex is read by the library of Python (needs python3 with tomllib)',
  async () => {
    const configs = projects.flatMap(([, files]) => files['.codex/config.toml'] ?? []);
    const written: string[] = [];
    for (const config of ['', ...configs]) {
      const cwd = await projectWith({ '.codex/config.toml': config });
      await touchstone(['init', '--agents', 'codex'], { cwd });
      written.push(await readFile(path.join(cwd, '.codex', 'config.toml'), 'utf8'));
    }
    const before = readToml('', ...configs);
    const expected = before.map((one) => ({
      ...one,
      mcp_servers: { ...one['mcp_servers'], touchstone: { ...start, tool_timeout_sec: 60 } },
    }));
    expect(readToml(...written)).toEqual(expected);
  },
);

test.each([
  ['.mcp.json', '{\n  "mcpServers": {\n    "a": 1\n    "b": 2\n  }\n}', '`.mcp.json` line 4 is not JSON'],
  ['.vscode/mcp.json', '[]', '`.vscode/mcp.json` line 1 is no object'],
  ['.codex/config.toml', 'a = 1\nb = "\n', '`.codex/config.toml` line 2 is not TOML'],
  ['.codex/config.toml', 'mcp_servers = {}\n', 'line 1 has all of `mcp_servers` in one value'],
  ['AGENTS.md', 'a\n<!-- touchstone -->\nb\n', '`AGENTS.md` line 2 is one end of the section'],
])('bad input in %s: nothing at all is written', async (file, text, message) => {
  const cwd = await projectWith({ [file]: text });
  const { code, stderr } = await touchstone(agents, { cwd });
  expect([code, stderr]).toEqual([4, expect.stringContaining(message)]);
  expect(stderr).toContain('nothing was written');
  expect(textsIn(cwd)).toEqual({ [file]: text });
});

test('links that lead out of the project are refused, those inside are followed', async () => {
  const outside = await projectWith({ 'mcp.json': '{}\n', 'rules.md': 'theirs\n' });
  const links = [
    ['.cursor', outside],
    ['.mcp.json', path.join(outside, 'mcp.json')],
    ['.mcp.json', path.join(outside, 'new.json')],
    ['AGENTS.md', path.join(outside, 'rules.md')],
    ['.claude', outside],
  ] as const;
  for (const [link, to] of links) {
    const cwd = await projectWith({});
    await symlink(to, path.join(cwd, link));
    const { code, stderr } = await touchstone(agents, { cwd });
    expect([link, code, stderr]).toEqual([link, 4, expect.stringContaining('nothing was written')]);
    expect(textsIn(cwd)).toEqual({});
  }
  expect(textsIn(outside)).toEqual({ 'mcp.json': '{}\n', 'rules.md': 'theirs\n' });

  const cwd = await projectWith({ 'CLAUDE.md': 'Be brief.\n' });
  await symlink('CLAUDE.md', path.join(cwd, 'AGENTS.md'));
  const { code, stdout } = await touchstone(['init', '--agents'], { cwd });
  expect([code, stdout.includes('@AGENTS.md')]).toEqual([0, false]);
  expect(lstatSync(path.join(cwd, 'AGENTS.md')).isSymbolicLink()).toBe(true);
  expect(await readFile(path.join(cwd, 'CLAUDE.md'), 'utf8')).toMatch(/^Be brief\.\n\n<!-- touchstone -->\n/);
});

test('without names, the clients that are used here get an entry; ours alone makes none of them used', async () => {
  const cwd = await projectWith({ '.cursor/rules/a.md': 'x' });
  const first = await touchstone(['init', '--agents', '--json'], { cwd });
  expect(JSON.parse(first.stdout)).toMatchObject({ clients: ['cursor'] });
  const second = await touchstone(['init', '--agents', '--json'], { cwd });
  expect(JSON.parse(second.stdout)).toMatchObject({ clients: ['cursor'], written: [] });
});

test('an entry or a skill that somebody else wrote stays, and is named', async () => {
  const own = '{ "mcpServers": { "touchstone": { "command": "mine" } } }';
  const cwd = await projectWith({
    '.mcp.json': own,
    '.codex/config.toml': '[mcp_servers]\ntouchstone = { command = "mine" }\n',
  });
  const { code, stdout } = await touchstone(agents, { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /Left as they are:\n {2}\.mcp\.json +has an entry `touchstone` already\n {2}\.codex/,
  );
  const skill = path.join(cwd, '.agents/skills/touchstone/SKILL.md');
  await writeFile(skill, `${await readFile(skill, 'utf8')}Ours: ask Ann first.\n`);
  const gone = await touchstone(['init', '--agents', '--remove'], { cwd });
  expect(gone.stdout).toContain('.agents/skills/touchstone/  was written or edited by somebody else');
  expect(await readFile(skill, 'utf8')).toContain('ask Ann first');
  expect(await readFile(path.join(cwd, '.mcp.json'), 'utf8')).toBe(own);
  expect(existsSync(path.join(cwd, '.claude'))).toBe(false);
});

test('an older section of AGENTS.md is replaced as a whole, between what stands around it', async () => {
  const cwd = await projectWith({
    'AGENTS.md': '# A\n\n<!-- touchstone -->\nOld.\n<!-- /touchstone -->\n\n# B\n',
  });
  await touchstone(['init', '--agents'], { cwd });
  const text = await readFile(path.join(cwd, 'AGENTS.md'), 'utf8');
  expect(text).toMatch(/^# A\n\n<!-- touchstone -->\n## Eval[^]*<!-- \/touchstone -->\n\n# B\n$/);
  expect(text).not.toContain('Old.');
  const section = /<!-- touchstone -->[^]*<!-- \/touchstone -->/.exec(text)?.[0] ?? '';
  expect(section.split('\n').length).toBeLessThanOrEqual(25);
});

test('a new project has the files of agents, and --no-agents leaves them out', async () => {
  const cwd = await temporaryFolder();
  const { stdout } = await touchstone(['init', 'with', '--agents', 'cursor', '--bot', 'sample'], { cwd });
  expect(stdout).toContain('AGENTS.md               how coding agents evaluate here');
  expect(Object.keys(textsIn(path.join(cwd, 'with')))).toEqual(
    expect.arrayContaining([
      '.cursor/mcp.json',
      'touchstone.config.yaml',
      '.claude/skills/touchstone/SKILL.md',
    ]),
  );
  await touchstone(['init', 'without', '--no-agents'], { cwd });
  expect(existsSync(path.join(cwd, 'without', 'AGENTS.md'))).toBe(false);
  const { code, stderr } = await touchstone(['init', 'third', '--dry-run'], { cwd });
  expect([code, stderr]).toEqual([4, expect.stringContaining('touchstone init --agents --dry-run')]);
});

/** The folder of a skill that was written for agents. */
async function writeSkill(): Promise<string> {
  const cwd = await temporaryFolder();
  await touchstone(['init', '--agents'], { cwd });
  return path.join(cwd, '.agents', 'skills', 'touchstone');
}

test('the skill keeps to the limits of agentskills.io', async () => {
  const folder = await writeSkill();
  const [, head = '', body = ''] =
    /^---\n([^]*?)\n---\n([^]*)$/.exec(await readFile(path.join(folder, 'SKILL.md'), 'utf8')) ?? [];
  const { name, description, ...others } = parse(head) as Record<string, unknown>;
  expect(name).toBe(path.basename(folder));
  expect(String(description).length).toBeLessThanOrEqual(1024);
  expect(Object.keys(others).sort()).toEqual(['license', 'metadata']);
  expect(body.split('\n').length).toBeLessThan(500);
  expect(body.length / 4).toBeLessThan(5000);
  // The tool of the referee is listed only where the config has one.
  const known = [...tools.map((tool) => tool.name), 'referee_look'];
  const named = Array.from(body.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g), ([, tool = '']) => tool);
  const fields = /^expected_|^must_not_/;
  expect(named.filter((tool) => !fields.test(tool) && !known.includes(tool))).toEqual([]);
  for (const [, link = ''] of body.matchAll(/\]\((references\/[^)]+)\)/g))
    expect(existsSync(path.join(folder, link))).toBe(true);
});

const hasValidator = spawnSync('agentskills', ['--help']).status === 0;

test.skipIf(!hasValidator)(
  'the skill is valid by the validator of agentskills.io (needs the Python package of skills-ref)',
  async () => {
    const { status, stdout, stderr } = spawnSync('agentskills', ['validate', await writeSkill()], {
      encoding: 'utf8',
    });
    expect([status, stdout + stderr]).toEqual([0, expect.any(String)]);
  },
);
