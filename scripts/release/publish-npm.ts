// Uploads the tarball of a release to npm's registry, unless this very file is there already; fails where another one is.
//   node scripts/release/publish-npm.ts release-files
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hasToBeUploaded, type Packed, readTarball } from './release-files.ts';

/** Returns the hash of a version in the registry; undefined when it has none. Throws when the registry cannot be asked. */
function integrityOf({ name, version }: Packed): string | undefined {
  const args = ['view', `${name}@${version}`, 'dist.integrity', '--json', '--prefer-online'];
  const { stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
  if (stdout.trim() === '') return undefined;
  const said = JSON.parse(stdout) as string | { readonly error?: { readonly code?: string } };
  if (typeof said === 'string') return said;
  if (said.error?.code === 'E404') return undefined;
  throw new Error(`npm cannot say whether ${name} ${version} is there:\n${stdout}${stderr}`);
}

const packed = readTarball(process.argv[2] ?? 'release-files');
const ours = `sha512-${createHash('sha512').update(readFileSync(packed.file)).digest('base64')}`;
if (hasToBeUploaded(packed, integrityOf(packed), ours)) {
  // `npm install` without a version never gives a version before a release.
  const tag = packed.version.includes('-') ? 'next' : 'latest';
  execFileSync('npm', ['publish', packed.file, '--tag', tag, '--ignore-scripts'], { stdio: 'inherit' });
}
