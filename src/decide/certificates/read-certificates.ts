import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import type { Gate } from '../../core/schema/gate.ts';
import { type Certificate, certificateSchema } from '../../core/schema/review/certificate.ts';
import type { Store } from '../../stores/store.ts';
import { certificateFolder } from './certificate-folder.ts';
import { certificateKind } from '../../stores/kinds/certificate.ts';

/** A certificate as it was found. */
export interface FoundCertificate {
  readonly certificate: Certificate;
  /** False when its content is not the one that its id is the hash of. */
  readonly isIntact: boolean;
}

/** The certificates of a project: the ones in the files of its folder, and the ones in the store. */
export interface FoundCertificates {
  /** The newest first, each once. */
  readonly certificates: readonly FoundCertificate[];
  /** The files that are no certificates, each with the reason. */
  readonly unreadable: readonly string[];
}

/** Reads the certificates that a gate may rely on. Throws `store-damaged`. */
export async function readCertificates(
  gate: Pick<Gate, 'judge'>,
  store: Pick<Store, 'address' | 'documents'>,
): Promise<FoundCertificates> {
  const rows = (await Array.fromAsync(store.documents.list(certificateKind))).map((certificate) => ({
    certificate,
    isIntact: true,
  }));
  const unreadable: string[] = [];
  const files: FoundCertificate[] = [];
  for (const file of await listFiles(certificateFolder(gate, store))) {
    const read = await readCertificateFile(file);
    if ('problem' in read) unreadable.push(read.problem);
    else files.push(read);
  }
  // If two have the same id, the intact one comes first.
  const all = [...rows, ...files.toSorted((one, other) => Number(other.isIntact) - Number(one.isIntact))];
  const byId = new Map(all.toReversed().map((found) => [found.certificate.id, found]));
  const certificates = [...byId.values()].toSorted((one, other) =>
    one.certificate.madeAt < other.certificate.madeAt ? 1 : -1,
  );
  return { certificates, unreadable };
}

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => path.join(folder, name));
}

/** Reads the file of a certificate; returns the problem when it is none. */
async function readCertificateFile(file: string): Promise<FoundCertificate | { readonly problem: string }> {
  const fault = (problem: string) => ({ problem: `${displayPath(file)} is no certificate: ${problem}` });
  try {
    const content: unknown = parseJson(await readFile(file, 'utf8'));
    const parsed = certificateSchema.safeParse(content);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return fault(`${issue?.path.join('.') || 'the whole'}: ${issue?.message}`);
    }
    const { id, ...rest } = content as Certificate;
    return { certificate: parsed.data, isIntact: hashContent(rest) === id };
  } catch (error) {
    return fault(messageOf(error).replace(/\.$/, ''));
  }
}
