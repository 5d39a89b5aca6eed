import { sniffMedia } from '../../core/attachments/sniff-media.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { type AddRoute, describeUse } from '../route.ts';

/**
 * Adds `GET /api/blobs/:hash`: a picture, a PDF or a sound of the store, with the type that its first bytes show. Nothing in it runs: it is
 * looked at as no other type, and opened in a sandbox. A page shows pictures and sounds; everything else is a download. A player that
 * jumps to a place in a sound asks for one range of its bytes.
 */
export const addBlobs: AddRoute = (app, { openStore }) => {
  app.get('/api/blobs/:hash', async (context) => {
    const hash = context.req.param('hash');
    const isHash = /^[0-9a-f]{64}$/.test(hash);
    const bytes = isHash ? await (await openStore()).blobs.read(hash) : undefined;
    if (bytes === undefined)
      throw new TouchstoneError(
        'address-unknown',
        isHash ? `There is no file with the hash ${hash}.` : 'A file is named by 64 hexadecimal digits.',
      );
    const type = sniffMedia(bytes) ?? 'application/octet-stream';
    const isShown = /^(?:image|audio)\//.test(type);
    describeUse(context, { rows: '1' });
    const asked = context.req.header('if-range') === undefined ? context.req.header('range') : undefined;
    const { status, from, to, headers } = cut(bytes.length, asked);
    return context.body(bytes.subarray(from, to) as Uint8Array<ArrayBuffer>, status, {
      ...headers,
      'Content-Type': type,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      // Without a name: the page that links it knows one.
      ...(!isShown && { 'Content-Disposition': 'attachment' }),
    });
  });
};

/** The part of a file that is sent, with what the answer says about it. */
interface Cut {
  readonly status: 200 | 206 | 416;
  readonly from: number;
  /** The place behind the last byte. */
  readonly to: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the part of a file that a request asks for (RFC 9110, §14): one range, else all of it; nothing where the range begins behind its end. */
function cut(size: number, asked: string | undefined): Cut {
  const own = { 'Accept-Ranges': 'bytes' };
  const whole: Cut = { status: 200, from: 0, to: size, headers: own };
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(asked?.trim() ?? '') ?? [];
  const isBackward = first !== '' && last !== '' && Number(last) < Number(first);
  if ((first === '' && last === '') || isBackward) return whole;
  const from = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  const to = first === '' || last === '' ? size : Math.min(Number(last) + 1, size);
  if (from >= to)
    return { status: 416, from: 0, to: 0, headers: { ...own, 'Content-Range': `bytes */${size}` } };
  return { status: 206, from, to, headers: { ...own, 'Content-Range': `bytes ${from}-${to - 1}/${size}` } };
}
