import type { Attachment } from '../schema/message.ts';

/** The type of a file. */
export type MediaType = Attachment['mediaType'];

/** The usual ends of file names by type, the first one ours. */
const endings: Readonly<Record<MediaType, readonly string[]>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'application/pdf': ['pdf'],
  'audio/wav': ['wav', 'wave'],
  'audio/mpeg': ['mp3'],
};

/** The words of people for the types. */
const titles: Readonly<Record<MediaType, string>> = {
  'image/png': 'a PNG',
  'image/jpeg': 'a JPEG',
  'image/gif': 'a GIF',
  'image/webp': 'a WebP',
  'application/pdf': 'a PDF',
  'audio/wav': 'a WAV',
  'audio/mpeg': 'an MP3',
};

/** Other names of the types, as programs write them. */
const synonyms: Readonly<Record<string, MediaType>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'application/x-pdf': 'application/pdf',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/mp3': 'audio/mpeg',
  'audio/mpeg3': 'audio/mpeg',
};

/** The number of bytes that show the type of a file. */
export const sniffedBytes = 1024;

/** Returns the type of a file by its first bytes; undefined for one that is not read, whatever its name says. */
export function sniffMedia(head: Uint8Array): MediaType | undefined {
  const text = Buffer.from(head.subarray(0, 12)).toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png';
  if (text.startsWith('\xFF\xD8\xFF')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  if (text.startsWith('%PDF-')) return 'application/pdf';
  if (text.startsWith('RIFF')) {
    const form = text.slice(8, 12);
    if (form === 'WEBP') return 'image/webp';
    return form === 'WAVE' ? 'audio/wav' : undefined;
  }
  const [first = 0, second = 0] = head;
  // A frame of MPEG audio, layer III, with or without tags before it.
  const isFrame = first === 0xff && (second & 0xe6) === 0xe2;
  return text.startsWith('ID3') || isFrame ? 'audio/mpeg' : undefined;
}

/** Returns the usual end of a file's name, without the dot. */
export function endingOf(type: MediaType): string {
  return endings[type][0] as string;
}

/** Returns what a file is, in words, such as `a PNG`. */
export function titleOf(type: MediaType): string {
  return titles[type];
}

/** Returns what a file is not, though it looks as if it were: a text, an SVG, a document of an office program, with what to do about it. */
export function describeOther(
  head: Uint8Array,
  name: string,
): { readonly what: string; readonly remedy: string } {
  const text = Buffer.from(head.subarray(0, sniffedBytes)).toString('latin1');
  if (/<svg[\s>]/i.test(text) || /\.svgz?$/i.test(name))
    return { what: 'is an SVG, which is a program more than a picture', remedy: 'Save it as a PNG.' };
  const isOffice = /\.(?:docx?|xlsx?|pptx?|odt|ods|odp|rtf|pages|key|numbers)$/i.test(name);
  if (isOffice || text.startsWith('\xD0\xCF\x11\xE0'))
    return { what: 'is a document of an office program', remedy: 'Save it as a PDF.' };
  if (/^(?:PK\x03\x04)/.test(text))
    return {
      what: 'is an archive',
      remedy: 'Name the files in it; a document of an office program is saved as a PDF.',
    };
  return {
    what: 'is none of PNG, JPEG, GIF, WebP, PDF, WAV and MP3, by its first bytes',
    remedy: 'Save it as one of these.',
  };
}

/** Returns the type that a program declares, or that the name of a file promises; undefined where neither says one of ours. */
export function declaredType(declared: string | undefined, name: string): MediaType | undefined {
  const type = declared?.toLowerCase().split(';')[0]?.trim() ?? '';
  if (Object.hasOwn(endings, type)) return type as MediaType;
  if (Object.hasOwn(synonyms, type)) return synonyms[type];
  const ending = /\.([a-z0-9]{2,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const [found] = Object.entries(endings).find(([, known]) => known.includes(ending)) ?? [];
  return found as MediaType | undefined;
}
