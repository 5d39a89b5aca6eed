import { formatCount } from '../../../../src/look/report/format.ts';

/** A picture in a text: an address that has the whole of it, of a type that a browser only draws. */
const dataPicture = /data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]{64,}={0,2}/g;

/** The most pictures of a text that are shown. */
const mostPictures = 8;

/**
 * Returns a text with the pictures that it spells out, each named by its type and size in its place.
 * @param isCut - True where the text goes on: a picture at its end is not whole, and left as it is.
 */
export function findPictures(text: string, isCut: boolean): { text: string; pictures: string[] } {
  const pictures: string[] = [];
  if (!text.includes('data:image/')) return { text, pictures };
  const named = text.replaceAll(dataPicture, (address: string, type: string, at: number) => {
    const isWhole = !isCut || at + address.length < text.length;
    if (!isWhole || pictures.length === mostPictures) return address;
    pictures.push(address);
    return `[picture ${pictures.length}: ${type}, ${formatCount(address.length)} characters]`;
  });
  return { text: named, pictures };
}

/** The pictures of a text, in its order. */
export function DataPictures({ pictures }: { readonly pictures: readonly string[] }) {
  return pictures.map((address, index) => (
    <img
      key={index}
      src={address}
      alt={`Picture ${index + 1} of the text`}
      className="mt-2 max-h-80 max-w-full rounded border border-line"
    />
  ));
}
