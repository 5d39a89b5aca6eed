import { existsSync, globSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fillIn, type Machine, readYaml, runScript, runStep, type Step } from './ci-steps.ts';
import { temporaryFolder } from './run-cli.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const root = path.resolve(import.meta.dirname, '..');
const reports = 'touchstone-reports';

/** Creates a project with Touchstone installed, whose bot knows two of three answers and leaves a file when it is called. */
async function layOutProject({ isInstalled = true } = {}): Promise<string> {
  const folder = await temporaryFolder();
  const rows = ['grass', 'sea', 'sky'].map((id) => ({
    id,
    question: `Which ${id}?`,
    expected_tools: [],
    expected_keywords: [id],
  }));
  const files = {
    'golden.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'),
    'touchstone.config.yaml': 'dataset: golden.jsonl\ntargets: [{ use: module, path: bot.mjs }]\n',
    'bot.mjs': `import { writeFileSync } from 'node:fs';
export default (question) => {
  writeFileSync('asked', '');
  return question.includes('sea') ? '::warning::I do not know.' : question;
};`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  if (isInstalled) {
    const programs = path.join(folder, 'node_modules', '.bin');
    await mkdir(programs, { recursive: true });
    await symlink(path.join(root, 'bin', 'touchstone.js'), path.join(programs, 'touchstone'));
  }
  return folder;
}

/**
 * Puts a program before npx that starts the installed Touchstone as `npx --no-install touchstone` does, in half the time.
 * The command of the documentation is tested with the real one.
 */
const shortcuts = await temporaryFolder();
await writeFile(
  path.join(shortcuts, 'npx'),
  '#!/bin/sh\n[ "$1" = --no-install ] || exit 127\nshift\nprogram=$1\nshift\nexec "node_modules/.bin/$program" "$@"\n',
  { mode: 0o755 },
);
const withoutNpx = { PATH: `${shortcuts}:${process.env['PATH']}` };

/** Creates the surroundings of a GitHub job. */
async function gitHubMachine(values: Readonly<Record<string, string>> = {}): Promise<Required<Machine>> {
  const [cwd, runner] = [await layOutProject(), await temporaryFolder()];
  const files = {
    GITHUB_OUTPUT: path.join(runner, 'output'),
    GITHUB_STEP_SUMMARY: path.join(runner, 'summary'),
  };
  for (const file of Object.values(files)) await writeFile(file, '');
  const env = { ...files, ...withoutNpx, GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'ours/bot' };
  return { cwd, env, values };
}

const action = readYaml('integrations/github-action/action.yml') as {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly (Step & { readonly shell?: string; readonly if?: string })[] };
};
const defaults = Object.fromEntries(
  Object.entries(action.inputs).map(([name, input]) => [`inputs.${name}`, input.default]),
);
const stepOf = (name: string): Step => {
  const found = action.runs.steps.find((step) => step.name === name);
  if (found === undefined) throw new Error(`there is no step ${name}`);
  return found;
};

/** Runs the action up to its decision and returns how the first and the last step ended. */
async function runAction(inputs: Readonly<Record<string, string>>) {
  const machine = await gitHubMachine({ ...defaults, ...inputs });
  const asked = runStep(stepOf('Ask, score, decide'), machine);
  const [, code = ''] =
    /^exit-code=(\d+)$/m.exec(await readFile(machine.env['GITHUB_OUTPUT'] ?? '', 'utf8')) ?? [];
  const values = { ...machine.values, 'steps.run.outputs.exit-code': code };
  const decided = runStep(stepOf('Decision'), { ...machine, values });
  return { machine, asked, code, decision: decided.status };
}

const reportsIn = (folder: string) => globSync('*', { cwd: path.join(folder, reports) }).sort();

test('the action writes reports, a summary and annotations, and decides in its last step', async () => {
  const { machine, asked, code, decision } = await runAction({ 'inputs.arguments': '--fail-under 90' });
  expect({ status: asked.status, code, decision }).toEqual({ status: 0, code: '1', decision: 1 });
  expect(reportsIn(machine.cwd)).toEqual(['report.json', 'report.md', 'report.xml']);
  const summary = await readFile(machine.env['GITHUB_STEP_SUMMARY'] ?? '', 'utf8');
  expect(summary).toBe(await readFile(path.join(machine.cwd, reports, 'report.md'), 'utf8'));
  expect(summary).toContain('**FAIL**');
  const commands = asked.stdout.split('\n').filter((line) => line.trimStart().startsWith('::'));
  expect(commands).toEqual([
    expect.stringMatching(/^::stop-commands::[0-9a-f]{32}$/),
    expect.stringMatching(/^::[0-9a-f]{32}::$/),
    expect.stringMatching(/^::error title=Touchstone%3A fail::module: 86\.7 %25 is under 90 %25%0A/),
    expect.stringMatching(/^::error title=sea%3A Which sea\?::failed: 60\.0 D: /),
  ]);
});

test('the action passes when the gate does, with a warning for the failed question', async () => {
  const { asked, code, decision } = await runAction({ 'inputs.arguments': '--fail-under 80 --limit 3' });
  expect({ code, decision }).toEqual({ code: '0', decision: 0 });
  expect(asked.stdout).toContain('\n::notice title=Touchstone%3A pass::');
  expect(asked.stdout).toContain('\n::warning title=sea%3A Which sea?::');
});

test('a missing config fails the action with code 4, and arguments are not expanded as file patterns', async () => {
  const { machine, asked, decision } = await runAction({ 'inputs.config': 'nowhere' });
  expect(decision).toBe(4);
  expect(asked.stderr).toContain('nowhere');
  expect(reportsIn(machine.cwd)).toEqual([]);
  expect(
    (await runAction({ 'inputs.arguments': '--filter id=s* --limit 1 --target *' })).asked.stderr,
  ).toContain('*');
});

test('an action that ended without an exit code does not pass', () => {
  const values = { 'steps.run.outputs.exit-code': '' };
  expect(runStep(stepOf('Decision'), { cwd: root, env: {}, values }).status).toBe(4);
});

/** A replacement for GitHub's `gh` that notes its calls and the mark of a written comment, and finds comments by a text of theirs. */
const gh = `#!/usr/bin/env bash
case "$*" in
  *--paginate*) while read -r id mark; do case "$*" in *"$mark"*) echo "$id" ;; esac; done <"$COMMENTS" ;;
  *) echo "$(echo "$*" | sed 's/ --field.*//') $(tail -1 "$(echo "$*" | sed 's/.*body=@\\([^ ]*\\).*/\\1/')")" >>"$CALLS" ;;
esac
`;

test('the comment on a pull request is created once for each bot and then updated', async () => {
  const machine = await gitHubMachine({
    ...defaults,
    'github.token': 't',
    'github.event.pull_request.number': '7',
  });
  const programs = await temporaryFolder();
  await writeFile(path.join(programs, 'gh'), gh);
  await chmod(path.join(programs, 'gh'), 0o755);
  const files = { CALLS: path.join(programs, 'calls'), COMMENTS: path.join(programs, 'comments') };
  const env = { ...machine.env, ...files, PATH: `${programs}:${machine.env['PATH']}` };
  const comment = (comments: string, config = '.') => {
    const values = { ...machine.values, 'inputs.config': config };
    return writeFile(files.COMMENTS, comments).then(
      () => runStep(stepOf('Comment on the pull request'), { ...machine, env, values }).status,
    );
  };
  expect(await comment('')).toBe(0);
  expect(existsSync(files.CALLS)).toBe(false);
  await mkdir(path.join(machine.cwd, reports));
  await writeFile(path.join(machine.cwd, reports, 'report.md'), '## Touchstone\n');
  const [one, other] = ['<!-- touchstone ./. -->', '<!-- touchstone ./shop_bot_.yaml -->'];
  expect(await comment('')).toBe(0);
  expect(await comment(`41 ${one}\n42 ${other}\n43 ${one}\n`)).toBe(0);
  expect(await comment(`41 ${one}\n`, 'shop"bot$.yaml')).toBe(0);
  expect(await comment(`41 ${one}\n42 ${other}\n`, 'shop"bot$.yaml')).toBe(0);
  expect(readFileSync(files.CALLS, 'utf8').trimEnd().split('\n')).toEqual([
    `api --method POST repos/ours/bot/issues/7/comments ${one}`,
    `api --method PATCH repos/ours/bot/issues/comments/41 ${one}`,
    `api --method POST repos/ours/bot/issues/7/comments ${other}`,
    `api --method PATCH repos/ours/bot/issues/comments/42 ${other}`,
  ]);
});

test('the action refers only to its own inputs and pastes none into a script', () => {
  for (const { run = '', ...step } of action.runs.steps) {
    expect(run).not.toContain('${{');
    for (const [, name = ''] of JSON.stringify(step).matchAll(/inputs\.([\w-]+)/g)) {
      expect(Object.keys(action.inputs)).toContain(name);
    }
  }
});

test.skipIf(!isReleaseTested)(
  'the nightly workflow asks each question five times and exports the run (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const workflow = readYaml('integrations/github-nightly/touchstone-nightly.yml') as {
      readonly on: { readonly schedule: readonly { readonly cron: string }[] };
      readonly jobs: { readonly evaluate: { readonly steps: readonly Step[] } };
    };
    expect(workflow.on.schedule[0]?.cron).toMatch(/^\d+ \d+ \* \* \*$/);
    const machine = await gitHubMachine();
    const ended = workflow.jobs.evaluate.steps
      .filter(({ run = 'npm ci' }) => run !== 'npm ci')
      .map((step) => runStep(step, machine).status);
    expect(ended).toEqual([0, 0]);
    expect(reportsIn(machine.cwd)).toEqual(['report.json', 'report.md', 'report.xml', 'run.jsonl']);
    const report = JSON.parse(await readFile(path.join(machine.cwd, reports, 'report.json'), 'utf8'));
    expect(report.results).toHaveLength(15);
  },
);

test('the GitLab job ends as the gate decides and writes the artifacts that it names', async () => {
  const { touchstone: job } = readYaml('integrations/gitlab/touchstone.gitlab-ci.yml') as {
    readonly touchstone: {
      readonly variables: Readonly<Record<string, string>>;
      readonly script: readonly string[];
      readonly artifacts: {
        readonly paths: readonly string[];
        readonly reports: { readonly junit: string };
      };
    };
  };
  const cwd = await layOutProject();
  const run = (threshold: string) =>
    runScript(job.script.join('\n'), {
      cwd,
      env: { ...job.variables, ...withoutNpx, TOUCHSTONE_ARGUMENTS: `--fail-under ${threshold}` },
    }).status;
  expect([run('90'), run('80')]).toEqual([1, 0]);
  for (const kept of [...job.artifacts.paths, job.artifacts.reports.junit]) {
    expect(existsSync(path.join(cwd, kept)) ? '' : kept).toBe('');
  }
  const junit = await readFile(path.join(cwd, job.artifacts.reports.junit), 'utf8');
  expect(junit).toContain('<testsuites name="touchstone" tests="4" failures="1" errors="0"');
});

test('the hooks check without calls, gate before a push, and report a missing Touchstone', async () => {
  const hooks = readYaml('.pre-commit-hooks.yaml') as { readonly id: string; readonly entry: string }[];
  const [check, run] = hooks.map(({ entry }) => path.join(root, entry));
  const cwd = await layOutProject();
  const start = (script: string | undefined, folder = cwd, env = {}) =>
    runScript(script ?? '', { cwd: folder, env });
  expect(hooks.map(({ id }) => id)).toEqual(['touchstone-check', 'touchstone-run']);
  expect(start(check)).toMatchObject({ status: 0, stdout: expect.stringContaining('3') });
  expect(existsSync(path.join(cwd, 'asked'))).toBe(false);
  expect(start(`${run} --fail-under 90`).status).toBe(1);
  expect(existsSync(path.join(cwd, 'asked'))).toBe(true);
  await writeFile(path.join(cwd, 'golden.jsonl'), '{"question": 5}\n');
  expect(start(check).status).toBe(4);
  const bare = await layOutProject({ isInstalled: false });
  expect(start(check, bare, { PATH: '/usr/bin:/bin' })).toMatchObject({
    status: 4,
    stderr: expect.stringContaining('installed neither'),
  });
});

test('the command in the documentation writes the files that it names', async () => {
  const page = await readFile(path.join(root, 'docs', 'ci.md'), 'utf8');
  const [, line = ''] = /^```sh\n(.*?)^```$/ms.exec(page) ?? [];
  const cwd = await layOutProject();
  expect(runScript(`npx --no-install ${line}`, { cwd, env: {} }).status).toBe(0);
  for (const [, name = ''] of line.matchAll(/--output (\S+)/g)) {
    expect(existsSync(path.join(cwd, name)) ? '' : name).toBe('');
  }
});

test('the pipelines in the documentation use actions, inputs, jobs and hooks that exist', async () => {
  const page = await readFile(path.join(root, 'docs', 'ci.md'), 'utf8');
  const blocks = Array.from(page.matchAll(/^```yaml\n(.*?)^```$/gms), ([, text = '']) => text);
  expect(blocks).toHaveLength(3);
  const [github = '', gitlab = '', preCommit = ''] = blocks;
  const [, used = '', given = ''] = /uses: \.\/(\S+).*?with:\n(.*)/s.exec(github) ?? [];
  expect(existsSync(path.join(root, used, 'action.yml'))).toBe(true);
  for (const [, name = ''] of given.matchAll(/(\w+):/g)) expect(Object.keys(action.inputs)).toContain(name);
  expect(existsSync(path.join(root, /include: (\S+)/.exec(gitlab)?.[1] ?? ''))).toBe(true);
  const hooks = readYaml('.pre-commit-hooks.yaml') as { readonly id: string }[];
  const named = Array.from(preCommit.matchAll(/id: (\S+)/g), ([, id]) => id);
  expect(named).toEqual(hooks.map(({ id }) => id));
});

test('an expression without a test value is an error, not an empty text', () => {
  expect(() => fillIn('${{ inputs.unknown }}', {})).toThrow('inputs.unknown');
});
