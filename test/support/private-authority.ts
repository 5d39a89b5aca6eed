import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** True where the program openssl is, with which certificates are made. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** An authority that no program knows, and the key and certificate of a server that it has signed. */
export interface PrivateAuthority {
  /** The file with its certificate. */
  readonly file: string;
  readonly key: string;
  readonly cert: string;
}

/** Makes an authority and a certificate for host names, in a folder (needs openssl). */
export function makeAuthority(folder: string, names: readonly string[]): PrivateAuthority {
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Our own authority',
  );
  openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', `/CN=${names[0]}`);
  writeFileSync(
    path.join(folder, 'names.txt'),
    `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}\n`,
  );
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names.txt'];
  openssl('x509', '-req', '-in', 'server.csr', ...signed, '-days', '2', '-out', 'server.pem');
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  return { file: path.join(folder, 'ca.pem'), key: read('server.key'), cert: read('server.pem') };
}
