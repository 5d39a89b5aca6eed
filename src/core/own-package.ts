import path from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };

/** The name under which npm installs this package, and under which programs and configs import it. */
export const packageName: string = packageJson.name;

/** The version of this package, as runs remember it. */
export const touchstoneVersion: string = packageJson.version;

/** The packages that a user installs for a feature of its own, each with the versions with which Touchstone works. */
export const optionalPackages = packageJson.peerDependencies;

/** Returns the path of a file of this package; its folder without names. */
export function ownFile(...names: readonly string[]): string {
  return path.join(path.dirname(fileURLToPath(import.meta.resolve(`${packageName}/package.json`))), ...names);
}
