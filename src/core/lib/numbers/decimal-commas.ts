// 49,90 is no list of two numbers, nor is 3,5 before a unit; 1,234 stays a number of thousands.
const decimalComma =
  /(?<![\d.,])(?![\d,]{1,20}[)\]])(?:\d+,\d{2}(?![\d,]|\.\d)|0,\d+(?![\d,])|\d+,\d{4,}(?![\d,])|\d+,\d(?=\s?(?:%|€|EUR\b|euros?\b|Euro|kg\b|km\b|cm\b|mm?\b|ml\b|l\b|g\b|mg\b|°|GB\b|MB\b|Mio|Mrd|Prozent|Liter\b|litres?\b|litros?\b|Meter\b|Stunden\b|Jahre\b)))/g;

// 1.299 € is a price in the notation of the countries that write its sign behind; 1.359 €/l is none.
const euroGroups =
  /(?<![\d.,])\d{1,3}(?:\.\d{3})+(?!\d|,\d|\.\d)(?=\s?(?:€|EUR\b|Euro\b|CHF\b|zł)(?!\s?(?:\/|pro\b|per\b)))/g;

/** Returns a text in which a comma that can only be a decimal mark is a point; every place stays where it was. */
export function withDecimalPoints(text: string): string {
  return text
    .replace(decimalComma, (found) => found.replace(',', '.'))
    .replace(euroGroups, (found) => found.replaceAll('.', ','));
}
