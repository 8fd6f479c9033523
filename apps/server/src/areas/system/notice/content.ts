import { NoticeDraft } from '@tocsin/contract/system/notice'
import sanitizeHtml from 'sanitize-html'
import type { z } from 'zod'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Actor } from '#http/route'
import { badField } from '../edit.ts'
import { referTo, type Subject } from '../file/keep.ts'
import { fileLink } from '../file/place.ts'

const blocks = ['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'img']
const marks = ['strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'span', 'a']
const tables = ['table', 'thead', 'tbody', 'tr', 'th', 'td']

/** A picture is one of our own files, by its id; the link that the writer's screen had is no part of it. */
const PICTURES = '/admin-api/infra/file/'
const picture = /^\/admin-api\/infra\/file\/(\d{1,15})(?:\?|$)/
const kept = /<img src="\/admin-api\/infra\/file\/(\d+)"/g

const options: sanitizeHtml.IOptions = {
  allowedTags: [...blocks, ...marks, ...tables],
  // No style, class, id, nor anything that loads: a notice must neither cover the console nor call home.
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

const LIMIT = NoticeDraft.shape.content.maxLength ?? 0

const picturesIn = (clean: string): number[] => [...clean.matchAll(kept)].map(([, id]) => Number(id))

/** What the text is a part of, for whoever is told what is wrong with it. */
type Draft = z.ZodObject<{ content: z.ZodType }>

/** HTML by an allow list. Refuses what says nothing once it is clean: a space between two tags is nothing (wire 3.8). */
export const cleanContent = (html: string, of: Draft = NoticeDraft): string => {
  const clean = sanitizeHtml(html, options).trim()
  const words = clean.replace(/<[^>]*>|&nbsp;|\u00A0/g, ' ')
  if (words.trim() === '' && picturesIn(clean).length === 0) throw badField(of, 'content', 'required')
  if (clean.length > LIMIT) throw badField(of, 'content', 'tooLong')
  return clean
}

/**
 * Notes which pictures the clean content of a row shows; null when it goes. One newly shown must be a picture that
 * the writer sees: its readers get it without being asked who they are to it.
 */
export const keepPictures = async (trx: Db, actor: Actor, of: Subject, clean: string | null): Promise<void> => {
  const ids = [...new Set(clean === null ? [] : picturesIn(clean))]
  const others =
    ids.length > 0 &&
    (await scoped(trx, actor)
      .selectFrom('file')
      .select('id')
      .where('id', 'in', ids)
      .where('image', '=', false)
      .executeTakeFirst())
  if (others) throw badField(NoticeDraft, 'content', 'choice')
  await referTo(trx, actor, of, ids)
}

/** The content with links to its pictures that are good for this reader, for ten minutes. */
export const withLinks = (clean: string, { userId }: Pick<Actor, 'userId'>): string =>
  clean.replaceAll(kept, (_, id: string) => `<img src="${fileLink(Number(id), userId).replaceAll('&', '&amp;')}"`)
