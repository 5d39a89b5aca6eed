import { sniffMedia } from '../../core/attachments/sniff-media.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { type AddRoute, describeUse } from '../route.ts';

/**
 * Adds `GET /api/blobs/:hash`: a picture, a PDF or a sound of the store, with the type that its first bytes show. Nothing in it runs: it is
 * looked at as no other type, and opened in a sandbox. A page shows pictures and sounds; everything else is a download.
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
    return context.body(bytes as Uint8Array<ArrayBuffer>, 200, {
      'Content-Type': type,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      // Without a name: the page that links it knows one.
      ...(!isShown && { 'Content-Disposition': 'attachment' }),
    });
  });
};
