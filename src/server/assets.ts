import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { TouchstoneError } from '../core/errors.ts';
import { ownFile } from '../core/own-package.ts';

/** A file of the built page. */
export interface Asset {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** The built page. */
export interface Assets {
  /** The HTML document of every page. */
  readonly document: string;
  /** The files that it loads, by their path in an address, such as `/assets/main-B3kd.js`. */
  readonly files: ReadonlyMap<string, Asset>;
}

/** The part of Vite's manifest that names the files of the build. */
const manifestSchema = z.record(
  z.string(),
  z.object({ file: z.string(), css: z.array(z.string()).optional() }),
);

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * Reads the built page into memory: the document and exactly the files that the manifest of the build names, so that no
 * request reaches the disk. Throws `dashboard-missing` when the page is not built.
 */
export function readAssets(folder = builtFolder()): Assets {
  const manifestFile = path.join(folder, '.vite', 'manifest.json');
  if (!existsSync(manifestFile)) {
    throw new TouchstoneError(
      'dashboard-missing',
      `The dashboard is not built: there is no ${manifestFile}.`,
    );
  }
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(manifestFile, 'utf8')));
  const names = new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]));
  return {
    document: readFileSync(path.join(folder, 'index.html'), 'utf8'),
    files: new Map(Array.from(names, (name) => [`/${name}`, readAsset(path.join(folder, name))])),
  };
}

function readAsset(file: string): Asset {
  const type = types[path.extname(file)] ?? 'application/octet-stream';
  return { type, body: new Uint8Array(readFileSync(file)) };
}

/** Returns the folder of the built page in the package. */
function builtFolder(): string {
  return ownFile('dist', 'dashboard');
}
