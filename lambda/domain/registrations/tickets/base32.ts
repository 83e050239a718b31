/**
 * Bytes as capital letters and digits (RFC 4648, section 6, without padding). A QR code stores these with 5.5 bits each,
 * and letters of both cases with 8, so a picture of base32 is smaller than one of base64. Pure.
 */
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const bitsOfLetter = 5;
const values = new Map([...alphabet].map((letter, value) => [letter, value]));

export function base32(bytes: Uint8Array): string {
  let [text, bits, rest] = ["", 0, 0];
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    for (bits += 8; bits >= bitsOfLetter; ) {
      bits -= bitsOfLetter;
      text += alphabet[rest >> bits];
      rest &= (1 << bits) - 1;
    }
  }
  return bits > 0 ? text + alphabet[rest << (bitsOfLetter - bits)] : text;
}

/** Undefined when no bytes have this text. Bytes have one text only. */
export function bytesOfBase32(text: string): Buffer | undefined {
  const bytes: number[] = [];
  let [bits, rest] = [0, 0];
  for (const letter of text) {
    const value = values.get(letter);
    if (value === undefined) return undefined;
    rest = (rest << bitsOfLetter) | value;
    bits += bitsOfLetter;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push(rest >> bits);
    rest &= (1 << bits) - 1;
  }
  // Bits that are left over are fewer than a letter has, and zero.
  return bits < bitsOfLetter && rest === 0 ? Buffer.from(bytes) : undefined;
}
