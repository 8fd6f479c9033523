import { NoticeDraft } from '@tocsin/contract/notices/notice'
import { createRequire } from 'node:module'
import type sanitizeHtml from 'sanitize-html'
import type { z } from 'zod'
import type { Db } from '#db/db'
import type { Actor } from '#http/route'
import { fieldError } from '#areas/audit/edit-transaction'
import { attachFiles } from '#areas/files/attachments'
import type { Subject } from '#areas/files/store-file'
import { fileLink } from '#areas/files/file-store'

const blocks = ['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'img']
const marks = ['strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'span', 'a']
const tables = ['table', 'thead', 'tbody', 'tr', 'th', 'td']

/** A picture is a stored file by its id; the signed link of the writer's screen is removed. */
const PICTURES = '/admin-api/infra/file/'
const picture = /^\/admin-api\/infra\/file\/(\d{1,15})(?:\?|$)/
const kept = /<img src="\/admin-api\/infra\/file\/(\d+)"/g

const options: sanitizeHtml.IOptions = {
  allowedTags: [...blocks, ...marks, ...tables],
  // No style, class or id, and nothing that loads a resource: a notice must neither cover the console nor send
  // requests.
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    img: ['src', 'alt'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs['src'],
  transformTags: {
    img: (tagName, { src = '', alt }) => {
      const id = picture.exec(src)?.[1]
      return { tagName, attribs: { ...(id && { src: `${PICTURES}${Number(id)}` }), ...(alt && { alt }) } }
    },
    a: (tagName, { href }) => ({
      tagName,
      attribs: { ...(href && { href }), rel: 'noopener noreferrer nofollow', target: '_blank' },
    }),
  },
}

const require = createRequire(import.meta.url)
/** Loaded with the first text and cached by Node, so that it does not slow the start down. */
const sanitizer = (): typeof sanitizeHtml => require('sanitize-html')

const LIMIT = NoticeDraft.shape.content.maxLength ?? 0

/** The pictures in sanitized content. */
export const imageIdsIn = (clean: string): number[] => [...clean.matchAll(kept)].map(([, id]) => Number(id))

/**
 * Sanitizes HTML by an allow list. Rejects content that is empty afterwards: a space between two tags is empty (wire
 * 3.8).
 * @param of, field the field of the text, named in the error
 */
export const cleanContent = (html: string, of: z.ZodObject = NoticeDraft, field = 'content'): string => {
  const clean = sanitizer()(html, options).trim()
  const words = clean.replace(/<[^>]*>|&nbsp;|\u00A0/g, ' ')
  if (words.trim() === '' && imageIdsIn(clean).length === 0) throw fieldError(of, field, 'required')
  if (clean.length > LIMIT) throw fieldError(of, field, 'tooLong', LIMIT)
  return clean
}

/** Stores which pictures the sanitized content of a row refers to; null when the row is deleted. */
export const setImageReferences = (trx: Db, actor: Actor, of: Subject, clean: string | null): Promise<void> =>
  attachFiles(trx, actor, { ...of, draft: NoticeDraft }, [
    { field: 'content', ids: clean === null ? [] : imageIdsIn(clean), pictures: true },
  ])

/** The content with links to its pictures that are valid for this reader, for ten minutes. */
export const withImageLinks = (clean: string, { userId }: Pick<Actor, 'userId'>): string =>
  clean.replaceAll(kept, (_, id: string) => `<img src="${fileLink(Number(id), userId).replaceAll('&', '&amp;')}"`)
