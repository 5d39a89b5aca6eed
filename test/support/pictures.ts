/** Small files of every kind that a message may have, and some that it may not. */
export const pictures = {
  /** One red pixel. */
  png: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
  jpeg: Buffer.from('FFD8FFE000104A46494600010100000100010000FFD9', 'hex'),
  gif: Buffer.from('R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64'),
  webp: Buffer.from('UklGRiIAAABXRUJQVlA4TAYAAAAvQWxvAGs=', 'base64'),
  pdf: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
  wav: Buffer.concat([Buffer.from('RIFF$\0\0\0WAVEfmt '), Buffer.alloc(24)]),
  mp3: Buffer.concat([Buffer.from('ID3\u0004\0\0\0\0\0\0'), Buffer.alloc(8)]),
  frame: Buffer.from('FFFB9064000000000000', 'hex'),
  svg: Buffer.from(
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  ),
  docx: Buffer.from('504B030414000600', 'hex'),
};
