/** Decodes quoted-printable, also as it stands in a subject. */
const decodeQuoted = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
    'latin1',
  )

const decodeWords = (line: string): string =>
  line
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      (kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64') : decodeQuoted(word.replaceAll('_', ' '))).toString(),
    )

/** Subject and text of a mail with one part, as a reader sees them. */
export const readMail = (raw: string): { subject: string; text: string } => {
  const [, head = '', body = ''] = /^([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(raw) ?? []
  const unfolded = head.replaceAll(/\r?\n[ \t]+/g, ' ')
  const valueOf = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1]?.trim() ?? ''
  const encoding = valueOf('content-transfer-encoding').toLowerCase()
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString()
      : encoding === 'quoted-printable'
        ? decodeQuoted(body.replaceAll(/=\r?\n/g, '')).toString()
        : body
  return { subject: decodeWords(valueOf('subject')), text }
}
