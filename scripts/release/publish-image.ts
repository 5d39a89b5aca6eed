// Builds an image of a release for both platforms, with the tarball that was tested, and pushes it, unless the image of this very tarball
// is there already; fails where one of another tarball is. Writes `name` and `digest` for the attestation.
//   node scripts/release/publish-image.ts release-files ghcr.io/owner/touchstone server|worker
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { hasToBeUploaded, readTarball } from './release-files.ts';
import { sha256Of } from './sha256.ts';

const [folder = 'release-files', repository = '', target = ''] = process.argv.slice(2);
if (repository === '' || !['server', 'worker'].includes(target))
  throw new Error('Give the files, the name of the image, and server or worker.');
const packed = readTarball(folder);
// Names of images are in small letters, which those of owners need not be.
const name = `${repository.toLowerCase()}${target === 'worker' ? '-worker' : ''}`;
const image = `${name}:${packed.version}`;
const label = 'touchstone.tarball.sha256';

const inspect = (format: string) =>
  spawnSync('docker', ['buildx', 'imagetools', 'inspect', image, '--format', format], { encoding: 'utf8' });

/** Returns the SHA-256 of the tarball that the image in the registry has; undefined without an image. */
function tarballOfImage(): string | undefined {
  const { status, stdout, stderr } = inspect('{{json (index .Image "linux/amd64")}}');
  if (status !== 0 && /not found|manifest unknown|404/i.test(stderr)) return undefined;
  if (status !== 0) throw new Error(`docker cannot say whether ${image} is there:\n${stderr}`);
  const { config } = JSON.parse(stdout) as { config?: { Labels?: Record<string, string> } };
  return config?.Labels?.[label] ?? 'an image without the label of its tarball';
}

if (hasToBeUploaded({ ...packed, name }, tarballOfImage())) {
  const tags = packed.version.includes('-') ? [image] : [image, `${name}:latest`];
  const options = [
    ['--file', 'deploy/Dockerfile', '--target', target, '--build-context', `packed=${folder}`],
    ['--platform', 'linux/amd64,linux/arm64', '--provenance', 'mode=max', '--sbom', 'true'],
    [
      '--label',
      `${label}=${sha256Of(packed.file)}`,
      '--label',
      `org.opencontainers.image.version=${packed.version}`,
    ],
    tags.flatMap((tag) => ['--tag', tag]),
  ].flat();
  execFileSync('docker', ['buildx', 'build', ...options, '--push', '.'], { stdio: 'inherit' });
}
const { stdout: digest } = inspect('{{.Manifest.Digest}}');
const lines = `name=${name}\ndigest=${digest.trim()}\n`;
process.stdout.write(lines);
const { GITHUB_OUTPUT: output } = process.env;
if (output !== undefined) appendFileSync(output, lines);
