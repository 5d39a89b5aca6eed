// Asks GitHub whether the commit of every action in the workflows is the one that its version names, and fails where it is not; with
// --pin it writes the commits that the versions name. Needs the network.
//   node scripts/release/check-actions.ts [--pin]
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type UsedAction, usedActions } from './actions.ts';

const root = path.resolve(import.meta.dirname, '../..');
const isPinning = process.argv.includes('--pin');

/** Returns the commit that a version of an action names; an annotated tag leads to it by `^{}`. */
function commitOf({ repository, version }: UsedAction): string | undefined {
  const tag = `refs/tags/${version}`;
  const address = `https://github.com/${repository}`;
  const said = execFileSync('git', ['ls-remote', address, tag, `${tag}^{}`], { encoding: 'utf8' });
  return said.trim().split('\n').at(-1)?.split('\t')[0] || undefined;
}

let isFine = true;
for (const action of usedActions(root)) {
  const { file, repository, commit, version } = action;
  const named = commitOf(action);
  if (named === commit) continue;
  if (isPinning && named !== undefined) {
    const text = readFileSync(path.join(root, file), 'utf8');
    writeFileSync(
      path.join(root, file),
      text.replaceAll(`@${commit} # ${version}`, `@${named} # ${version}`),
    );
    console.log(`${file}: ${repository} ${version} is ${named}`);
    continue;
  }
  isFine = false;
  console.error(
    `✗ ${file}: ${repository} ${version} is ${named ?? 'not there'}, and the workflow has ${commit}`,
  );
}
if (isFine) console.log('✓ every action is the commit that its version names');
else process.exitCode = 1;
