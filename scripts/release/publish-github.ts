// Makes the release of a tag on GitHub with its notes and files, or completes it: a file that is there with the same hash counts as
// done, one with another hash fails.
//   node scripts/release/publish-github.ts v0.2.0 release-files
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { hasToBeUploaded } from './release-files.ts';
import { sha256Of } from './sha256.ts';

const [tag = '', folder = 'release-files'] = process.argv.slice(2);
const gh = (args: readonly string[], input?: string) =>
  execFileSync('gh', ['release', ...args], { input, stdio: ['pipe', 'inherit', 'inherit'] });

const viewed = spawnSync('gh', ['release', 'view', tag, '--json', 'assets'], { encoding: 'utf8' });
if (viewed.status !== 0) {
  if (!viewed.stderr.includes('release not found'))
    throw new Error(`gh cannot say whether ${tag} is there: ${viewed.stderr}`);
  const notes = execFileSync(process.execPath, [path.join(import.meta.dirname, 'notes.ts'), tag], {
    encoding: 'utf8',
  });
  gh(
    ['create', tag, '--verify-tag', '--notes-file', '-', ...(tag.includes('-') ? ['--prerelease'] : [])],
    notes,
  );
}
const { assets } = (viewed.status === 0 ? JSON.parse(viewed.stdout) : { assets: [] }) as {
  readonly assets: readonly { readonly name: string; readonly digest: string }[];
};
const hashes = new Map(assets.map(({ name, digest }) => [name, digest.replace(/^sha256:/, '')]));
const missing = readdirSync(folder)
  .map((name) => ({ file: path.join(folder, name), name, version: tag }))
  .filter((packed) => hasToBeUploaded(packed, hashes.get(packed.name), sha256Of(packed.file)));
if (missing.length > 0) gh(['upload', tag, ...missing.map(({ file }) => file)]);
