// Says whether the wheel of a release still has to be uploaded to PyPI, as `upload=true` or `upload=false` for the next step of a
// workflow; fails where the version is there with another hash.
//   node scripts/release/is-on-pypi.ts release-files [https://pypi.org/simple/]
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { hasToBeUploaded, type Packed, readWheel } from './release-files.ts';

const [folder = 'release-files', index = 'https://pypi.org/simple/'] = process.argv.slice(2);

/** Returns the SHA-256 of a file in an index of Python packages (PEP 503); undefined when it has none of this name. */
async function hashInIndex({ file, name }: Packed): Promise<string | undefined> {
  const reply = await fetch(new URL(`${name}/`, index), { headers: { accept: 'text/html' } });
  if (reply.status === 404) return undefined;
  if (!reply.ok) throw new Error(`${index} cannot say whether ${name} is there: ${reply.status}`);
  const page = await reply.text();
  for (const [, address = ''] of page.matchAll(/href="([^"]+)"/g)) {
    const { pathname, hash } = new URL(address.replaceAll('&amp;', '&'), reply.url);
    if (path.posix.basename(decodeURIComponent(pathname)) === path.basename(file))
      return hash.replace('#sha256=', '');
  }
  return undefined;
}

const wheel = readWheel(folder);
const answer = `upload=${hasToBeUploaded(wheel, await hashInIndex(wheel))}`;
console.log(answer);
const { GITHUB_OUTPUT: output } = process.env;
if (output !== undefined) appendFileSync(output, `${answer}\n`);
