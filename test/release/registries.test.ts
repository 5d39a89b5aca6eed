import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { sha256Of } from '../../scripts/release/sha256.ts';
import { temporaryFolder } from '../run-cli.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { execute, root } from './pack.ts';

/** A folder that `scripts/release/install-registries.sh` filled. */
const registries = process.env['TOUCHSTONE_TEST_REGISTRIES'] ?? '';
const [next, python] = ['97.0.0-rc.1', '97.0.0rc1'];
const servers: ChildProcess[] = [];

afterAll(async () => {
  for (const server of servers) {
    const ended = once(server, 'exit');
    if (server.kill()) await ended;
  }
});

/** Starts a server on a free port of the loopback interface and returns its address once it answers. */
async function serve(start: (port: string) => ChildProcess): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  servers.push(start(String(port)));
  const address = `http://127.0.0.1:${port}/`;
  await expect
    .poll(() =>
      fetch(address).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true);
  return address;
}

/** Clones the repository, and gives the clone the next version and its tag. */
async function copyWithTag(): Promise<string> {
  const copy = await temporaryFolder();
  await execute('git', ['clone', '--quiet', '--shared', root, copy]);
  const edit = async (file: string, change: (text: string) => string) => {
    const text = await readFile(path.join(root, file), 'utf8');
    await writeFile(path.join(copy, file), change(text));
  };
  await edit('package.json', (text) => text.replace(/"version": ".+"/, `"version": "${next}"`));
  await edit('integrations/python/pyproject.toml', (text) =>
    text.replace(/^version = ".+"$/m, `version = "${python}"`),
  );
  await edit('CHANGELOG.md', (text) => text.replace(/^## .+$/m, `## ${next}`));
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  for (const built of ['dist', 'schemas', 'docs/reference'])
    await cp(path.join(root, built), path.join(copy, built), { recursive: true });
  await cp(path.join(root, 'scripts', 'release'), path.join(copy, 'scripts', 'release'), { recursive: true });
  await execute('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-qam', next], {
    cwd: copy,
  });
  await execute('git', ['tag', `v${next}`], { cwd: copy });
  return copy;
}

test.skipIf(!isReleaseTested || registries === '')(
  'a tag leads to files that both registries take once, give back unchanged and never replace (needs TOUCHSTONE_TEST_REGISTRIES) (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const copy = await copyWithTag();
    const run = async (script: string, args: readonly string[], env: Record<string, string> = {}) => {
      const command = [path.join('scripts', 'release', script), ...args];
      return await execute(process.execPath, command, { cwd: copy, env: { ...process.env, ...env } }).then(
        ({ stdout }) => stdout,
        (error: { stderr: string; stdout: string }) => `failed: ${error.stdout}${error.stderr}`,
      );
    };
    expect(await run('check-version.ts', [`v${next}`])).toContain(`✓ the tag: ${next}`);
    expect(await run('check-version.ts', ['v97.0.0'])).toMatch(/^failed: ✗ the tag: 97\.0\.0\n/);
    const files = path.join(copy, 'release-files');
    expect(await run('make-files.ts', [files])).toContain(python);
    const names = await readdir(files);
    const tarball = path.join(files, names.find((name) => name.endsWith('.tgz')) ?? '');
    const wheel = path.join(files, names.find((name) => name.endsWith('.whl')) ?? '');
    expect(names.toSorted()).toEqual(
      ['SHA256SUMS', 'sbom.cdx.json', path.basename(tarball), path.basename(wheel)].toSorted(),
    );
    await execute('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: files });

    // npm, by Verdaccio.
    const home = await temporaryFolder();
    const settings = {
      storage: path.join(home, 'storage'),
      packages: { '**': { access: '$all', publish: '$all' } },
    };
    await writeFile(
      path.join(home, 'verdaccio.yaml'),
      JSON.stringify({ ...settings, max_body_size: '100mb' }),
    );
    const verdaccio = path.join(registries, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
    const npm = await serve((port) =>
      spawn(process.execPath, [
        verdaccio,
        '--config',
        path.join(home, 'verdaccio.yaml'),
        '--listen',
        `127.0.0.1:${port}`,
      ]),
    );
    await writeFile(
      path.join(home, '.npmrc'),
      `registry=${npm}\n${npm.replace('http:', '')}:_authToken=any\n`,
    );
    const env = {
      npm_config_userconfig: path.join(home, '.npmrc'),
      npm_config_cache: path.join(home, 'cache'),
    };
    expect(await run('publish-npm.ts', [files], env)).toContain(next);
    const back = path.join(home, 'back');
    await mkdir(back);
    const { name } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { name: string };
    await execute('npm', ['pack', '--silent', `${name}@next`, '--pack-destination', back], {
      cwd: home,
      env: { ...process.env, ...env },
    });
    expect(sha256Of(path.join(back, path.basename(tarball)))).toBe(sha256Of(tarball));
    expect(await run('publish-npm.ts', [files], env)).toBe(
      `${name} ${next} is there already, with the same hash: done.\n`,
    );

    // PyPI, by pypiserver; twine is what the action of the workflow runs.
    const bin = path.join(registries, 'python', 'bin');
    await mkdir(path.join(home, 'wheels'));
    const open = [
      'run',
      '--authenticate',
      '.',
      '--passwords',
      '.',
      '--hash-algo',
      'sha256',
      '--disable-fallback',
    ];
    const pypi = await serve((port) =>
      spawn(path.join(bin, 'pypi-server'), [
        ...open,
        '--host',
        '127.0.0.1',
        '--port',
        port,
        path.join(home, 'wheels'),
      ]),
    );
    const simple = new URL('simple/', pypi).href;
    expect(await run('is-on-pypi.ts', [files, simple])).toBe('upload=true\n');
    await execute(path.join(bin, 'twine'), ['upload', '--repository-url', pypi, '-u', 'a', '-p', 'b', wheel]);
    const output = path.join(home, 'output');
    expect(await run('is-on-pypi.ts', [files, simple], { GITHUB_OUTPUT: output })).toContain(
      'same hash: done.',
    );
    expect(await readFile(output, 'utf8')).toBe('upload=false\n');
    const install = [
      'download',
      '--quiet',
      '--no-deps',
      '--no-cache-dir',
      '--dest',
      back,
      '--index-url',
      simple,
    ];
    await execute(path.join(bin, 'python'), ['-m', 'pip', ...install, `${name}==${python}`]);
    expect(sha256Of(path.join(back, path.basename(wheel)))).toBe(sha256Of(wheel));

    // Another file of the same version is refused by both.
    await writeFile(tarball, gzipSync(gunzipSync(await readFile(tarball)), { level: 1 }));
    await appendFile(wheel, ' ');
    for (const again of [
      await run('publish-npm.ts', [files], env),
      await run('is-on-pypi.ts', [files, simple], { GITHUB_OUTPUT: output }),
    ])
      expect(again).toMatch(/^failed: [\s\S]*is there already, with other content/);
    expect(await readFile(output, 'utf8')).toBe('upload=false\n');
  },
);
