import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A version where a release names it; null where there is none. */
export interface NamedVersion {
  readonly place: string;
  readonly version: string | null;
}

/**
 * Returns a version of npm as PyPI spells it: `0.3.0-rc.1` is `0.3.0rc1`. Throws when PyPI has no such version, as for `0.3.0-nightly`.
 */
export function toPythonVersion(version: string): string {
  const [, release = '', stage, number] = /^(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.(\d+))?$/.exec(version) ?? [];
  if (release === '')
    throw new Error(`${version} has no form for PyPI: write 1.2.3, or 1.2.3-rc.1, -beta.1 or -alpha.1.`);
  const short = { alpha: 'a', beta: 'b', rc: 'rc' }[stage ?? ''] ?? '';
  return `${release}${short}${number ?? ''}`;
}

/** Returns the four versions that have to be one: those of a tag, package.json, pyproject.toml and the top of the changelog. */
export function readVersions(root: string, tag: string): NamedVersion[] {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const python = /^version = "(.+)"$/m.exec(read('integrations/python/pyproject.toml'))?.[1] ?? null;
  const head = /^## \[?v?([^\s\]]+)/m.exec(read('CHANGELOG.md'))?.[1] ?? null;
  return [
    { place: 'the tag', version: tag.replace(/^refs\/tags\//, '').replace(/^v/, '') },
    { place: 'package.json', version },
    { place: 'integrations/python/pyproject.toml', version: python },
    { place: 'the top of CHANGELOG.md', version: head },
  ];
}

/** Returns whether four versions are one, in the spelling of their registry. */
export function areOne(versions: readonly NamedVersion[]): boolean {
  const [tag, npm, python, head] = versions.map(({ version }) => version);
  if (typeof npm !== 'string') return false;
  return tag === npm && head === npm && python === toPythonVersion(npm);
}
