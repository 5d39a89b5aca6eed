import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a page for each address that was moved, by its file: it leads to the new one, without a script.
 * @param root - The folder of the repository; `site/moved.json` has the new address of each old one, without their endings.
 * @param base - The folder of the site on its server, with slashes at both ends.
 */
export function createRedirects(root: string, base: string): Map<string, string> {
  const moved = JSON.parse(readFileSync(path.join(root, 'site', 'moved.json'), 'utf8')) as Record<
    string,
    string
  >;
  return new Map(
    Object.entries(moved).map(([from, to]) => [
      `${from}.html`,
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Moved</title><link rel="canonical" href="${base}${to}"><meta http-equiv="refresh" content="0; url=${base}${to}"><p>This page is now at <a href="${base}${to}">${base}${to}</a>.</p></html>\n`,
    ]),
  );
}
