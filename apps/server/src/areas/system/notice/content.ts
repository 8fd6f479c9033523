import { NoticeDraft } from '@tocsin/contract/system/notice'
import sanitizeHtml from 'sanitize-html'
import { badField } from '../edit.ts'

const blocks = ['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code']
const marks = ['strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'span', 'a']
const tables = ['table', 'thead', 'tbody', 'tr', 'th', 'td']

const options: sanitizeHtml.IOptions = {
  allowedTags: [...blocks, ...marks, ...tables],
  // No style, class, id, nor anything that loads: a notice must neither cover the console nor call home.
  allowedAttributes: { a: ['href', 'rel', 'target'], th: ['colspan', 'rowspan'], td: ['colspan', 'rowspan'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: {
    a: (tagName, { href }) => ({
      tagName,
      attribs: { ...(href && { href }), rel: 'noopener noreferrer nofollow', target: '_blank' },
    }),
  },
}

const LIMIT = NoticeDraft.shape.content.maxLength ?? 0

/** HTML by an allow list. Refuses what says nothing once it is clean: a space between two tags is nothing (wire 3.8). */
export const cleanContent = (html: string): string => {
  const clean = sanitizeHtml(html, options).trim()
  const words = clean.replace(/<[^>]*>|&nbsp;|\u00A0/g, ' ')
  if (words.trim() === '') throw badField(NoticeDraft, 'content', 'required')
  if (clean.length > LIMIT) throw badField(NoticeDraft, 'content', 'tooLong')
  return clean
}
